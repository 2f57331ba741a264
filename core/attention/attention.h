// Attention of one head: scores, softmax, and the mean of the values under the weights.
//
//   s = scores(q, k)      p = softmax(s)      o[t] = Σ_n p[t, n] v[n]      lse[t] of s, as in softmax.h
//
// Shapes     q: T × d, k: S × d, v: S × e, p and bias: T × S, o: T × e, lse: T × 1. Heads are calls of their own; with fewer
//            key-value heads than query heads (grouped and multi-query attention) query head h reads head
//            key_value_head(h): neighbours share (repeat_interleave), it is not h modulo their number (tile).
// Formats    stored in T (float, double). cpu: computed in double, rounded once; float by one fused pass in float where
//            attention_in_float says that this is safe, for values whose largest is 0 or from 2⁻⁶⁰ to 2⁴⁰. gpu: float
//            throughout; declines logits beyond float's range.
// Edges      those of scores.h and softmax.h: a query that sees no key gives zeros. What the mask hides is not read,
//            a NaN there does no harm; a NaN in a value that is seen makes its column NaN in the rows that see it.
// Bound      attention_bound: the softmax turns an error δ of a logit into a relative error of the weights of up to
//            e^(2δ) − 1, so it grows with the largest logit (Cauchy–Schwarz: |f| ‖q‖ ‖k‖).
// Stages     of the staged twin: scores.h, softmax.h; then weights as stored times values, each product and sum rounded
//            to accumulate, the result to storage.
// Source     Vaswani et al., arXiv 1706.03762, eq. 1; grouped queries: Ainslie et al., arXiv 2305.13245.
#pragma once

#include "core/attention/scores.h"
#include "core/attention/softmax.h"

namespace orrery::attention {

struct AttentionParams {
  ScoresParams scores;
  SoftmaxParams softmax;
};

constexpr tensor::Index key_value_head(tensor::Index head, tensor::Index heads,
                                       tensor::Index key_value_heads) {
  return head / (heads / key_value_heads);
}

/// No |logit| is larger, before cap and bias and after the temperature; NaN where an input is not finite.
template <class T>
double largest_logit(tensor::View<const T> q, tensor::View<const T> k, const AttentionParams&);

/// Logits up to here need no subtraction of their maximum: e⁴⁰ times a million keys is far from float's largest number.
inline constexpr double float_logit_limit = 40;

/// Whether float inputs may be computed in float: plain masks only, no logit beyond float_logit_limit.
bool attention_in_float(const AttentionParams&, double largest_logit, bool bias);

/// Of p, or of o where `largest_value` is the largest |v|. `in_float`: computed so.
tensor::Bound attention_bound(double largest_logit, tensor::Index d, tensor::Index keys, bool in_float);
tensor::Bound attention_bound(double largest_logit, tensor::Index d, tensor::Index keys, bool in_float,
                              double largest_value);

/// Of lse: a logit's error is its own, whatever the others are. `largest_logit` with bias and sink.
tensor::Bound attention_lse_bound(double largest_logit, tensor::Index d, tensor::Index keys);
tensor::Bound attention_lse_gpu_bound(double largest_logit, tensor::Index d, tensor::Index keys);

/// The same for the gpu.
tensor::Bound attention_gpu_bound(double largest_logit, tensor::Index d);
tensor::Bound attention_gpu_bound(double largest_logit, tensor::Index d, tensor::Index keys,
                                  double largest_value);

/// `bias` may be empty in all of them.
void attention_weights_ref(tensor::View<const double> q, tensor::View<const double> k, const AttentionParams&,
                           tensor::View<double> p, tensor::View<const double> bias = {});
void attention_ref(tensor::View<const double> q, tensor::View<const double> k, tensor::View<const double> v,
                   const AttentionParams&, tensor::View<double> o, tensor::View<const double> bias = {});

/// T is float or double.
template <class T>
void attention_weights_cpu(tensor::View<const T> q, tensor::View<const T> k, const AttentionParams&,
                           tensor::View<T> p, tensor::View<const T> bias = {});
template <class T>
void attention_cpu(tensor::View<const T> q, tensor::View<const T> k, tensor::View<const T> v,
                   const AttentionParams&, tensor::View<T> o, tensor::View<const T> bias = {});

void attention_lse_ref(tensor::View<const double> q, tensor::View<const double> k, const AttentionParams&,
                       tensor::View<double> lse, tensor::View<const double> bias = {});
/// T is float or double.
template <class T>
void attention_lse_cpu(tensor::View<const T> q, tensor::View<const T> k, const AttentionParams&,
                       tensor::View<T> lse, tensor::View<const T> bias = {});
void attention_lse_gpu(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k,
                       const AttentionParams&, tensor::View<float> lse, tensor::View<const float> bias = {});
void attention_lse_staged(tensor::View<const double> q, tensor::View<const double> k, const AttentionParams&,
                          const tensor::Precision&, SoftmaxStages, tensor::View<double> lse,
                          tensor::View<const double> bias = {});

void attention_weights_gpu(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k,
                           const AttentionParams&, tensor::View<float> p,
                           tensor::View<const float> bias = {});
void attention_gpu(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k,
                   tensor::View<const float> v, const AttentionParams&, tensor::View<float> o,
                   tensor::View<const float> bias = {});

void attention_weights_staged(tensor::View<const double> q, tensor::View<const double> k,
                              const AttentionParams&, const tensor::Precision&, SoftmaxStages,
                              tensor::View<double> p, tensor::View<const double> bias = {});
void attention_staged(tensor::View<const double> q, tensor::View<const double> k,
                      tensor::View<const double> v, const AttentionParams&, const tensor::Precision&,
                      SoftmaxStages, tensor::View<double> o, tensor::View<const double> bias = {});

}  // namespace orrery::attention
