// The derivatives of scores: of Σ g·s by q, k and the bias.
//
//   x = f_t q·k, s = cap·tanh(x/cap) + bias
//   dx = g (1 − tanh²(x/cap))      dq[t] = f_t Σ_n dx[t, n] k[n]      dk[n] = Σ_t f_t dx[t, n] q[t]      dbias = g
//
// A hidden key has the constant score −∞: its g is not read, and nothing flows back.
// Formats    stored in T (float, double), all sums in double.
#pragma once

#include "core/attention/scores.h"

namespace orrery::attention {

/// dq: T × d, dk: S × d, dbias: T × S or empty where nobody asks; all overwritten.
template <class T>
void scores_vjp(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams&,
                tensor::View<const T> g, tensor::View<T> dq, tensor::View<T> dk, tensor::View<T> dbias);

}  // namespace orrery::attention
