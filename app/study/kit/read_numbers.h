// Which numbers studies take from files: products of two have room in floats, and squares of them add up.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/tensor/complaint.h"

namespace orrery::study {

/// NaN is not within either.
template <class Numbers>
bool within_reach(const Numbers& numbers) {
  constexpr double largest = 1e9;
  return std::ranges::all_of(numbers, [](double x) { return std::abs(x) <= largest; });
}

inline Complaint beyond_reach() {
  return wrong("holds numbers that are not finite or beyond {}", "1e9");
}

}  // namespace orrery::study
