#include "tests/support/hard_rows.h"

#include <cmath>

#include "core/tensor/random.h"

namespace orrery::support {
namespace {

using tensor::Index;
using Row = tensor::Matrix<double>;

Row one_above(Index cols, double value, double above, Index at) {
  Row x = Row::Constant(1, cols, value);
  x(0, at % cols) = above;
  return x;
}

Row alternating(Index cols, double value) {
  Row x(1, cols);
  for (Index j = 0; j < cols; ++j) x(0, j) = j % 2 == 0 ? value : -value;
  return x;
}

}  // namespace

std::vector<HardRow> hard_rows(Index cols) {
  std::vector<HardRow> rows;
  const tensor::Random random(71);
  for (std::uint64_t k = 0; k < 24; ++k) {
    const double value = 0.05 + std::abs(random.normal(2 * k)),
                 above = value * std::exp2(static_cast<double>(k % 12)) *
                         (1 + std::abs(random.normal(2 * k + 1)));
    rows.push_back({"one above, " + std::to_string(k),
                    one_above(cols, value, above, k % 3 == 0 ? 0 : static_cast<Index>(37 * k))});
  }
  // Found by search: each once took 4 u and more of a norm, or 14 u.
  constexpr double found[][2] = {
      {0.105476014316082, 38.51411819458008},  {1.606773853302002, 11963.912109375},
      {0.33384087681770325, 2992.80712890625}, {0.20090049505233765, 32.41569137573242},
      {0.5043829679489136, 2281.939697265625}, {0.11184050887823105, 531.25048828125},
      {4.471669673919678, 33154.8046875},      {4.197329998016357, 364.7701721191406},
      {0.42836952209472656, 256.6391906738281}};
  for (const auto& [value, above] : found)
    rows.push_back({"one above, found", one_above(cols, value, above, 0)});
  rows.push_back({"alike", Row::Constant(1, cols, 0.3)});
  rows.push_back({"alike, large", Row::Constant(1, cols, 10000.3)});
  rows.push_back({"alternating", alternating(cols, 0.7)});
  rows.push_back({"subnormal", alternating(cols, 1.1e-41)});
  for (HardRow& row : rows) row.x = row.x.cast<float>().cast<double>();
  return rows;
}

std::vector<HardRow> hard_rows_of_doubles(Index cols) {
  std::vector<HardRow> rows = hard_rows(cols);
  for (const double value : {0.1, 13.7, 10000.3}) rows.push_back({"alike", Row::Constant(1, cols, value)});
  for (const double size : {1e160, 1e-160, 1e300, 1e-300}) {
    rows.push_back({"one above, far out", one_above(cols, 0.3 * size, 11.7 * size, 5)});
    rows.push_back({"alternating, far out", alternating(cols, 0.7 * size)});
    rows.push_back({"alike, far out", Row::Constant(1, cols, 0.3 * size)});
  }
  return rows;
}

}  // namespace orrery::support
