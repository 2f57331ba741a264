#include "app/study/activation/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm_vjp.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using tensor::Index;
using twin::Matrix;

Matrix normed(const Run& run, const Matrix& x, NormBetween norm) {
  if (norm == NormBetween::layer_norm) return twin::layer_norm(run, x, {});
  if (norm == NormBetween::rms_norm) return twin::rms_norm(run, x, {});
  return x;
}

/// The norm's derivative at x times g. Without weights it is a symmetric matrix: the same for changes and for gradients.
Matrix norm_vjp(const Matrix& x, const Matrix& g, NormBetween norm) {
  if (norm == NormBetween::nothing) return g;
  Matrix dx(x.rows(), x.cols());
  if (norm == NormBetween::layer_norm)
    norm::layer_norm_vjp<double>(x, {}, g, {}, {.x = dx, .weight = {}, .bias = {}});
  else
    norm::rms_norm_vjp<double>(x, {}, g, {}, {.x = dx, .weight = {}});
  return dx;
}

/// What one layer keeps for the way back.
struct Layer {
  Matrix w, v;        // v only on the residual stream
  double gained = 0;  // the size of what a rounding of this layer is multiplied by
};

}  // namespace

Flow flow_through(const Run& run, const NetworkShape& shape, std::uint64_t seed) {
  const Index n = shape.width;
  const auto normals = [&](std::uint32_t stream, Index rows) {
    return tensor::Random(seed, stream).normals(rows, n);
  };
  Flow flow;
  flow.values.push_back(twin::rounded(normals(0, shape.inputs)));
  std::vector<Matrix> changes{normals(1, shape.inputs)};
  std::vector<Layer> layers;
  for (Index l = 0; l < shape.depth; ++l) {
    run.check();
    const Matrix& x = flow.values.back();
    const auto stream = static_cast<std::uint32_t>(3 + 2 * l);
    Layer layer{.w = shape.deviation * normals(stream, n), .v = {}};
    if (shape.residual) layer.v = shape.outgoing * normals(stream + 1, n);
    const Matrix h = normed(run, x, shape.norm) * layer.w;
    if (l == 0) flow.first_inputs = h;
    flow.slopes.push_back(h.unaryExpr([&](double at) { return activation::derivative(shape.kind, at); }));
    const Matrix entering = norm_vjp(x, changes.back(), shape.norm);
    const Matrix y = twin::activation(run, h, shape.kind),
                 change = flow.slopes.back().cwiseProduct(entering * layer.w);
    layer.gained = layer.w.norm() * entering.norm();
    flow.values.push_back(shape.residual ? Matrix(x + y * layer.v) : y);
    changes.push_back(shape.residual ? Matrix(changes.back() + change * layer.v) : change);
    layers.push_back(std::move(layer));
  }

  flow.gradients.assign(layers.size() + 1, normals(2, shape.inputs));
  // Every product of two n × n matrices is off by up to n roundings of the product of their sizes; slopes are at most 2.
  double slack = 0;
  const double unit = 8 * static_cast<double>(n + 16) * 0x1p-53;
  for (std::size_t l = layers.size(); l-- > 0;) {
    run.check();
    const Layer& layer = layers[l];
    const Matrix& above = flow.gradients[l + 1];
    const Matrix at_function = shape.residual ? Matrix(above * layer.v.transpose()) : above;
    const Matrix through = flow.slopes[l].cwiseProduct(at_function) * layer.w.transpose();
    const Matrix below = norm_vjp(flow.values[l], through, shape.norm);
    flow.gradients[l] = shape.residual ? Matrix(above + below) : below;
    const double out = shape.residual ? layer.v.norm() : 1;
    slack += unit * (2 * out * layer.gained * above.norm() + above.norm() * changes[l + 1].norm() +
                     flow.gradients[l].norm() * changes[l].norm());
  }
  const auto product = [&](std::size_t l) { return flow.gradients[l].cwiseProduct(changes[l]).sum(); };
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const double off = std::abs(product(l) - product(layers.size()));
    flow.adjoint = off > flow.adjoint || std::isnan(off) ? off : flow.adjoint;
  }
  flow.adjoint_slack = slack;
  return flow;
}

}  // namespace orrery::study
