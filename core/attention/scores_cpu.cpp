#include <algorithm>
#include <cmath>

#include "core/attention/scores_block.h"
#include "core/tensor/reduce.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

template <class T>
void ScoresByBlock<T>::operator()(Index start, View<double> s) const {
  const Index T_all = q_.rows, S = keys_.rows();
  // One range of keys that holds those of every query in the block: both its ends only ever grow.
  const Index first = params_.mask.range(start, T_all, S).first;
  const Index end = params_.mask.range(start + s.rows - 1, T_all, S).end;
  const Matrix<double> queries = q_.eigen().middleRows(start, s.rows).template cast<double>();
  Matrix<double> dots(s.rows, end - first);
  dots.noalias() = queries * keys_.middleRows(first, end - first).transpose();

  for (Index i = 0; i < s.rows; ++i) {
    const Index t = start + i;
    const KeyRange seen = params_.mask.range(t, T_all, S);
    const double factor = score_factor(params_, t, T_all, S, q_.cols);
    double* row = s.row(i).data();
    std::fill(row, row + seen.first, -INFINITY);
    for (Index n = seen.first; n < seen.end; ++n) row[n] = factor * dots(i, n - first);
    std::fill(row + seen.end, row + S, -INFINITY);
    if (params_.cap)
      for (Index n = seen.first; n < seen.end; ++n) row[n] = params_.capped(row[n]);
    if (!bias_.empty())
      for (Index n = seen.first; n < seen.end; ++n) row[n] += static_cast<double>(bias_(t, n));
    if (!params_.padding.empty())
      for (Index n = seen.first; n < seen.end; ++n)
        if (params_.padding[static_cast<std::size_t>(n)] == 0) row[n] = -INFINITY;
  }
}

template class ScoresByBlock<float>;
template class ScoresByBlock<double>;

template <class T>
void scores_cpu(View<const T> q, View<const T> k, const ScoresParams& params, View<T> s, View<const T> bias) {
  check_scores(params, k.rows);
  if (s.empty()) return;
  const ScoresByBlock<T> scores(q, k, params, bias);

#pragma omp parallel if (q.rows * k.rows * q.cols > tensor::small_work)
  {
    Matrix<double> block(std::min(query_block, q.rows), k.rows);
#pragma omp for schedule(dynamic)
    for (Index start = 0; start < q.rows; start += query_block) {
      const View<double> rows(block.data(), std::min(query_block, q.rows - start), k.rows);
      scores(start, rows);
      for (Index i = 0; i < rows.rows; ++i)
        std::transform(rows.row(i).begin(), rows.row(i).end(), s.row(start + i).begin(),
                       [](double x) { return static_cast<T>(x); });
    }
  }
}

template void scores_cpu(View<const float>, View<const float>, const ScoresParams&, View<float>,
                         View<const float>);
template void scores_cpu(View<const double>, View<const double>, const ScoresParams&, View<double>,
                         View<const double>);

}  // namespace orrery::attention
