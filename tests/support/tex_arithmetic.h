// Arithmetic in TeX, read as a person with a calculator reads it: the formulas with numbers that studies show are asked by
// it whether they are so. It knows nothing of how they were written.
//
//   plain numbers, + - \cdot \times / ^{…} \frac{}{} \sqrt{} \pi e^{…} \cos \sin \tan \tanh \sinh \cosh \exp \ln \log
//   \log_2 \log_{10} \min(,) \max(,) |…| \lfloor…\rfloor \lceil…\rceil, parentheses, \left and \right, and 2\pi, 3(1 + 2)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::support {

/// What it comes to; nothing for what is no arithmetic.
std::optional<double> tex_value(std::string_view tex);

/// A decimal number, perhaps times a power of ten, and of its last digit what one more is: 1.20 has 0.01.
struct TexNumber {
  double value = 0, unit = 1;
};
std::optional<TexNumber> tex_number(std::string_view tex);

/// name = numbers put in = result, or \approx result.
struct Statement {
  std::string name;
  std::vector<std::string> expressions;  ///< what stands between the first sign and the last
  std::string result;
  bool exact = false;  ///< the last sign is =
};
/// A part for each \quad; those without two signs have no expressions.
std::vector<Statement> statements(std::string_view worked);

/// What is wrong with such formulas, said in a line for each; empty where all of it is so: names are names, and whatever
/// stands between the signs comes to the result, to one of its last digit or, behind =, to 1e-9 of it.
std::string faults(std::string_view worked);

}  // namespace orrery::support
