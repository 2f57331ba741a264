// FIRE: a small network turns the distance, measured against how far the query can look back, into each head's bias.
//
//   u = ψ(|m − n|) / ψ(max(m, threshold)),  ψ(x) = ln(c x + 1)          0 … 1 for n ≤ m, whatever the length
//   a = max(0, w_in u + b_in), and where there is a second layer a ← max(0, W_mid a + b_mid)
//   b[h, m, n] = W_out a + b_out
//   causal: −∞ for n > m
//
// Shapes     w_in, b_in: M (the hidden width); W_mid: M × M, b_mid: M; W_out: H × M, b_out: H, as PyTorch's Linear
//            stores them; y: (H L) × L as in relative_bias.h. Positions m, n count from 0.
// Formats    every product and sum in double, in all twins; the result is rounded once to T.
// Edges      c ≤ 0, threshold ≤ 0: InvalidArgument. NaN in a weight goes where that weight goes.
// Bound      relative_bias_bound, against fire_ref. There is no gpu twin: the device declines.
// VJP        of the weights, by the chain rule; the unit at exactly 0 passes nothing on. Summed in double.
// Source     Li et al., "Functional interpolation for relative positions", arXiv 2310.04418, equation 2 and its
//            listing (c = 0.1, threshold = 512 to start with, M = 32).
#pragma once

#include <span>
#include <vector>

#include "core/position/relative_bias.h"

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
/// u of a query at m and a key at n.
double fire_distance(tensor::Index m, tensor::Index n, const FireParams&);

void fire_ref(const FireWeights&, const FireParams&, tensor::View<double> y);
/// T is float or double.
template <class T>
void fire_cpu(const FireWeights&, const FireParams&, tensor::View<T> y);

/// The derivatives of Σ g·y by every weight, in the weights' shapes.
FireWeights fire_vjp(const FireWeights&, const FireParams&, tensor::View<const double> g);

}  // namespace orrery::position
