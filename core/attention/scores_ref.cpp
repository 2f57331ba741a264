#include <cmath>

#include "core/attention/scores.h"

namespace orrery::attention {

using tensor::Index;

void scores_ref(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams& params,
                tensor::View<double> s) {
  const double scale = scores_scale(params, q.cols);
  for (Index t = 0; t < q.rows; ++t) {
    for (Index n = 0; n < k.rows; ++n) {
      if (!params.mask.allows(t, n, q.rows, k.rows)) {
        s(t, n) = -INFINITY;
        continue;
      }
      double dot = 0;
      for (Index j = 0; j < q.cols; ++j) dot += q(t, j) * k(n, j);
      s(t, n) = scale * dot;
    }
  }
}

}  // namespace orrery::attention
