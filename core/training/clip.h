// The gradient made shorter where it is longer than c: g·min(1, c/|g|), |g| over all parameters at once.
// Pascanu, Mikolov, Bengio 2013, algorithm 1. (PyTorch divides by |g| + 1e-6.)
#pragma once

#include <span>

namespace orrery::training {

/// |g|, summed in double in the order of the parameters.
template <class T>
double norm_of(std::span<const T> gradient);

/// Returns |g| as it was. Where that is no finite number nothing is changed: the caller leaves the step out.
template <class T>
double clip(std::span<T> gradient, double longest);

}  // namespace orrery::training
