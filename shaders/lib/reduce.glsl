// Reductions over the work group, in two steps: 16 invocations take 16 values each, then every one takes those 16. Every
// invocation of the group must call, and all get the result. Two values at a time cost as many barriers as one; a barrier
// costs more than the handful of additions that it would save, on software drivers most of all.
#include "lib/group.glsl"

const uint REDUCERS = 16u;

shared vec2 reduce_values[GROUP];
shared vec2 reduce_partial[REDUCERS];

// Two are enough: who writes reduce_values again has passed the second, and who writes reduce_partial again the next first.
void reduce_barrier() {
  memoryBarrierShared();
  barrier();
}

vec2 reduce_sum(vec2 value) {
  uint lane = gl_LocalInvocationIndex;
  reduce_values[lane] = value;
  reduce_barrier();
  if (lane < REDUCERS) {
    vec2 sum = reduce_values[lane];
    for (uint i = lane + REDUCERS; i < GROUP; i += REDUCERS) sum += reduce_values[i];
    reduce_partial[lane] = sum;
  }
  reduce_barrier();
  vec2 total = reduce_partial[0];
  for (uint i = 1u; i < REDUCERS; ++i) total += reduce_partial[i];
  return total;
}

// Not for NaN: see bits.glsl.
vec2 reduce_max(vec2 value) {
  uint lane = gl_LocalInvocationIndex;
  reduce_values[lane] = value;
  reduce_barrier();
  if (lane < REDUCERS) {
    vec2 largest = reduce_values[lane];
    for (uint i = lane + REDUCERS; i < GROUP; i += REDUCERS) largest = max(largest, reduce_values[i]);
    reduce_partial[lane] = largest;
  }
  reduce_barrier();
  vec2 result = reduce_partial[0];
  for (uint i = 1u; i < REDUCERS; ++i) result = max(result, reduce_partial[i]);
  return result;
}

float reduce_sum(float value) { return reduce_sum(vec2(value, 0.0)).x; }
float reduce_max(float value) { return reduce_max(vec2(value, value)).x; }
