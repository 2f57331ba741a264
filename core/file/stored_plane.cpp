#include "core/file/stored_plane.h"

#include <algorithm>

namespace orrery::file {
namespace {

using tensor::Index;

/// What may lie between numbers that are wanted and be read with them.
constexpr std::uint64_t most_at_once = 1 << 16;

}  // namespace

std::vector<std::uint64_t> steps_of(const StoredArray& array) {
  std::vector<std::uint64_t> steps(array.shape.size());
  std::uint64_t step = 1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t axis = array.fortran_order ? i : steps.size() - 1 - i;
    steps[axis] = step;
    step *= static_cast<std::uint64_t>(array.shape[axis]);
  }
  return steps;
}

tensor::Matrix<double> StoredPlane::read(Index row, Index count) const {
  tensor::Matrix<double> out(count, cols);
  if (out.size() == 0) return out;
  // Along the axis whose neighbours stand nearer; the other one line by line, or at once where lines touch.
  const bool by_rows = col_step <= row_step;
  const auto lines = static_cast<std::uint64_t>(by_rows ? count : cols),
             length = static_cast<std::uint64_t>(by_rows ? cols : count);
  const std::uint64_t line_step = by_rows ? row_step : col_step, step = by_rows ? col_step : row_step,
                      begin = first + static_cast<std::uint64_t>(row) * row_step;
  const auto element = [&](std::uint64_t line, std::uint64_t i) -> double& {
    const auto a = static_cast<Index>(line), b = static_cast<Index>(i);
    return by_rows ? out(a, b) : out(b, a);
  };
  std::vector<double> some;
  if (by_rows && step == 1 && line_step == length) {
    array.numbers_at(begin, {out.data(), static_cast<std::size_t>(out.size())});
    return out;
  }
  const std::uint64_t at_once = std::max<std::uint64_t>(1, most_at_once / step);
  for (std::uint64_t line = 0; line < lines; ++line)
    for (std::uint64_t i = 0; i < length; i += at_once) {
      const std::uint64_t now = std::min(at_once, length - i);
      some.resize((now - 1) * step + 1);
      array.numbers_at(begin + line * line_step + i * step, some);
      for (std::uint64_t j = 0; j < now; ++j) element(line, i + j) = some[j * step];
    }
  return out;
}

}  // namespace orrery::file
