// A row's softmax in a format, every step rounded to it: with the maximum taken off first and without; and what stands for
// −∞ in a mask.
#pragma once

#include <array>
#include <vector>

#include "core/tensor/format.h"

namespace orrery::study {

enum class RowMaximum { taken_off, left };

/// e^(x − m) or e^x, the sum from left to right and the quotients, each rounded to the format. NaN where a row has only −∞
/// or its sum vanishes, and of an exponential that overflows; all are 0 where only the sum does.
std::vector<double> softmax_in(tensor::Format, const std::vector<double>& x, RowMaximum);

/// What is added to the score of a key that is not to be seen.
struct HiddenBy {
  const char* name;                 ///< as a formula
  double (*value)(tensor::Format);  ///< as the format has it
};
/// −∞; the least finite number; that one added twice, as where a causal mask meets one of padding; −10⁹; −10⁴.
extern const std::array<HiddenBy, 5> ways_to_hide;

/// The largest weight of a row whose keys are all hidden; NaN where it has none.
double largest_weight_of_hidden(tensor::Format, const std::vector<double>& scores, const HiddenBy&,
                                double temperature = 1);

/// The largest x whose e^x is finite in the format, and the least whose is not 0, found by halving.
double largest_exponent(tensor::Format);
double least_exponent(tensor::Format);

}  // namespace orrery::study
