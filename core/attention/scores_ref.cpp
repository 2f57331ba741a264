#include <cmath>

#include "core/attention/scores.h"
#include "core/tensor/interruption.h"

namespace orrery::attention {

using tensor::Index;

void scores_ref(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams& params,
                tensor::View<double> s, tensor::View<const double> bias) {
  check_scores(params, k.rows);
  for (Index t = 0; t < q.rows; ++t) {
    tensor::interruption_point();
    const double factor = score_factor(params, t, q.rows, k.rows, q.cols);
    for (Index n = 0; n < k.rows; ++n) {
      if (!params.allows(t, n, q.rows, k.rows)) {
        s(t, n) = -INFINITY;
        continue;
      }
      double dot = 0;
      for (Index j = 0; j < q.cols; ++j) dot += q(t, j) * k(n, j);
      s(t, n) = params.capped(factor * dot);
      if (!bias.empty()) s(t, n) += bias(t, n);
    }
  }
}

}  // namespace orrery::attention
