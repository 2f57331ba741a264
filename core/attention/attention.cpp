#include "core/attention/attention.h"

#include <algorithm>
#include <cmath>

namespace orrery::attention {

using tensor::Bound;
using tensor::Index;
using tensor::View;

namespace {

template <class T>
double largest_norm(View<const T> x) {
  double largest = 0;
  for (Index i = 0; i < x.rows; ++i) {
    const double norm = x.eigen().row(i).template cast<double>().norm();
    if (std::isnan(norm)) return norm;
    largest = std::max(largest, norm);
  }
  return largest;
}

/// The largest relative error of a weight: every logit off by δ, the rest of the softmax by a few roundings.
///
/// In double the twins add d products in different orders, 2d·2⁻⁵³ of the logit between them, and the exponent is rounded
/// twice. In float, u = 2⁻²⁴: √d·u for the sum (as in scores.h), 4 u for the rest; exp and the quotient 8 u; and the sum
/// over the keys √S·u (each lane of a vector adds a sixteenth of them, one after the other).
double weight_error(double largest_logit, Index d, Index keys, bool in_float) {
  const double width = static_cast<double>(d), sum = std::sqrt(static_cast<double>(keys));
  const double logit =
      in_float ? (4 + std::sqrt(width)) * 0x1p-24 * largest_logit : (2 * width + 4) * 0x1p-53 * largest_logit;
  const double others = in_float ? (8 + sum) * 0x1p-24 : static_cast<double>(keys) * 0x1p-52;
  return std::expm1(2 * std::min(logit, 100.0)) + others;
}

/// On the gpu: the logit as in scores.h, then what softmax_gpu_bound allows.
double gpu_weight_error(double largest_logit, Index d) {
  return std::expm1(2 * std::min(scores_gpu_bound(d) * largest_logit, 100.0)) + softmax_gpu_bound.rel;
}

}  // namespace

template <class T>
double largest_logit(View<const T> q, View<const T> k, const AttentionParams& params) {
  double factor = 0;
  for (Index t = 0; t < q.rows; ++t)
    factor = std::max(factor, std::abs(score_factor(params.scores, t, q.rows, k.rows, q.cols)));
  return factor / params.softmax.temperature * largest_norm(q) * largest_norm(k);
}

template double largest_logit(View<const float>, View<const float>, const AttentionParams&);
template double largest_logit(View<const double>, View<const double>, const AttentionParams&);

bool attention_in_float(const AttentionParams& params, double largest_logit, bool bias) {
  return largest_logit <= float_logit_limit && !bias && !params.scores.cap && params.scores.padding.empty() &&
         !params.softmax.sink;
}

Bound attention_bound(double largest_logit, Index d, Index keys, bool in_float) {
  const double error = weight_error(largest_logit, d, keys, in_float);
  // A weight is between 0 and 1, so no error exceeds 1. In float a weight below 2⁻¹²⁶ may be flushed to zero.
  if (!(error < 1)) return {.abs = 1, .rel = 0, .nmse = 1};
  const double rel = error + 0x1.0001p-24;
  return {.abs = in_float ? 0x1p-126 : 0x1p-149, .rel = rel, .nmse = rel * rel};
}

Bound attention_bound(double largest_logit, Index d, Index keys, bool in_float, double largest_value) {
  const double error = std::min(2.0, weight_error(largest_logit, d, keys, in_float));
  // |Δo| ≤ Σ |Δp| |v|, with Σ p ≤ 1. The error of the weights counts against the values, which may cancel.
  const double abs = 0x1p-149 + error * largest_value;
  return {.abs = abs, .rel = 0x1.0001p-24, .nmse = 0x1.0002p-48};
}

Bound attention_lse_bound(double largest_logit, Index d, Index keys) {
  Bound bound = softmax_lse_bound(keys, largest_logit);
  bound.abs += (2 * static_cast<double>(d) + 4) * 0x1p-53 * largest_logit;
  return bound;
}

Bound attention_lse_gpu_bound(double largest_logit, Index d, Index keys) {
  Bound bound = softmax_lse_gpu_bound(keys, largest_logit);
  bound.abs += scores_gpu_bound(d) * largest_logit;
  return bound;
}

Bound attention_gpu_bound(double largest_logit, Index d) {
  const double error = gpu_weight_error(largest_logit, d);
  if (!(error < 1)) return {.abs = 1, .rel = 0, .nmse = 1};
  return {.abs = softmax_gpu_bound.abs, .rel = error, .nmse = 2 * (error * error + softmax_gpu_bound.nmse)};
}

Bound attention_gpu_bound(double largest_logit, Index d, Index keys, double largest_value) {
  // u = 2⁻²⁴. The sum over the keys loses 18 u, as in scores.h, products and stores 4 u.
  const auto count = static_cast<double>(keys);
  const double others = 22 * 0x1p-24;
  const double error = std::min(2.0, gpu_weight_error(largest_logit, d) + others);
  // Weights and products below 2⁻¹²⁶ may be flushed to zero.
  return {.abs = 0x1p-125 * (1 + count * (1 + largest_value)) + error * largest_value,
          .rel = 0x1.0001p-24,
          .nmse = 0x1.0002p-48};
}

}  // namespace orrery::attention
