// One head of one sequence: the weights of its keys, the mean of the values, and the way back through both.
//
//   p = softmax(f q kᵀ + bias),  o = p v             by the ops of core/attention
//   dp = g vᵀ,  ds = p ⊙ (dp − D),  D_t = Σ_n p_tn dp_tn = g_t·o_t
//   dq = f ds k,  dk += f dsᵀ q,  dv += pᵀ g,  dbias += ds
//
// Shapes     q: T × d; k: S × d; v: S × e; p: T × S; o, g: T × e.
// Formats    double: the ops, in their order. float: products of blocks of queries by simd::product, of those keys alone that a
//            block can see; D by g·o. A cap on the scores and a factor that goes with ln n go by the ops in float
//            too.
// Source     D: Dao et al., FlashAttention, arXiv 2205.14135, appendix B.
#pragma once

#include "core/attention/attention.h"
#include "core/transformer/layout.h"

namespace orrery::transformer {

template <class T>
struct Head {
  View<const T> q, k, v;
  View<const T> bias;  ///< T × S, or empty
  attention::ScoresParams scores;
};

template <class T>
struct HeadGradients {
  View<T> dq;      ///< overwritten
  View<T> dk, dv;  ///< added to
  View<T> dbias;   ///< added to; empty: nobody asks for it
};

template <class T>
void head_forward(const Head<T>&, View<T> p, View<T> o);

template <class T>
void head_backward(const Head<T>&, View<const T> p, View<const T> o, View<const T> g,
                   const HeadGradients<T>&);

template <>
void head_forward(const Head<float>&, View<float> p, View<float> o);
template <>
void head_forward(const Head<double>&, View<double> p, View<double> o);
template <>
void head_backward(const Head<float>&, View<const float> p, View<const float> o, View<const float> g,
                   const HeadGradients<float>&);
template <>
void head_backward(const Head<double>&, View<const double> p, View<const double> o, View<const double> g,
                   const HeadGradients<double>&);

}  // namespace orrery::transformer
