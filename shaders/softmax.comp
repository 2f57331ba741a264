#version 430
// Softmax, one work group to a row. Contract: core/attention/softmax.h; twin: softmax_cpu.cpp. Defines: those of
// lib/mask.glsl; SINK.
#include "lib/bits.glsl"
#include "lib/exp.glsl"
#include "lib/mask.glsl"
#include "lib/reduce.glsl"
#include "lib/row.glsl"

uniform float temperature;
#ifdef SINK
uniform float sink;
#endif

void main() {
  if (group_index() >= rows) return;

  // load
  float largest = -INFINITY;
  FOR_OWN_ELEMENTS(j) {
    float v = allowed(group_index(), j) ? x[row_first() + j] : -INFINITY;
    keep(j, v);
    largest = max(largest, is_nan(v) ? INFINITY : v);
  }
  // A largest value of +inf means that there is a +inf or a NaN; one of -inf, that all is masked.
  largest = reduce_max(largest);
#ifdef SINK
  largest = max(largest, sink);
#endif
  bool masked = largest == -INFINITY;

  // reduce
  float sum = 0.0;
  FOR_OWN_ELEMENTS(j) {
    float e = masked || largest == INFINITY ? 0.0 : exp_of_negative((kept(j) - largest) / temperature);
    keep(j, e);
    sum += e;
  }
  sum = reduce_sum(sum);
#ifdef SINK
  sum += largest == INFINITY ? 0.0 : exp_of_negative((sink - largest) / temperature);
#endif

  // scale
  float r = masked ? 0.0 : 1.0 / sum;
  if (largest == INFINITY) r = NOT_A_NUMBER;

  // store
  FOR_OWN_ELEMENTS(j) y[row_first() + j] = allowed(group_index(), j) ? kept(j) * r : 0.0;
}
