#include "core/attention/scores_vjp.h"

#include <cmath>

#include "core/simd/share.h"

namespace orrery::attention {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

/// dq and dk, pair by pair: what is hidden takes no part, where 0 · NaN would be NaN.
void add_seen(const Matrix<double>& dx, const Matrix<double>& queries, const Matrix<double>& keys,
              const ScoresParams& params, Matrix<double>& by_q, Matrix<double>& by_k) {
  by_q = Matrix<double>::Zero(queries.rows(), queries.cols());
  by_k = Matrix<double>::Zero(keys.rows(), keys.cols());
  for (Index t = 0; t < dx.rows(); ++t)
    for (Index n = 0; n < dx.cols(); ++n) {
      if (!params.allows(t, n, dx.rows(), dx.cols())) continue;
      by_q.row(t) += dx(t, n) * keys.row(n);
      by_k.row(n) += dx(t, n) * queries.row(t);
    }
}

}  // namespace

template <class T>
void scores_vjp(View<const T> q, View<const T> k, const ScoresParams& params, View<const T> g, View<T> dq,
                View<T> dk, View<T> dbias) {
  check_scores(params, k.rows);
  const Matrix<double> queries = q.eigen().template cast<double>(), keys = k.eigen().template cast<double>();
  Matrix<double> dx = Matrix<double>::Zero(q.rows, k.rows);  // with f_t in it

  simd::share_in_turns({.count = q.rows, .size = dx.size() * q.cols / 2}, [&] {
    return [&](Index first, Index end) {
      for (Index t = first; t < end; ++t) {
        const double factor = score_factor(params, t, q.rows, k.rows, q.cols);
        for (Index n = 0; n < k.rows; ++n) {
          const bool seen = params.allows(t, n, q.rows, k.rows);
          if (!dbias.empty()) dbias(t, n) = seen ? g(t, n) : T(0);
          if (!seen) continue;
          double slope = 1;
          if (params.cap) {
            const double tanh = std::tanh(factor * queries.row(t).dot(keys.row(n)) / *params.cap);
            slope = 1 - tanh * tanh;
          }
          dx(t, n) = factor * slope * static_cast<double>(g(t, n));
        }
      }
    };
  });
  Matrix<double> by_q, by_k;
  if (keys.allFinite() && queries.allFinite() && dx.allFinite()) {
    by_q = dx * keys;
    by_k = dx.transpose() * queries;
  } else {
    add_seen(dx, queries, keys, params, by_q, by_k);
  }
  dq.eigen() = by_q.template cast<T>();
  dk.eigen() = by_k.template cast<T>();
}

template void scores_vjp(View<const float>, View<const float>, const ScoresParams&, View<const float>,
                         View<float>, View<float>, View<float>);
template void scores_vjp(View<const double>, View<const double>, const ScoresParams&, View<const double>,
                         View<double>, View<double>, View<double>);

}  // namespace orrery::attention
