#include "app/study/numerics/twin_use.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/study/kit/parts.h"
#include "core/tensor/declined.h"
#include "core/tensor/interruption.h"

namespace orrery::study {
namespace {

using tensor::Array;
using tensor::Index;

Array result_of(const op::Op& op, op::Call& call, const Run& run, bool staged) {
  if (staged) {
    if (!op.staged)
      throw Declined(about(Subject::Kind::op, op.name)
                         .fault("it has no stages that could be rounded")
                         .allowed(name_phrase("f32")));
    return op.staged(call);
  }
  switch (run.device) {
    case DeviceChoice::ref:
      return op.ref(call);
    case DeviceChoice::gpu:
      if (!op.gpu)
        throw Declined(
            about(Subject::Kind::op, op.name).fault("the gpu declines it").allowed(name_phrase("cpu, ref")));
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

/// The use of a bound, row after row.
class Uses {
 public:
  Uses(const tensor::Bound& bound, bool by_magnitude) : bound_(bound), by_magnitude_(by_magnitude) {}

  /// The next rows. `magnitude` is empty where the bound is not beside one.
  void add(const tensor::Matrix<double>& reference, const tensor::Matrix<double>& result,
           const tensor::Matrix<double>& magnitude) {
    use_.cols = reference.cols();
    for (Index i = 0; i < reference.rows(); ++i, ++use_.rows) {
      tensor::interruption_point();
      double largest = 0;
      for (Index j = 0; j < use_.cols; ++j)
        if (const double r = reference(i, j); std::isfinite(r)) largest = std::max(largest, std::abs(r));
      for (Index j = 0; j < use_.cols; ++j) {
        const double size = by_magnitude_ ? std::abs(magnitude(i, j)) : 0;
        add(Element{.row = use_.rows, .col = j, .ref = reference(i, j), .twin = result(i, j)}, size, largest);
      }
    }
  }

  TwinUse so_far() const {
    TwinUse use = use_;
    const auto count = static_cast<double>(use.elements.size());
    use.equal = count > 0 ? equal_ / count : 1;
    use.sum_bounded = !by_magnitude_ && bound_.nmse > 0;
    const double sum_bound = bound_.nmse * reference_squares_ + count * bound_.abs * bound_.abs;
    use.share_nmse = squares_ == 0 ? 0 : squares_ / sum_bound;
    return use;
  }

 private:
  void add(Element e, double magnitude, double largest_of_row) {
    e.bound = allowed(e.ref, magnitude, largest_of_row);
    e.use = use_of(e.twin, e.ref, e.bound);
    use_.worst = std::max(use_.worst, e.use);
    equal_ += e.use == 0;
    if (std::isfinite(e.ref) && std::isfinite(e.twin)) {
      squares_ += (e.twin - e.ref) * (e.twin - e.ref);
      reference_squares_ += e.ref * e.ref;
    }
    use_.elements.push_back(e);
  }
  /// abs + rel·|r| + row·max|r|, or abs + rel·magnitude for sums that cancel.
  double allowed(double ref, double magnitude, double largest_of_row) const {
    constexpr double promised = 1e38;  // sums beyond it may leave float's range on their way
    if (!by_magnitude_) return bound_.abs + bound_.rel * std::abs(ref) + bound_.row * largest_of_row;
    return magnitude > promised ? std::numeric_limits<double>::infinity()
                                : bound_.abs + bound_.rel * magnitude;
  }

  tensor::Bound bound_;
  bool by_magnitude_;
  TwinUse use_;
  double equal_ = 0, squares_ = 0, reference_squares_ = 0;
};

/// Whether each token of the first input is done by itself, as the letters say: "… × D", and none of the others goes by
/// tokens.
bool does_tokens_alone(const op::Op& op) {
  const auto goes_by_tokens = [](const op::Input& input) {
    return input.shape.find("…") != input.shape.npos || input.shape.find('T') != input.shape.npos;
  };
  return !op.inputs.empty() && op.inputs[0].shape == "… × D" &&
         std::ranges::none_of(op.inputs.begin() + 1, op.inputs.end(), goes_by_tokens);
}

/// How many rows of x are done at once: all, but of much arithmetic what the reference does in some 50 ms.
Index rows_at_once(const op::Op& op, const op::Call& call, const Array& x) {
  constexpr double at_once = 1 << 24;
  if (op.flops == nullptr || !does_tokens_alone(op)) return x.rows();
  return std::max(Index{1}, static_cast<Index>(at_once / op.flops(call) * static_cast<double>(x.rows())));
}

Array rows_of(const Array& x, Index first, Index end) {
  return {x.format, {end - first, x.cols()}, x.values.visit([&](auto values) {
            return tensor::Values(values.data() + first * x.cols(), values.data() + end * x.cols());
          })};
}

}  // namespace

TwinUse twin_use(const op::Op& op, op::Call call, const Run& run, bool staged,
                 const std::function<void(const TwinUse&)>& on_part) {
  const tensor::Interruptible stopped([&] { run.check(); });
  const op::Bounds bounds = op.bounds(call);
  const bool gpu = run.device == DeviceChoice::gpu;
  const bool by_magnitude = op.magnitude && (gpu || bounds.cpu_by_magnitude);
  Uses uses(gpu ? bounds.gpu : bounds.cpu, by_magnitude);
  const auto add_all = [&] {
    const Array reference = op.ref(call);
    run.check();
    const Array result = result_of(op, call, run, staged);
    run.check();
    uses.add(reference.matrix(), result.matrix(),
             by_magnitude ? op.magnitude(call).matrix() : tensor::Matrix<double>());
  };
  const Array x =
      op.inputs.empty() || !call.find(op.inputs[0].name) ? Array{} : call.input(op.inputs[0].name);
  const Index rows = x.values.empty() ? 0 : x.rows(), step = rows == 0 ? 0 : rows_at_once(op, call, x);
  if (step >= rows) {
    add_all();
    return uses.so_far();
  }
  Parts parts(static_cast<double>(rows), 0);
  for (Index first = 0; first < rows; first += step) {
    run.progress(static_cast<double>(first) / static_cast<double>(rows));
    if (parts.due(static_cast<double>(first)) && on_part) on_part(uses.so_far());
    call.inputs.insert_or_assign(std::string(op.inputs[0].name),
                                 rows_of(x, first, std::min(first + step, rows)));
    add_all();
  }
  return uses.so_far();
}

}  // namespace orrery::study
