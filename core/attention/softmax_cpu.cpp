
#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "core/attention/kernels.h"
#include "core/attention/softmax.h"
#include "core/simd/aligned_room.h"
#include "core/simd/share.h"
#include "core/tensor/exp.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;

namespace {

template <class T>
double exp(double x) {
  if constexpr (std::is_same_v<T, float>) return tensor::exp_for_float(x);
  return std::exp(x);
}

/// What is seen of a row, in double: the twin for double, and for what a float cannot hold.
template <class T>
void softmax_row(std::span<const T> x, double inverse_temperature, std::span<double> e, std::span<T> y) {
  // Comparisons with NaN are false, so max passes over NaN; the exponentials meet it.
  T max = -INFINITY;
  for (T v : x) max = v > max ? v : max;
  if (max == -INFINITY) {
    const bool nan = std::any_of(x.begin(), x.end(), [](T v) { return std::isnan(v); });
    std::fill(y.begin(), y.end(), nan ? T(NAN) : T(0));
    return;
  }
  const double top = max;
  for (std::size_t j = 0; j < x.size(); ++j)
    e[j] = exp<T>((static_cast<double>(x[j]) - top) * inverse_temperature);
  const double sum = tensor::sum(std::span<const double>(e), [](double v) { return v; });
  const double inverse_sum = 1 / sum;
  for (std::size_t j = 0; j < x.size(); ++j) y[j] = static_cast<T>(e[j] * inverse_sum);
}

template <class T>
void softmax_in_double(tensor::View<const T> x, const SoftmaxParams& params, tensor::View<T> y) {
  simd::share_in_turns({.count = x.rows, .size = x.size()}, [&] {
    return [&, e = std::vector<double>(static_cast<std::size_t>(x.cols))](Index first, Index end) mutable {
      for (Index i = first; i < end; ++i) {
        const KeyRange keys = params.mask.range(i, x.rows, x.cols);
        const auto in = keys.of(x.row(i));
        keys.clear_others(y.row(i));
        softmax_row(in, 1 / params.temperature, std::span(e).first(in.size()), keys.of(y.row(i)));
      }
    };
  });
}

/// Rows one behind the other in the stages of SoftmaxStep.
class Pipeline {
 public:
  Pipeline(Index cols, float scale, Writing writing) : room_(simd::aligned_room<float>(cols)) {
    step_.scale = scale;
    step_.exponentials = room_.get();
    step_.writing = writing;
  }

  /// The row that is taken is the third now, and is written when two more have been.
  void take(const SoftmaxRow& row, const float* fetched) {
    step_.before = step_.now;
    step_.inverse = static_cast<float>(1 / step_.sum);
    step_.now = step_.after;
    step_.largest = step_.largest_after;
    if (step_.now.cols > 0 && step_.largest == -INFINITY) {
      nothing_seen(step_.now);
      step_.now = {};
    }
    step_.after = row;
    step_.fetched = fetched;
    softmax_step(step_);
  }
  void finish() {
    for (int stage = 0; stage < 2; ++stage) take({}, nullptr);
  }

 private:
  /// Only −∞ is seen, or NaN beside it.
  static void nothing_seen(const SoftmaxRow& row) {
    const bool nan = std::any_of(row.x + row.first, row.x + row.end, [](float v) { return std::isnan(v); });
    std::fill_n(row.y, row.cols, 0.0f);
    std::fill(row.y + row.first, row.y + row.end, nan ? NAN : 0.0f);
  }

  simd::AlignedRoom<float> room_;
  SoftmaxStep step_ = {};
};

/// Up to here (4 kB) all ten rows that are under way lie side by side in a first cache of 48 kB.
constexpr Index short_row = 1024;

/// The rows of one thread. What a stage finds of a row, the sum of lanes, say, the next one needs at once: short rows go by
/// turns through two pipelines, so that there is a row of the other between.
class Rows {
 public:
  Rows(tensor::View<const float> x, const Mask& mask, float scale, tensor::View<float> y)
      : x_(x), mask_(mask), y_(y) {
    const Writing writing = simd::is_streamed(y)  ? Writing::past_caches
                            : x.cols <= short_row ? Writing::asked_for
                                                  : Writing::into_caches;
    for (int k = 0; k < (x.cols <= short_row ? 2 : 1); ++k) pipelines_.emplace_back(x.cols, scale, writing);
  }
  /// What is under way comes to its end.
  ~Rows() {
    for (Pipeline& each : pipelines_) each.finish();
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void operator()(Index first, Index end, Index next) {
    for (Index i = first; i < end; ++i) {
      pipelines_[turn_].take(row(i), x_.row(i + 1 < end ? i + 1 : std::min(next, x_.rows - 1)).data());
      if (++turn_ == pipelines_.size()) turn_ = 0;
    }
  }

 private:
  SoftmaxRow row(Index i) const {
    const auto size = [](Index n) { return static_cast<std::size_t>(n); };
    const KeyRange keys = mask_.range(i, x_.rows, x_.cols);
    return {x_.row(i).data(), y_.row(i).data(), size(x_.cols), size(keys.first), size(keys.end)};
  }

  tensor::View<const float> x_;
  const Mask& mask_;
  tensor::View<float> y_;
  std::vector<Pipeline> pipelines_;
  std::size_t turn_ = 0;
};

}  // namespace

template <>
void softmax_cpu(tensor::View<const double> x, const SoftmaxParams& params, tensor::View<double> y) {
  check_softmax(params, x.cols);
  if (params.sink) return softmax_sink_cpu(x, params, y);
  softmax_in_double(x, params, y);
}

template <>
void softmax_cpu(tensor::View<const float> x, const SoftmaxParams& params, tensor::View<float> y) {
  check_softmax(params, x.cols);
  if (x.empty()) return;
  if (params.sink) return softmax_sink_cpu(x, params, y);
  const double scale = std::numbers::log2e / params.temperature;
  if (!(scale > 0x1p-60 && scale < 0x1p60)) return softmax_in_double(x, params, y);

  simd::share_in_turns({.count = x.rows, .size = x.size()},
                       [&] { return Rows(x, params.mask, static_cast<float>(scale), y); });
}

}  // namespace orrery::attention
