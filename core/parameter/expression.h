// A number as a person types it: 2^16, pi/4, 131072/4, 3*(1+sqrt(5)), 128k, 500 000.
#pragma once

#include <optional>
#include <string_view>

namespace orrery::parameter {

/// The value of an arithmetic expression, in double, or nothing where the text is none. It may overflow:
/// 1/0 is infinite, 0/0 not a number.
///
///   + − * /   as usual, from left to right
///   ^ or **   a power; binds tighter than a sign, and from the right: -2^2 is −4, 2^3^2 is 512
///   ( )       nested no deeper than a person types
///   pi e      and π
///   500 000   digits in groups of three, with blanks or commas between them; not 0,125, which may mean another number
///   8k 1M     thousands and millions; Ki and Mi are 1024 and 1024²
///   sqrt exp ln log2 log10, each of (…)
///
/// Nothing is multiplied by standing beside something: 2pi is no number.
std::optional<double> evaluate(std::string_view text);

}  // namespace orrery::parameter
