// The derivatives of attention: of Σ g·o (or of Σ g·p) by q, k, v and the bias.
//
//   dp = g vᵀ      ds = p ⊙ (dp − Σ_n p dp)/τ      dv = pᵀ g      and dq, dk, dbias of ds as in scores_vjp.h
//
// Of Σ g·lse: ds = g p/τ, and dq, dk, dbias as above.
// Formats    stored in T (float, double), computed in double. One head; heads that share keys add their dk and dv.
#pragma once

#include "core/attention/attention.h"

namespace orrery::attention {

/// All of them overwritten. dbias may be empty.
template <class T>
struct AttentionGradients {
  tensor::View<T> dq, dk, dv, dbias;
  double* dsink = nullptr;  ///< where there is a sink: see softmax_vjp.h
};

/// T is float or double; g: T × e.
template <class T>
void attention_vjp(tensor::View<const T> q, tensor::View<const T> k, tensor::View<const T> v,
                   const AttentionParams&, tensor::View<const T> bias, tensor::View<const T> g,
                   const AttentionGradients<T>&);

/// Of the weights, g: T × S; dv is not touched.
template <class T>
void attention_weights_vjp(tensor::View<const T> q, tensor::View<const T> k, const AttentionParams&,
                           tensor::View<const T> bias, tensor::View<const T> g, const AttentionGradients<T>&);

/// Of lse, g: T × 1; dv is not touched.
template <class T>
void attention_lse_vjp(tensor::View<const T> q, tensor::View<const T> k, const AttentionParams&,
                       tensor::View<const T> bias, tensor::View<const T> g, const AttentionGradients<T>&);

}  // namespace orrery::attention
