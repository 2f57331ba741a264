#version 430
// Batch normalisation, one invocation to a column: neighbours read along the rows. Contract:
// core/norm/batch_norm.h; twin: batch_norm_cpu.cpp. Defines: WEIGHT, BIAS when there is one.
#include "lib/bits.glsl"
#include "lib/group.glsl"
#include "lib/twofold.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
#ifdef WEIGHT
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
#endif
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
uniform uint rows;
uniform uint cols;
uniform float eps;

// A running sum and what its roundings left over: the length of a column costs no accuracy.
vec2 compensated(vec2 sum, float v) {
  vec2 next = two_sum(sum.x, v);
  precise float rest = sum.y + next.y;
  return vec2(next.x, rest);
}

void main() {
  uint j = element_index();
  if (j >= cols) return;

  // load
  vec2 extremes = vec2(-INFINITY);  // of x and of -x
  for (uint i = 0u; i < rows; ++i) {
    float v = x[i * cols + j];
    extremes = max(extremes, is_finite(v) ? vec2(v, -v) : vec2(INFINITY));
  }
  float largest = max(extremes.x, extremes.y);
  // The cpu twin sums in double. Here everything is divided by a power of two near the larger of |x| and
  // the root of eps: that is exact, and no square overflows.
  float inverse_scale = 1.0 / power_of_two_below(max(largest, sqrt(eps)));

  // reduce
  vec2 sum = vec2(0.0);
  for (uint i = 0u; i < rows; ++i) sum = compensated(sum, x[i * cols + j] * inverse_scale);
  // Held inside the column's range it is exact for a constant column.
  float mean = clamp((sum.x + sum.y) / float(rows), -extremes.y * inverse_scale, extremes.x * inverse_scale);
  // What rounding the mean left over is found in the same pass as the squares and taken off both.
  vec2 centred_sum = vec2(0.0), square_sum = vec2(0.0);
  for (uint i = 0u; i < rows; ++i) {
    precise float centred = x[i * cols + j] * inverse_scale - mean;
    centred_sum = compensated(centred_sum, centred);
    square_sum = compensated(square_sum, centred * centred);
  }
  float rest = (centred_sum.x + centred_sum.y) / float(rows);
  float variance = max((square_sum.x + square_sum.y) / float(rows) - rest * rest, 0.0);

  // scale
  // An eps too small for a normal number must not become 0: a constant column has variance 0.
  float scaled_eps = eps > 0.0 ? max(eps * inverse_scale * inverse_scale, 1.2e-38) : 0.0;
  float r = 1.0 / sqrt(variance + scaled_eps);
  if (largest == INFINITY) r = NOT_A_NUMBER;

  // store
  for (uint i = 0u; i < rows; ++i) {
    precise float centred = (x[i * cols + j] * inverse_scale - mean) - rest;
    float v = centred * r;
#ifdef WEIGHT
    v *= weight[j];
#endif
#ifdef BIAS
    v += bias[j];
#endif
    y[i * cols + j] = v;
  }
}
