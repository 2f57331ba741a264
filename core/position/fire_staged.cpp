#include <cmath>
#include <limits>

#include "core/position/fire.h"

namespace orrery::position {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

using Vector = std::vector<double>;

/// The stages of one precision: what an operation gives is rounded to accumulate, what is kept to storage.
struct Stages {
  tensor::Rounding store, acc;

  explicit Stages(const tensor::Precision& p) : store(p.storage), acc(p.accumulate) {}
  double kept(double x) const { return store(acc(x)); }

  /// ψ of a distance that is stored itself.
  double measure(double c, double distance) const {
    return kept(std::log(kept(1 + kept(store(c) * store(distance)))));
  }

  /// Each row of the weights times a, plus its bias; without what is negative where `relu`.
  Vector layer(const Matrix<double>& weights, const Vector& bias, const Vector& a, bool relu) const {
    Vector y(bias.size());
    for (std::size_t r = 0; r < y.size(); ++r) {
      double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k)
        sum = acc(sum + acc(store(weights(static_cast<Index>(r), static_cast<Index>(k))) * a[k]));
      const double value = kept(sum + store(bias[r]));
      y[r] = relu && value < 0 ? 0 : value;
    }
    return y;
  }
};

}  // namespace

void fire_staged(const FireWeights& w, const FireParams& params, const tensor::Precision& precision,
                 View<double> y) {
  check_fire(params);
  const Stages stages(precision);
  const Index length = y.cols, units = w.width();
  const Matrix<double> w_in = Eigen::Map<const Matrix<double>>(w.w_in.data(), units, 1);
  for (Index m = 0; m < length; ++m) {
    const double reach = stages.measure(params.c, fire_reach(params, m));
    for (Index n = 0; n < length; ++n) {
      const double distance = static_cast<double>(std::abs(m - n));
      const double u = stages.kept(stages.measure(params.c, distance) / reach);
      Vector a = stages.layer(w_in, w.b_in, {u}, true);
      if (w.deep()) a = stages.layer(w.w_mid, w.b_mid, a, true);
      const Vector biases = stages.layer(w.w_out, w.b_out, a, false);
      const bool hidden = n > m && params.direction == Direction::causal;
      for (Index h = 0; h < w.heads(); ++h) {
        y(h * length + m, n) =
            hidden ? -std::numeric_limits<double>::infinity() : biases[static_cast<std::size_t>(h)];
      }
    }
  }
}

}  // namespace orrery::position
