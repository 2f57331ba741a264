#version 430
// ScaleNorm, one work group to a row. Contract: core/norm/scale_norm.h; twin: scale_norm_cpu.cpp.
#include "lib/bits.glsl"
#include "lib/reduce.glsl"
#include "lib/row.glsl"

uniform float gain;
uniform float eps;

void main() {
  if (group_index() >= rows) return;

  // load
  int largest = 0;
  FOR_OWN_ELEMENTS(j) {
    float v = x[row_first() + j];
    keep(j, v);
    largest = max(largest, rank_of_magnitude(v));
  }
  // The cpu twin sums in double. Here everything is divided by a power of two near the larger of |x| and
  // eps: that is exact, and no square overflows.
  float inverse_scale = 1.0 / power_of_two_below(max(of_rank(reduce_max(largest)), eps));

  // reduce
  vec2 sum = vec2(0.0);
  FOR_OWN_ELEMENTS(j) {
    float v = scaled(kept(j), inverse_scale);
    sum = compensated_positive(sum, v * v);
  }
  float norm = sqrt(reduce_sum(sum));

  // scale
  float r = is_nan(norm) ? norm : 1.0 / max(norm, eps * inverse_scale);

  // store
  FOR_OWN_ELEMENTS(j) y[row_first() + j] = gain * (scaled(kept(j), inverse_scale) * r);
}
