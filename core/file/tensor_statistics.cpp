#include "core/file/tensor_statistics.h"

#include <optional>

namespace orrery::file {
namespace {

/// An index for each axis of what is `at` numbers from the file's first one.
std::vector<tensor::Index> place_of(std::int64_t at, const StoredArray& array) {
  std::vector<tensor::Index> place(array.shape.size());
  if (at < 0) return {};
  for (std::size_t i = 0; i < place.size(); ++i) {
    // The axis that runs fastest first.
    const std::size_t axis = array.fortran_order ? i : place.size() - 1 - i;
    place[axis] = at % array.shape[axis];
    at /= array.shape[axis];
  }
  return place;
}

}  // namespace

TensorStatistics statistics_of(const StoredArray& array, const std::function<void(std::uint64_t)>& step) {
  TensorStatistics all;
  std::optional<tensor::LargestRows> rows;
  const bool by_rows = array.shape.size() > 1 && !array.fortran_order &&
                       array.count > static_cast<std::uint64_t>(array.shape.back());
  if (by_rows) rows.emplace(array.shape.back());
  std::uint64_t read = 0;
  array.for_each_block([&](std::span<const double> block) {
    all.numbers.add(block);
    if (rows) rows->add(block);
    read += block.size();
    if (step) step(read);
  });
  if (rows) all.rows = rows->rows();
  all.farthest_at = place_of(all.numbers.farthest_at(), array);
  return all;
}

}  // namespace orrery::file
