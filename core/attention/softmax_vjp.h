// The derivative of softmax: of Σ g·y by x.
//
//   dx_j = y_j (g_j − Σ_n y_n g_n)/τ
//
// With a sink the same, and by the sink itself, whose weight is what the row leaves of 1:
//
//   dsink = −y_sink Σ_n y_n g_n/τ, summed over the rows      y_sink = exp((sink − m)/τ)/(exp((sink − m)/τ) + Σ e)
//
// y_sink is 1 − Σ_n y_n, but where the sink takes little that difference has no digit.
// Of Σ g·lse, one g to a row:
//
//   dx_j = g y_j/τ        dsink = Σ g y_sink/τ, over the rows
//
// A fully masked row gives zeros.
// Formats    stored in T (float, double), computed in double from x itself, not from rounded weights.
#pragma once

#include <span>
#include <vector>

#include "core/attention/softmax.h"

namespace orrery::attention {

/// All N × S; dx may be g or x.
template <class T>
void softmax_vjp(tensor::View<const T> x, const SoftmaxParams&, tensor::View<const T> g, tensor::View<T> dx);

/// The same where the weights y are known already. dx may be g or y.
template <class T>
void softmax_vjp_of_weights(tensor::View<const T> y, double temperature, tensor::View<const T> g,
                            tensor::View<T> dx);

/// g: N × 1. dx may be x.
template <class T>
void softmax_lse_vjp(tensor::View<const T> x, const SoftmaxParams&, tensor::View<const T> g,
                     tensor::View<T> dx);
/// The same where the weights y are known already. dx may be y.
void softmax_lse_vjp_of_weights(tensor::View<const double> y, double temperature,
                                tensor::View<const double> g, tensor::View<double> dx);

/// y_sink of every row of x; there must be a sink.
std::vector<double> softmax_sink_weights(tensor::View<const double> x, const SoftmaxParams&);

/// The derivative by the sink of all rows, whose weights are y and `of_sink`.
double softmax_sink_vjp(tensor::View<const double> y, std::span<const double> of_sink, double temperature,
                        tensor::View<const double> g);

/// That of Σ g·lse.
double softmax_lse_sink_vjp(std::span<const double> of_sink, double temperature,
                            tensor::View<const double> g);

}  // namespace orrery::attention
