#include "core/transformer/head.h"

#include "core/attention/scores_vjp.h"
#include "core/attention/softmax_vjp.h"
#include "core/transformer/arithmetic.h"
#include "core/transformer/head_float.h"

namespace orrery::transformer {
namespace {

template <class T>
void forward_by_ops(const Head<T>& head, View<T> p, View<T> o) {
  attention::attention_weights_cpu<T>(head.q, head.k, {.scores = head.scores, .softmax = {}}, p, head.bias);
  product<T>(p, head.v, o);
}

template <class T>
void backward_by_ops(const Head<T>& head, View<const T> p, View<const T> g, const HeadGradients<T>& to) {
  Matrix<T> ds(p.rows, p.cols), dk(to.dk.rows, to.dk.cols);
  product_with_transposed<T>(g, head.v, {}, ds);
  add_transposed_product<T>(p, g, to.dv);
  attention::softmax_vjp_of_weights<T>(p, 1, ds, ds);
  attention::scores_vjp<T>(head.q, head.k, head.scores, ds, to.dq, dk, {});
  add<T>(dk, to.dk);
  // A hidden key has the weight 0, and its ds is 0.
  if (!to.dbias.empty()) add<T>(ds, to.dbias);
}

}  // namespace

template <>
void head_forward(const Head<double>& head, View<double> p, View<double> o) {
  forward_by_ops(head, p, o);
}

template <>
void head_backward(const Head<double>& head, View<const double> p, View<const double> /*o*/,
                   View<const double> g, const HeadGradients<double>& to) {
  backward_by_ops(head, p, g, to);
}

template <>
void head_forward(const Head<float>& head, View<float> p, View<float> o) {
  if (head.scores.cap || head.scores.log_n) return forward_by_ops(head, p, o);
  head_forward_in_blocks(head, p, o);
}

template <>
void head_backward(const Head<float>& head, View<const float> p, View<const float> o, View<const float> g,
                   const HeadGradients<float>& to) {
  if (head.scores.cap || head.scores.log_n) return backward_by_ops(head, p, g, to);
  head_backward_in_blocks(head, p, o, g, to);
}

}  // namespace orrery::transformer
