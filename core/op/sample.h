// Calls of any op of the table, made from its row: shapes from the letters of its inputs, settings from the choices of
// its parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/op/op.h"

namespace orrery::op {

/// An element of an input that is to be filled.
struct Place {
  const Input& input;
  std::uint32_t stream;    ///< which input of the row, from 1 on
  tensor::Index row, col;  ///< the last axis has the columns, all others the rows
  tensor::Index first;     ///< how many rows the positional inputs before it have
  std::uint64_t i;         ///< its number among all elements of the input
  const Sizes& sizes;
};
using Fill = std::function<double(const Place&)>;

/// Seeded normal numbers, floats all of them; row numbers, flags and counts where an input holds such.
Fill random_values(std::uint64_t seed, double mean = 0, double scale = 1);

/// Which letter is the op's width.
char width_letter(const Op&);

/// The named inputs of a sample: those that the op cannot do without at its settings, or all.
enum class Named : std::uint8_t { needed, all };
/// Whether it must be given at these settings.
bool is_needed(const Input&, const parameter::Settings&);

/// The defaults, fitted to the sizes.
parameter::Settings sample_settings(const Op&, const Sizes&);
/// Every combination of the choices that the row lets vary, the other parameters at their defaults, fitted to the sizes.
std::vector<parameter::Settings> varied_settings(const Op&, const Sizes&);

Call sample(const Op&, const parameter::Settings&, const Sizes&, const Fill&, Named);

}  // namespace orrery::op
