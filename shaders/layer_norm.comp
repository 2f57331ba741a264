#version 430
// Layer normalisation, one work group to a row. Contract: core/norm/layer_norm.h; twin: layer_norm_cpu.cpp.
// Defines: WEIGHT, BIAS when there is one; ANNOTATED for the second formula; GROUPS where a row is one of the groups of a
// token, as in core/norm/group_norm.h: the weights of the groups lie one after another.
#include "lib/bits.glsl"
#include "lib/reduce.glsl"
#include "lib/row.glsl"

#ifdef WEIGHT
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
#endif
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
uniform float eps;

#ifdef GROUPS
uniform uint groups;
uint column(uint j) { return group_index() % groups * cols + j; }
#else
uint column(uint j) { return j; }
#endif

void main() {
  if (group_index() >= rows) return;

  // load
  ivec2 extremes = ivec2(rank_of(-INFINITY));  // of x and, turned round, of x
  FOR_OWN_ELEMENTS(j) {
    float v = x[row_first() + j];
    keep(j, v);
    extremes = max(extremes, is_finite(v) ? ivec2(rank_of(v), ~rank_of(v)) : ivec2(rank_of(INFINITY)));
  }
  extremes = reduce_max(extremes);
  float highest = of_rank(extremes.x), lowest = of_rank(~extremes.y);
  float largest = of_rank(max(rank_of_magnitude(highest), rank_of_magnitude(lowest)));
  // The cpu twin sums in double. Here everything is divided by a power of two near the larger of |x| and
  // the root of eps: that is exact, and no square overflows.
#ifdef ANNOTATED
  float scale = power_of_two_below(max(largest, eps));
#else
  float scale = power_of_two_below(max(largest, sqrt(eps)));
#endif
  float inverse_scale = 1.0 / scale;

  // reduce
  vec2 sum = vec2(0.0);
  FOR_OWN_ELEMENTS(j) sum = compensated(sum, scaled(kept(j), inverse_scale));
  // Rounding may carry the mean out of the row's range; held inside, it is exact for a constant row.
  float mean = clamp(reduce_sum(sum) / float(cols), scaled(lowest, inverse_scale), scaled(highest, inverse_scale));
  // In float the mean is known to one rounding only. What it leaves over in the centred values is found in
  // the same pass as their squares and taken off both, so that a mean far larger than the spread costs no
  // accuracy.
  vec2 centred_sum = vec2(0.0), square_sum = vec2(0.0);
  FOR_OWN_ELEMENTS(j) {
    precise float centred = scaled(kept(j), inverse_scale) - mean;
    centred_sum = compensated(centred_sum, centred);
    square_sum = compensated_positive(square_sum, centred * centred);
  }
  vec2 sums = reduce_sums(vec4(centred_sum, square_sum)) / float(cols);
  float rest = sums.x;
  float variance = max(sums.y - rest * rest, 0.0);

  // scale
  // Beside values near 1 an eps too small for a normal number changes nothing, but it must not become 0: a
  // constant row of huge values has variance 0.
#ifdef ANNOTATED
  float scaled_eps = eps > 0.0 ? max(eps * inverse_scale, 1.2e-38) : 0.0;
  float r = 1.0 / (sqrt(variance * (float(cols) / float(cols - 1u))) + scaled_eps);
  if (cols == 1u) r = NOT_A_NUMBER;
#else
  float scaled_eps = eps > 0.0 ? max(eps * inverse_scale * inverse_scale, 1.2e-38) : 0.0;
  float r = 1.0 / sqrt(variance + scaled_eps);
#endif
  if (largest == INFINITY) r = NOT_A_NUMBER;

  // store
  FOR_OWN_ELEMENTS(j) {
    precise float centred = (scaled(kept(j), inverse_scale) - mean) - rest;
    float v = centred * r;
#ifdef WEIGHT
    v *= weight[column(j)];
#endif
#ifdef BIAS
    v += bias[column(j)];
#endif
    y[row_first() + j] = v;
  }
}
