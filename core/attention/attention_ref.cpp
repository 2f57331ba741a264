#include "core/attention/attention.h"
#include "core/tensor/interruption.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

void attention_weights_ref(View<const double> q, View<const double> k, const AttentionParams& params,
                           View<double> p, View<const double> bias) {
  Matrix<double> scores(q.rows, k.rows);
  scores_ref(q, k, params.scores, scores, bias);
  softmax_ref(scores, params.softmax, p);
}

void attention_lse_ref(View<const double> q, View<const double> k, const AttentionParams& params,
                       View<double> lse, View<const double> bias) {
  Matrix<double> scores(q.rows, k.rows);
  scores_ref(q, k, params.scores, scores, bias);
  softmax_lse_ref(scores, params.softmax, lse);
}

void attention_ref(View<const double> q, View<const double> k, View<const double> v,
                   const AttentionParams& params, View<double> o, View<const double> bias) {
  Matrix<double> weights(q.rows, k.rows);
  attention_weights_ref(q, k, params, weights, bias);
  for (Index t = 0; t < o.rows; ++t) {
    tensor::interruption_point();
    for (Index j = 0; j < o.cols; ++j) {
      o(t, j) = 0;
      for (Index n = 0; n < v.rows; ++n)
        if (params.scores.allows(t, n, q.rows, k.rows)) o(t, j) += weights(t, n) * v(n, j);
    }
  }
}

}  // namespace orrery::attention
