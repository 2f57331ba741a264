#include "app/study/numerics/twin_use.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/tensor/declined.h"

namespace orrery::study {
namespace {

using tensor::Array;
using tensor::Index;

Array result_of(const op::Op& op, op::Call& call, const Run& run, bool staged) {
  if (staged) {
    if (!op.staged)
      throw Declined(std::string(op.name) + ": it has no stages that could be rounded; allowed: f32");
    return op.staged(call);
  }
  switch (run.device) {
    case DeviceChoice::ref:
      return op.ref(call);
    case DeviceChoice::gpu:
      if (!op.gpu) throw Declined(std::string(op.name) + ": the gpu declines it; allowed: cpu, ref");
      call.device = &run.gpu();
      return op.gpu(call);
    case DeviceChoice::cpu:
      break;
  }
  return op.cpu(call);
}

double use_of(double twin, double ref, double bound) {
  constexpr double largest_float = std::numeric_limits<float>::max();
  const bool overflown = std::isinf(twin) && std::abs(ref) > largest_float && (twin > 0) == (ref > 0);
  if (overflown || std::isinf(bound)) return 0;  // no float can be nearer; nothing is promised
  if (twin == ref || (std::isnan(twin) && std::isnan(ref))) return 0;
  const double off = std::abs(twin - ref);
  return std::isnan(off) || !(bound > 0) ? std::numeric_limits<double>::infinity() : off / bound;
}

/// abs + rel·|r| + row·max|r|, or abs + rel·magnitude for sums that cancel.
struct Allowed {
  tensor::Bound bound;
  std::optional<Array> magnitude;

  double at(Index i, Index j, double ref, double largest_of_row) const {
    constexpr double promised = 1e38;  // sums beyond it may leave float's range on their way
    if (magnitude) {
      const double size = std::abs(magnitude->matrix()(i, j));
      return size > promised ? std::numeric_limits<double>::infinity() : bound.abs + bound.rel * size;
    }
    return bound.abs + bound.rel * std::abs(ref) + bound.row * largest_of_row;
  }
};

Allowed allowed_for(const op::Op& op, const op::Call& call, const Run& run) {
  const op::Bounds bounds = op.bounds(call);
  const bool gpu = run.device == DeviceChoice::gpu;
  Allowed allowed{gpu ? bounds.gpu : bounds.cpu, std::nullopt};
  if (op.magnitude && (gpu || bounds.cpu_by_magnitude)) allowed.magnitude = op.magnitude(call);
  return allowed;
}

}  // namespace

TwinUse twin_use(const op::Op& op, op::Call call, const Run& run, bool staged) {
  const Array reference = op.ref(call);
  run.check();
  const Array result = result_of(op, call, run, staged);
  run.check();
  const Allowed allowed = allowed_for(op, call, run);

  TwinUse use{.rows = reference.rows(), .cols = reference.cols()};
  use.elements.reserve(reference.values.size());
  double squares = 0, reference_squares = 0;
  std::size_t equal = 0;
  for (Index i = 0; i < use.rows; ++i) {
    double largest = 0;
    for (Index j = 0; j < use.cols; ++j)
      if (const double r = reference.matrix()(i, j); std::isfinite(r))
        largest = std::max(largest, std::abs(r));
    for (Index j = 0; j < use.cols; ++j) {
      Element e{.row = i, .col = j, .ref = reference.matrix()(i, j), .twin = result.matrix()(i, j)};
      e.bound = allowed.at(i, j, e.ref, largest);
      e.use = use_of(e.twin, e.ref, e.bound);
      use.worst = std::max(use.worst, e.use);
      equal += e.use == 0;
      if (std::isfinite(e.ref) && std::isfinite(e.twin)) {
        squares += (e.twin - e.ref) * (e.twin - e.ref);
        reference_squares += e.ref * e.ref;
      }
      use.elements.push_back(e);
    }
  }
  const auto count = static_cast<double>(use.elements.size());
  use.equal = count > 0 ? static_cast<double>(equal) / count : 1;
  use.sum_bounded = !allowed.magnitude && allowed.bound.nmse > 0;
  const double sum_bound =
      allowed.bound.nmse * reference_squares + count * allowed.bound.abs * allowed.bound.abs;
  use.share_nmse = squares == 0 ? 0 : squares / sum_bound;
  return use;
}

}  // namespace orrery::study
