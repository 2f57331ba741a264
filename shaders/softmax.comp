#version 430
// Softmax, one work group to a row. Contract: core/attention/softmax.h; twin: softmax_cpu.cpp. Defines: those of
// lib/mask.glsl; SINK; TEMPERATURE where it is not 1; LSE: y is the logarithm of each row's sum, not the weights.
#include "lib/bits.glsl"
#include "lib/exp.glsl"
#ifdef LSE
#include "lib/log.glsl"
#endif
#include "lib/mask.glsl"
#include "lib/reduce.glsl"
#include "lib/row.glsl"

#ifdef TEMPERATURE
uniform float inverse_upper, inverse_lower;  // of the temperature, in two floats
#endif
#ifdef SINK
uniform float sink_upper, sink_lower;  // in two floats
#endif

// exp((x - largest) / temperature). An error of the exponent is a relative error of the result, and where many keys have
// one x they share it: so the exponent is carried in two floats.
float exponential(vec2 x, float largest) {
  if (x.x == -INFINITY) return 0.0;
  vec2 z = two_sum(x.x, -largest);
  z.y += x.y;
#ifdef TEMPERATURE
  z = twofold_product(z, vec2(inverse_upper, inverse_lower));
#endif
  // Beyond the range of exp the rest is no number.
  return z.x < -110.0 ? 0.0 : exp_times(1.0, z.x, z.y);
}

float visible(uint j) { return allowed(group_index(), j) ? x[row_first() + j] : -INFINITY; }

#ifdef LSE
// y has one number for a row, and no room for rows that shared memory does not hold: they are read again.
void remember(uint j, float v) {}
float remembered(uint j) { return visible(j); }
#else
void remember(uint j, float v) { keep(j, v); }
float remembered(uint j) { return kept(j); }
#endif

void main() {
  if (group_index() >= rows) return;

  // load
  ivec2 most = ivec2(rank_of(-INFINITY), 0);  // the largest, a NaN as infinity, and whether there is a NaN
  FOR_OWN_ELEMENTS(j) {
    float v = visible(j);
    remember(j, v);
    most = max(most, is_nan(v) ? ivec2(rank_of(INFINITY), 1) : ivec2(rank_of(v), 0));
  }
  // A largest value of +inf means that there is a +inf or a NaN; one of -inf, that all is masked.
  most = reduce_max(most);
  float largest = of_rank(most.x);
#ifdef SINK
  largest = max(largest, sink_upper);
#endif
  bool masked = largest == -INFINITY;

  // reduce
  vec2 parts = vec2(0.0);
  FOR_OWN_ELEMENTS(j) {
    float e = masked || largest == INFINITY ? 0.0 : exponential(vec2(remembered(j), 0.0), largest);
    remember(j, e);
    parts = compensated_positive(parts, e);
  }
  float sum = reduce_sum(parts);
#ifdef SINK
  sum += largest == INFINITY ? 0.0 : exponential(vec2(sink_upper, sink_lower), largest);
#endif

#ifdef LSE
  if (gl_LocalInvocationIndex != 0u) return;
  if (most.y > 0) {
    y[group_index()] = NOT_A_NUMBER;
  } else if (masked || largest == INFINITY) {
    y[group_index()] = largest;
  } else {
    int exponent;
    float significand = frexp(sum, exponent);  // from 1/2 to 1
    float logarithm = float(exponent - 1) * 0.69314718 + log1p(2.0 * significand - 1.0);
#ifdef TEMPERATURE
    y[group_index()] = largest * inverse_upper + (largest * inverse_lower + logarithm);
#else
    y[group_index()] = largest + logarithm;
#endif
  }
#else
  // scale
  float r = masked ? 0.0 : 1.0 / sum;
  if (largest == INFINITY) r = NOT_A_NUMBER;

  // store
  FOR_OWN_ELEMENTS(j) y[row_first() + j] = allowed(group_index(), j) ? kept(j) * r : 0.0;
#endif
}
