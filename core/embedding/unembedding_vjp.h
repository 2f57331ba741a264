// The derivatives of the logits y = x · tableᵀ:
//
//   dx = g · table,   dtable = gᵀ · x
//
// A tied table's whole derivative is this one plus the embedding's.
#pragma once

#include "core/embedding/unembedding.h"

namespace orrery::embedding {

/// T is float or double; summed in double, rounded once.
template <class T>
void unembedding_vjp(tensor::View<const T> x, tensor::View<const T> table, tensor::View<const T> g,
                     tensor::View<T> dx, tensor::View<T> dtable);

}  // namespace orrery::embedding
