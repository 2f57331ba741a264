// Rows on which errors do not average out: what a bound must hold that claims the worst case.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/view.h"
#include "tests/support/within.h"

namespace orrery::support {

/// A row, and what it is called.
struct HardRow {
  std::string name;
  tensor::Matrix<double> x;  ///< 1 × cols, floats unless they are said to be doubles
};

/// One value far above the others, which are alike (an attention sink, a massive activation), in many proportions; all
/// alike; alternating; subnormal.
std::vector<HardRow> hard_rows(tensor::Index cols);

/// The same as doubles, constants that are no floats among them, and at 10^±160, where squares leave double.
std::vector<HardRow> hard_rows_of_doubles(tensor::Index cols);

/// fast(x, y) in float against exact(x, y), under the bound, on hard rows of every width.
void expect_on_hard_rows(const char* op, const tensor::Bound& bound, const auto& fast, const auto& exact) {
  Worst worst(op);
  for (const tensor::Index cols : {16, 17, 128, 256, 768, 1024, 4096, 65536})
    for (const HardRow& row : hard_rows(cols)) {
      const tensor::Matrix<float> in = row.x.cast<float>();
      tensor::Matrix<float> y(1, cols);
      tensor::Matrix<double> r(1, cols);
      fast(in, y);
      exact(row.x, r);
      worst.expect(compare(tensor::View<const float>(y), r, bound), row.name + " × " + std::to_string(cols));
    }
}

}  // namespace orrery::support
