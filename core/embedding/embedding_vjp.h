// The derivative of a look-up by its table: each row of the gradient is added to the row that was read.
//
//   dtable[v] = s Σ_{n: id_n = v} g[n]
#pragma once

#include "core/embedding/embedding.h"

namespace orrery::embedding {

/// T is float or double; summed in double, in the order of the ids, rounded once. dtable is written whole: rows that no
/// id names are zero.
template <class T>
void embedding_vjp(std::span<const tensor::Index> ids, tensor::View<const T> g, Scale,
                   tensor::View<T> dtable);

}  // namespace orrery::embedding
