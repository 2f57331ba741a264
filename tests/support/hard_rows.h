// Rows on which errors do not average out: what a bound must hold that claims the worst case.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/view.h"

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

}  // namespace orrery::support
