#include "tests/support/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace orrery::support {
namespace {

using tensor::Index;

/// How the element stands to its reference: nothing to object to, or the name of the broken rule.
const char* pattern_fault(double y, double r) {
  if (std::isnan(y) != std::isnan(r)) return "NaN";
  if ((std::isinf(y) || std::isinf(r)) && y != r && !std::isnan(y)) return "infinity";
  return nullptr;
}

double largest_finite(std::span<const double> row) {
  double largest = 0;
  for (double r : row)
    if (std::isfinite(r)) largest = std::max(largest, std::abs(r));
  return largest;
}

}  // namespace

Comparison compare(tensor::View<const double> result, tensor::View<const double> reference,
                   const tensor::Bound& bound, tensor::Format format) {
  Comparison c;
  if (result.rows != reference.rows || result.cols != reference.cols) {
    c.within = false;
    c.fault = "shape";
    return c;
  }
  const auto& info = tensor::info(format);
  // The largest value plus half of the last step: from here on, rounding to nearest gives infinity.
  const double overflow = info.max * (1 + info.unit_roundoff / 2);

  const auto point_at = [&](Index i, Index j, double used) {
    c.row = i;
    c.col = j;
    c.result = result(i, j);
    c.reference = reference(i, j);
    c.used = used;
  };
  double error_squares = 0, reference_squares = 0;
  for (Index i = 0; i < result.rows; ++i) {
    const double forgiven = bound.abs + bound.row * largest_finite(reference.row(i));
    for (Index j = 0; j < result.cols; ++j) {
      const double y = result(i, j);
      double r = reference(i, j);
      if (format != tensor::Format::f64 && std::abs(r) >= overflow) r = std::copysign(INFINITY, r);
      if (const char* fault = pattern_fault(y, r)) {
        c.within = false;
        c.fault = fault;
        point_at(i, j, INFINITY);
        return c;
      }
      if (!std::isfinite(r)) continue;

      const double error = std::abs(y - r);
      const double allowed = forgiven + bound.rel * std::abs(r);
      const double used = error == 0 ? 0 : error / allowed;
      if (used > c.used || (i == 0 && j == 0)) point_at(i, j, used);
      c.max_abs = std::max(c.max_abs, error);
      if (std::abs(r) >= info.min_normal) c.max_rel = std::max(c.max_rel, error / std::abs(r));
      error_squares += error * error;
      reference_squares += r * r;
    }
  }
  c.nmse = error_squares == 0 ? 0 : error_squares / reference_squares;
  if (c.used > 1) {
    c.within = false;
    c.fault = "element";
  } else if (error_squares > bound.nmse * reference_squares + bound.abs * bound.abs * double(result.size())) {
    c.within = false;
    c.fault = "nmse";
  }
  return c;
}

Comparison compare_by_magnitude(tensor::View<const double> result, tensor::View<const double> reference,
                                tensor::View<const double> magnitude, const tensor::Bound& bound) {
  constexpr double range = 1e38, infinity = std::numeric_limits<double>::infinity();
  tensor::Matrix<double> promised = result.eigen();
  for (Index i = 0; i < result.rows; ++i)
    for (Index j = 0; j < result.cols; ++j)
      if (std::isfinite(magnitude(i, j)) && std::abs(magnitude(i, j)) > range)
        promised(i, j) = reference(i, j);

  // NaN and infinities first. As doubles: the reference may lie beyond float where nothing is promised.
  Comparison c = compare(tensor::View<const double>(promised), reference, {.abs = infinity, .nmse = infinity},
                         tensor::Format::f64);
  c.used = 0;
  for (Index i = 0; i < result.rows; ++i) {
    for (Index j = 0; j < result.cols; ++j) {
      const double y = promised(i, j), r = reference(i, j);
      if (!std::isfinite(r) || !std::isfinite(y)) continue;
      const double allowed = bound.abs + bound.rel * std::abs(magnitude(i, j));
      const double used = y == r ? 0 : std::abs(y - r) / allowed;
      if (used <= c.used) continue;
      c.row = i;
      c.col = j;
      c.used = used;
      c.result = y;
      c.reference = r;
      if (used > 1) {
        c.within = false;
        c.fault = "element";
      }
    }
  }
  return c;
}

Comparison compare(tensor::View<const float> result, tensor::View<const double> reference,
                   const tensor::Bound& bound) {
  const tensor::Matrix<double> wide = result.eigen().cast<double>();
  return compare(tensor::View<const double>(wide), reference, bound, tensor::Format::f32);
}

std::string Comparison::text() const {
  if (fault == "shape") return "shapes differ";
  char line[256];
  std::snprintf(line, sizeof line,
                "%s, %.3g of the bound at [%td, %td]: %.9g for %.9g; max abs %.3g, max rel %.3g, nmse %.3g",
                within ? "within" : ("NOT within (" + fault + ")").c_str(), used, row, col, result, reference,
                max_abs, max_rel, nmse);
  return line;
}

/// A value that no op produces by accident, and that is no NaN: it must compare equal to itself.
template <class T>
constexpr T sentinel = T(-1.2345678e-7);

template <class T>
GuardedMatrix<T>::GuardedMatrix(Index rows, Index cols)
    : rows_(rows), cols_(cols), values_(std::size_t((rows + 2) * (cols + margin)), sentinel<T>) {}

template <class T>
tensor::View<T> GuardedMatrix<T>::view() {
  const Index stride = cols_ + margin;
  return {values_.data() + stride, rows_, cols_, stride};
}

template <class T>
bool GuardedMatrix<T>::intact() const {
  const Index stride = cols_ + margin;
  for (Index k = 0; k < Index(values_.size()); ++k) {
    const Index row = k / stride - 1;
    const bool inside = row >= 0 && row < rows_ && k % stride < cols_;
    if (!inside && values_[std::size_t(k)] != sentinel<T>) return false;
  }
  return true;
}

template class GuardedMatrix<float>;
template class GuardedMatrix<double>;

}  // namespace orrery::support
