#version 430
// Truncation of logits, one work group to a row. Contract: core/attention/truncation.h; twin: truncation_cpu.cpp. Defines:
// one of TOP_K, TOP_P and MIN_P.
#include "lib/bits.glsl"
#include "lib/exp.glsl"
#include "lib/reduce.glsl"
#include "lib/row.glsl"

#ifdef MIN_P
uniform float least_upper, least_lower;  // of x - largest, in two floats
#else
uniform float limit;  // how much weight may be cut: a count, or a part of all; below 0: nothing
#endif
#ifdef TOP_P
uniform float inverse_upper, inverse_lower;  // of the temperature, in two floats
#endif

// A float as a whole number of the same order that begins at 0.
uint place_of(float v) { return uint(rank_of(v)) ^ 0x80000000u; }

#ifdef TOP_P
float weight_of(float v, float largest) {
  if (rank_of(v) == rank_of(largest)) return 1.0;
  vec2 z = twofold_product(two_sum(v, -largest), vec2(inverse_upper, inverse_lower));
  // Beyond the range of exp the rest is no number.
  return z.x < -110.0 || !is_finite(z.x) ? 0.0 : exp_times(1.0, z.x, z.y);
}
#endif

#ifndef MIN_P
float own(uint j) {
#ifdef TOP_P
  return kept(j);
#else
  return 1.0;
#endif
}

// What all below rank t weigh, and those of rank t that come behind place b.
float weight_cut(uint t, uint b) {
  vec2 sum = vec2(0.0);
  FOR_OWN_ELEMENTS(j) {
    uint rank = place_of(x[row_first() + j]);
    if (rank < t || (rank == t && j > b)) sum = compensated_positive(sum, own(j));
  }
  return reduce_sum(sum);
}
#endif

void main() {
  if (group_index() >= rows) return;

  // load
  ivec2 seen = ivec2(rank_of(-INFINITY), 0);  // the largest, and whether there is a NaN
  FOR_OWN_ELEMENTS(j) {
    float v = x[row_first() + j];
    seen = max(seen, is_nan(v) ? ivec2(seen.x, 1) : ivec2(rank_of(v), 0));
  }
  seen = reduce_max(seen);
  float largest = of_rank(seen.x);
  if (seen.y > 0) {
    FOR_OWN_ELEMENTS(j) y[row_first() + j] = NOT_A_NUMBER;
    return;
  }

#ifdef MIN_P
  // store
  FOR_OWN_ELEMENTS(j) {
    float v = x[row_first() + j];
    vec2 z = two_sum(v, -largest);
    // Where nothing but the largest may stay, the difference may be one that the device reads as zero.
    bool low = least_upper == 0.0 || z.x < least_upper || (z.x == least_upper && z.y < least_lower);
    y[row_first() + j] = low && rank_of(v) != rank_of(largest) ? -INFINITY : v;
  }
#else
  float most = limit;
#ifdef TOP_P
  // reduce
  vec2 parts = vec2(0.0);
  FOR_OWN_ELEMENTS(j) {
    float e = weight_of(x[row_first() + j], largest);
    keep(j, e);
    parts = compensated_positive(parts, e);
  }
  float all = reduce_sum(parts);
  // The largest weighs 1: it is never cut.
  most = min(limit * all, all - 0.5);
  if (limit < 0.0) {
    FOR_OWN_ELEMENTS(j) y[row_first() + j] = x[row_first() + j];
    return;
  }
#endif

  // The highest rank below which all may be cut, bit by bit; then the first place behind which those of that rank may be.
  uint t = 0u;
  for (int bit = 31; bit >= 0; --bit) {
    uint higher = t | (1u << bit);
    if (higher <= place_of(largest) && weight_cut(higher, 0xffffffffu) <= most) t = higher;
  }
  uint places = (2u << findMSB(cols)) - 1u, b = places;
  for (int bit = findMSB(cols); bit >= 0; --bit) {
    uint earlier = b & ~(1u << bit);
    if (weight_cut(t, earlier) <= most) b = earlier;
  }

  // store: kept() may lie in y, so all have done with it first
  memoryBarrierBuffer();
  barrier();
  FOR_OWN_ELEMENTS(j) {
    float v = x[row_first() + j];
    uint rank = place_of(v);
    y[row_first() + j] = rank < t || (rank == t && j > b) ? -INFINITY : v;
  }
#endif
}
