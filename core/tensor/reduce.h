// What the row-wise loops of the cpu twins share.
#pragma once

#include <array>
#include <span>

#include "core/tensor/view.h"

namespace orrery::tensor {

/// Below this many elements a loop stays on the calling thread: waking a team takes about a microsecond.
inline constexpr Index small_work = Index{1} << 14;

/// Of the eight running sums below.
inline double total(const std::array<double, 8>& part) {
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

/// Σ_j term(x_j) in double. Eight running sums: the loop vectorises without leave to reorder, on every
/// compiler in the same order, and each sum carries an eighth of the rounding.
template <class T, class Term>
double sum(std::span<const T> x, Term term) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> part{};
  std::size_t j = 0;
  for (; j + lanes <= x.size(); j += lanes)
    for (std::size_t k = 0; k < lanes; ++k) part[k] += term(static_cast<double>(x[j + k]));
  for (std::size_t k = 0; j < x.size(); ++j, ++k) part[k] += term(static_cast<double>(x[j]));
  return total(part);
}

/// Σ_j term(x_j) and Σ_j term(x_j)² at once, in the same order.
template <class T, class Term>
std::array<double, 2> sum_and_squares(std::span<const T> x, Term term) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> part{}, squares{};
  const auto add = [&](std::size_t k, T value) {
    const double v = term(static_cast<double>(value));
    part[k] += v;
    squares[k] += v * v;
  };
  std::size_t j = 0;
  for (; j + lanes <= x.size(); j += lanes)
    for (std::size_t k = 0; k < lanes; ++k) add(k, x[j + k]);
  for (std::size_t k = 0; j < x.size(); ++j, ++k) add(k, x[j]);
  return {total(part), total(squares)};
}

}  // namespace orrery::tensor
