#include "core/attention/attention_vjp.h"

#include "core/attention/scores_vjp.h"
#include "core/attention/softmax_vjp.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

template <class T>
Matrix<double> in_double(View<const T> x) {
  return x.eigen().template cast<double>();
}

template <class T>
void store(const Matrix<double>& from, View<T> to) {
  if (!to.empty()) to.eigen() = from.template cast<T>();
}

/// y_sink of every query.
std::vector<double> sink_weights(const Matrix<double>& q, const Matrix<double>& k, const Matrix<double>& bias,
                                 const AttentionParams& params) {
  Matrix<double> scores(q.rows(), k.rows());
  scores_cpu<double>(q, k, params.scores, scores, bias);
  return softmax_sink_weights(scores, params.softmax);
}

/// Through the scores: `ds` becomes dq, dk and dbias.
template <class T>
void through_scores(const Matrix<double>& q, const Matrix<double>& k, const Matrix<double>& ds,
                    const AttentionParams& params, const AttentionGradients<T>& to) {
  Matrix<double> dq(q.rows(), q.cols()), dk(k.rows(), k.cols()), dbias(to.dbias.rows, to.dbias.cols);
  scores_vjp<double>(q, k, params.scores, ds, dq, dk, dbias);
  store(dq, to.dq);
  store(dk, to.dk);
  store(dbias, to.dbias);
}

/// A weight that is 0 because its key is hidden takes nothing of what stands there, a NaN neither.
void clear_hidden(const ScoresParams& params, Matrix<double>& dp) {
  if (dp.allFinite()) return;
  for (Index t = 0; t < dp.rows(); ++t)
    for (Index n = 0; n < dp.cols(); ++n)
      if (!params.allows(t, n, dp.rows(), dp.cols())) dp(t, n) = 0;
}

/// Through softmax and scores: `dp` by the weights becomes dq, dk, dbias and dsink.
template <class T>
void through_weights(const Matrix<double>& q, const Matrix<double>& k, const Matrix<double>& bias,
                     const Matrix<double>& weights, Matrix<double> dp, const AttentionParams& params,
                     const AttentionGradients<T>& to) {
  const double temperature = params.softmax.temperature;
  clear_hidden(params.scores, dp);
  if (to.dsink != nullptr)
    *to.dsink = softmax_sink_vjp(weights, sink_weights(q, k, bias, params), temperature, dp);
  softmax_vjp_of_weights<double>(weights, temperature, dp, dp);
  through_scores(q, k, dp, params, to);
}

}  // namespace

template <class T>
void attention_vjp(View<const T> q, View<const T> k, View<const T> v, const AttentionParams& params,
                   View<const T> bias, View<const T> g, const AttentionGradients<T>& to) {
  const Matrix<double> queries = in_double(q), keys = in_double(k), gradient = in_double(g);
  const Matrix<double> added = in_double(bias);
  Matrix<double> weights(q.rows, k.rows);
  attention_weights_cpu<double>(queries, keys, params, weights, added);
  const Matrix<double> dv = weights.transpose() * gradient;
  store(dv, to.dv);
  through_weights(queries, keys, added, weights, gradient * in_double(v).transpose(), params, to);
}

template <class T>
void attention_weights_vjp(View<const T> q, View<const T> k, const AttentionParams& params,
                           View<const T> bias, View<const T> g, const AttentionGradients<T>& to) {
  const Matrix<double> queries = in_double(q), keys = in_double(k), added = in_double(bias);
  Matrix<double> weights(q.rows, k.rows);
  attention_weights_cpu<double>(queries, keys, params, weights, added);
  through_weights(queries, keys, added, weights, in_double(g), params, to);
}

template <class T>
void attention_lse_vjp(View<const T> q, View<const T> k, const AttentionParams& params, View<const T> bias,
                       View<const T> g, const AttentionGradients<T>& to) {
  const Matrix<double> queries = in_double(q), keys = in_double(k), added = in_double(bias),
                       gradient = in_double(g);
  const double temperature = params.softmax.temperature;
  Matrix<double> ds(q.rows, k.rows);
  attention_weights_cpu<double>(queries, keys, params, ds, added);
  softmax_lse_vjp_of_weights(ds, temperature, gradient, ds);
  if (to.dsink != nullptr)
    *to.dsink = softmax_lse_sink_vjp(sink_weights(queries, keys, added, params), temperature, gradient);
  through_scores(queries, keys, ds, params, to);
}

template void attention_vjp(View<const float>, View<const float>, View<const float>, const AttentionParams&,
                            View<const float>, View<const float>, const AttentionGradients<float>&);
template void attention_vjp(View<const double>, View<const double>, View<const double>,
                            const AttentionParams&, View<const double>, View<const double>,
                            const AttentionGradients<double>&);
template void attention_weights_vjp(View<const float>, View<const float>, const AttentionParams&,
                                    View<const float>, View<const float>, const AttentionGradients<float>&);
template void attention_weights_vjp(View<const double>, View<const double>, const AttentionParams&,
                                    View<const double>, View<const double>,
                                    const AttentionGradients<double>&);

template void attention_lse_vjp(View<const float>, View<const float>, const AttentionParams&,
                                View<const float>, View<const float>, const AttentionGradients<float>&);
template void attention_lse_vjp(View<const double>, View<const double>, const AttentionParams&,
                                View<const double>, View<const double>, const AttentionGradients<double>&);

}  // namespace orrery::attention
