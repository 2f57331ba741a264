// What rotary positions do to a gradient, and the permutation between their two layouts.
//
//   dx_a = c g_a + s g_b,   dx_b = c g_b − s g_a        the transpose: a turn by −m θ_i, and the same factor
//
// The table is the forward one, with all that was multiplied into it (attention factor, xPos). Columns beside the
// rotary ones pass the gradient on. dx may be g. Shapes and edges as in rope.h.
#pragma once

#include <vector>

#include "core/position/rope.h"

namespace orrery::position {

/// T is float or double.
template <class T>
void rope_vjp(tensor::View<const T> g, tensor::View<const T> cos, tensor::View<const T> sin, RopeLayout,
              tensor::View<T> dx, tensor::Index first = 0);

/// half[j] = interleaved[p[j]], p = rope_permutation(R): what q and k projections must be permuted by, row by row, when
/// weights made for one layout are read by code of the other. Throws InvalidArgument for an odd or negative R.
std::vector<tensor::Index> rope_permutation(tensor::Index rotary_dim);

}  // namespace orrery::position
