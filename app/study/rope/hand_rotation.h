// A few typed numbers turned as RoPE turns them, by the reference, with what one writes down on the way: what rope/steps shows.
#pragma once

#include <vector>

#include "core/parameter/settings.h"
#include "core/position/rope.h"

namespace orrery::study::rope_steps {

inline constexpr std::size_t most_numbers = 8;

struct Pair {
  tensor::Index first, second;  ///< dimensions of the head
  double frequency, angle, cos, sin;
  double a, b, turned_a, turned_b;
};

/// Whether frequencies are 1, 2, 3 … in the place of powers of the base.
bool by_mistake(const parameter::Settings&);
position::RopeLayout layout_of(const parameter::Settings&);
/// As typed, with a 0 for a last one that has no partner. Throws InvalidArgument where there are none or too many.
std::vector<double> vector_of(const parameter::Settings&);
/// The width of the head, never narrower than the vector.
tensor::Index head_of(const parameter::Settings&);

/// The few pairs that were typed, with the frequencies that they have in the whole head.
position::RopeTable table_of(const parameter::Settings&);
std::vector<Pair> pairs_of(const parameter::Settings&);
/// How far a turned number may be off: an angle carries the rounding of its product, and the vector's length multiplies it.
double turned_error(const Pair&);

}  // namespace orrery::study::rope_steps
