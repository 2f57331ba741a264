#version 430
// Root-mean-square normalisation, one work group to a row. Contract: core/norm/rms_norm.h; twin:
// rms_norm_cpu.cpp. Defines: WEIGHT, BIAS when there is one; EPS_OUTSIDE for the second formula.
#include "lib/bits.glsl"
#include "lib/reduce.glsl"
#include "lib/row.glsl"

#ifdef WEIGHT
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
uniform float weight_offset;
#endif
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
uniform uint counted;  // columns that the root mean square is taken over
uniform float eps;

void main() {
  if (group_index() >= rows) return;

  // load
  int largest = 0;
  FOR_OWN_ELEMENTS(j) {
    float v = x[row_first() + j];
    keep(j, v);
    if (j < counted) largest = max(largest, rank_of_magnitude(v));
  }
  // The cpu twin sums in double. Here everything is divided by a power of two near the larger of |x| and
  // the root of eps: that is exact, and no square overflows.
#ifdef EPS_OUTSIDE
  float scale = power_of_two_below(max(of_rank(reduce_max(largest)), eps));
#else
  float scale = power_of_two_below(max(of_rank(reduce_max(largest)), sqrt(eps)));
#endif
  float inverse_scale = 1.0 / scale;

  // reduce
  vec2 sum = vec2(0.0);
  FOR_OWN_ELEMENTS(j) {
    float v = scaled(kept(j), inverse_scale);
    if (j < counted) sum = compensated_positive(sum, v * v);
  }
  float mean_square = reduce_sum(sum) / float(counted);

  // scale
#ifdef EPS_OUTSIDE
  float r = 1.0 / (sqrt(mean_square) + eps * inverse_scale);
#else
  float r = 1.0 / sqrt(mean_square + eps * inverse_scale * inverse_scale);
#endif

  // store
  FOR_OWN_ELEMENTS(j) {
    float v = scaled(kept(j), inverse_scale) * r;
#ifdef WEIGHT
    v *= weight_offset + weight[j];
#endif
#ifdef BIAS
    v += bias[j];
#endif
    y[row_first() + j] = v;
  }
}
