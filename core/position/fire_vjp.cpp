#include "core/position/fire.h"

namespace orrery::position {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

using Column = Eigen::VectorXd;
using Weights = Eigen::Map<const Column>;

FireWeights zeros_like(const FireWeights& w) {
  FireWeights d;
  d.w_in.assign(w.w_in.size(), 0);
  d.b_in.assign(w.b_in.size(), 0);
  d.w_mid = Matrix<double>::Zero(w.w_mid.rows(), w.w_mid.cols());
  d.b_mid.assign(w.b_mid.size(), 0);
  d.w_out = Matrix<double>::Zero(w.w_out.rows(), w.w_out.cols());
  d.b_out.assign(w.b_out.size(), 0);
  return d;
}

Weights view(const std::vector<double>& v) {
  return {v.data(), static_cast<Index>(v.size())};
}

void add(std::vector<double>& to, const Column& v) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += v[static_cast<Index>(k)];
}

/// Where the unit is on.
Column through_relu(const Column& gradient, const Column& unit) {
  return (unit.array() > 0).select(gradient, 0);
}

}  // namespace

FireWeights fire_vjp(const FireWeights& w, const FireParams& params, View<const double> g) {
  check_fire(params);
  FireWeights d = zeros_like(w);
  const Index length = g.cols;
  Column gradient(w.heads());
  for (Index m = 0; m < length; ++m) {
    for (Index n = 0; n < length; ++n) {
      if (n > m && params.direction == Direction::causal) continue;
      for (Index h = 0; h < w.heads(); ++h) gradient[h] = g(h * length + m, n);
      const double u = fire_distance(m, n, params);
      const Column a = (view(w.w_in) * u + view(w.b_in)).cwiseMax(0);
      const Column last = w.deep() ? Column((w.w_mid * a + view(w.b_mid)).cwiseMax(0)) : a;

      d.w_out += gradient * last.transpose();
      add(d.b_out, gradient);
      Column back = through_relu(w.w_out.transpose() * gradient, last);
      if (w.deep()) {
        d.w_mid += back * a.transpose();
        add(d.b_mid, back);
        back = through_relu(w.w_mid.transpose() * back, a);
      }
      add(d.w_in, back * u);
      add(d.b_in, back);
    }
  }
  return d;
}

}  // namespace orrery::position
