// FIRE: a small network turns the distance, measured against how far the query can look back, into each head's bias.
//
//   u = ψ(|m − n|) / ψ(max(m, threshold)),  ψ(x) = ln(c x + 1)          0 … 1 for n ≤ m, whatever the length
//   a = max(0, w_in u + b_in), and where there is a second layer a ← max(0, W_mid a + b_mid)
//   b[h, m, n] = W_out a + b_out
//   causal: −∞ for n > m
//
// Shapes     w_in, b_in: M (the hidden width); W_mid: M × M, b_mid: M; W_out: H × M, b_out: H, as PyTorch's Linear
//            stores them; y: (H L) × L as in relative_bias.h. Positions m, n count from 0.
// Formats    cpu: every product and sum in double; the result is rounded once to T. gpu: ψ in double, the network in
//            float.
// Edges      c ≤ 0, threshold ≤ 0: InvalidArgument. NaN in a weight goes where that weight goes.
// Bound      cpu: relative_bias_bound, against fire_ref. gpu: fire_gpu_bound, relative to the network of the weights'
//            magnitudes; where that leaves float's range nothing is promised.
// Stages     of the staged twin, as eager frameworks have them: distances, c, the threshold and the weights stored; c d,
//            1 + c d, its logarithm and u each rounded to accumulate and stored; in the layers every product and sum
//            rounded to accumulate, the bias added last, then stored.
// VJP        of the weights, by the chain rule; the unit at exactly 0 passes nothing on. Summed in double.
// Source     Li et al., "Functional interpolation for relative positions", arXiv 2310.04418, equation 2 and its
//            listing (c = 0.1, threshold = 512 to start with, M = 32).
#pragma once

#include <vector>

#include "core/position/relative_bias.h"
#include "core/tensor/precision.h"

namespace orrery::position {

struct FireParams {
  double c = 0.1;
  double threshold = 512;  ///< tokens
  Direction direction = Direction::causal;
};

/// A network 1 → M → (M →) H. In double: the weights of any format are exact in it.
struct FireWeights {
  std::vector<double> w_in, b_in;
  tensor::Matrix<double> w_mid = {};  ///< empty: one hidden layer
  std::vector<double> b_mid = {};
  tensor::Matrix<double> w_out;
  std::vector<double> b_out;

  tensor::Index heads() const { return w_out.rows(); }
  tensor::Index width() const { return w_out.cols(); }
  bool deep() const { return w_mid.size() > 0; }
};

/// Throws InvalidArgument for numbers outside of their range.
void check_fire(const FireParams&);
/// ψ, and the distance that a query at m is measured against.
double fire_measure(const FireParams&, double distance);
double fire_reach(const FireParams&, tensor::Index m);
/// u of a query at m and a key at n.
double fire_distance(tensor::Index m, tensor::Index n, const FireParams&);

/// u = 2⁻²⁴: √M u for the sum of each layer, 4 u for its products and for u. abs: what is below 2⁻¹²⁶ may be flushed to
/// zero, a product in each unit. llvmpipe uses 70 %.
tensor::Bound fire_gpu_bound(const FireWeights&);
/// What it is relative to: the biases that the magnitudes of all weights give.
void fire_magnitude(const FireWeights&, const FireParams&, tensor::View<double> y);

void fire_ref(const FireWeights&, const FireParams&, tensor::View<double> y);
/// T is float or double.
template <class T>
void fire_cpu(const FireWeights&, const FireParams&, tensor::View<T> y);

void fire_gpu(gpu::Device&, const FireWeights&, const FireParams&, tensor::View<float> y);

void fire_staged(const FireWeights&, const FireParams&, const tensor::Precision&, tensor::View<double> y);

/// The derivatives of Σ g·y by every weight, in the weights' shapes.
FireWeights fire_vjp(const FireWeights&, const FireParams&, tensor::View<const double> g);

}  // namespace orrery::position
