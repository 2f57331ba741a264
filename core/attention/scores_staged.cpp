#include <cmath>

#include "core/attention/scores.h"
#include "core/tensor/interruption.h"

namespace orrery::attention {

using tensor::Index;

void scores_staged(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams& params,
                   const tensor::Precision& precision, tensor::View<double> s,
                   tensor::View<const double> bias) {
  check_scores(params, k.rows);
  const tensor::Rounding store(precision.storage), acc(precision.accumulate);
  for (Index t = 0; t < q.rows; ++t) {
    tensor::interruption_point();
    const double factor = acc(score_factor(params, t, q.rows, k.rows, q.cols));
    for (Index n = 0; n < k.rows; ++n) {
      if (!params.allows(t, n, q.rows, k.rows)) {
        s(t, n) = -INFINITY;
        continue;
      }
      double dot = 0;
      for (Index j = 0; j < q.cols; ++j) dot = acc(dot + acc(store(q(t, j)) * store(k(n, j))));
      double x = store(acc(factor * store(dot)));
      if (params.cap) {
        x = store(acc(x / *params.cap));
        x = store(acc(std::tanh(x)));
        x = store(acc(x * *params.cap));
      }
      if (!bias.empty()) x = store(acc(x + store(bias(t, n))));
      s(t, n) = x;
    }
  }
}

}  // namespace orrery::attention
