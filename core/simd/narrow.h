// y += a·b in float for a b of few columns: the mean of the values under the weights of attention, and its derivatives, where a
// head is 16 or 64 columns wide. product.h packs b by panels of a few vectors, of which a narrow b leaves most empty.
//
// Each element is a sum in the order of the terms, in fused multiply-adds, added to y once. Nothing is shared out over threads.
#pragma once

#include <cstdint>

namespace orrery::simd {

/// Columns that b and y must have room for, to the right of those that count: whole vectors.
std::int64_t narrow_width(std::int64_t columns);

struct NarrowProduct {
  const float* a;
  std::int64_t a_row, a_term;       ///< element (i, j) at a[i · a_row + j · a_term]
  const float* b;                   ///< row j at b + j · width
  float* y;                         ///< row i at y + i · width
  std::int64_t rows, terms, width;  ///< width: a narrow_width
};
void add_narrow_product(const NarrowProduct&);

/// Of attention: ds = p ⊙ (g vᵀ − mean), a row of g, p and ds for each query, `mean` one number for each.
struct WeightsBack {
  const float* g;
  std::int64_t g_step, queries;
  const float*
      v_turned;  ///< row j holds column j of v: `keys` numbers that count, and room for narrow_width(keys)
  std::int64_t v_step, width, keys;  ///< width: columns of g and of v
  const float* p;
  std::int64_t p_step;
  const float* mean;
  float* ds;
  std::int64_t ds_step;
};
void weights_back(const WeightsBack&);

}  // namespace orrery::simd
