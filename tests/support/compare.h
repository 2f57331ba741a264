// A result against a reference, under the bound of its contract.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/bound.h"
#include "core/tensor/format.h"
#include "core/tensor/view.h"

namespace orrery::support {

/// What a comparison saw. The maxima are over the finite elements, and are there when all is well too.
struct Comparison {
  bool within = true;
  std::string fault;  ///< empty, or the first rule broken: "NaN", "infinity", "element", "nmse", "shape"

  double max_abs = 0;
  double max_rel = 0;  ///< over elements whose reference is a normal number of the format
  double nmse = 0;     ///< Σ(y − r)²/Σr²

  /// The element that broke the rule, or else that used most of its bound.
  tensor::Index row = 0, col = 0;
  double result = 0, reference = 0;
  double used = 0;  ///< |y − r| there, as a fraction of what the bound allows

  /// One line: "within, 43 % of the bound at [3, 17] …".
  std::string text() const;
};

/// Rules in order: the same NaN in the same places, the same infinities, then element by element, then Σ(y −
/// r)² ≤ nmse·Σr² + N·abs² (the share that `abs` forgives each element, it forgives the sum). A finite
/// reference that rounds to infinity in `format` counts as that infinity: no float can be nearer.
Comparison compare(tensor::View<const double> result, tensor::View<const double> reference,
                   const tensor::Bound&, tensor::Format format = tensor::Format::f32);
Comparison compare(tensor::View<const float> result, tensor::View<const double> reference,
                   const tensor::Bound&);

/// For float sums that may cancel: `rel` of the bound is relative to `magnitude`, element by element; where that leaves
/// float's range, or the reference does, nothing is promised but that a NaN is one. `row` and `nmse` do not count.
Comparison compare_by_magnitude(tensor::View<const double> result, tensor::View<const double> reference,
                                tensor::View<const double> magnitude, const tensor::Bound&);

/// An output matrix with a margin of sentinels before it, after it and between its rows.
template <class T>
class GuardedMatrix {
 public:
  GuardedMatrix(tensor::Index rows, tensor::Index cols);
  tensor::View<T> view();
  bool intact() const;  ///< no sentinel was written over

 private:
  static constexpr tensor::Index margin = 17;
  tensor::Index rows_, cols_;
  std::vector<T> values_;
};

extern template class GuardedMatrix<float>;
extern template class GuardedMatrix<double>;

}  // namespace orrery::support
