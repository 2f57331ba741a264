// Reductions over the work group, in two steps: 16 invocations take 16 values each, then every one takes those 16. Every
// invocation of the group must call, and all get the result. Two values at a time cost as many barriers as one; a barrier
// costs more than the handful of additions that it would save, on software drivers most of all.
#include "lib/bits.glsl"
#include "lib/group.glsl"
#include "lib/twofold.glsl"

const uint REDUCERS = 16u;

shared vec4 reduce_values[GROUP];
shared vec4 reduce_partial[REDUCERS];
shared ivec2 reduce_ranks[GROUP];
shared ivec2 reduce_partial_ranks[REDUCERS];

// Two are enough: who writes reduce_values again has passed the second, and who writes reduce_partial again the next first.
void reduce_barrier() {
  memoryBarrierShared();
  barrier();
}

// 16 values two by two: each goes through four roundings.
vec2 sum_of_partial() {
  vec2 sums[8];
  for (uint i = 0u; i < 8u; ++i) sums[i] = reduce_partial[i].xy + reduce_partial[i + 8u].xy;
  for (uint i = 0u; i < 4u; ++i) sums[i] += sums[i + 4u];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

// Of a sum as lib/twofold.glsl has it. Where each invocation waits for 16 others nothing is lost; all then take what they
// found, where it would cost 256 times as much, in five roundings.
float reduce_sum(vec2 value) {
  uint lane = gl_LocalInvocationIndex;
  reduce_values[lane].xy = value;
  reduce_barrier();
  if (lane < REDUCERS) {
    vec2 sum = reduce_values[lane].xy;
    for (uint i = lane + REDUCERS; i < GROUP; i += REDUCERS) sum = compensated(sum, reduce_values[i].xy);
    reduce_partial[lane].xy = vec2(total_of(sum), 0.0);
  }
  reduce_barrier();
  return sum_of_partial().x;
}

// Of two of them: the sums in xy and zw.
vec2 reduce_sums(vec4 values) {
  uint lane = gl_LocalInvocationIndex;
  reduce_values[lane] = values;
  reduce_barrier();
  if (lane < REDUCERS) {
    vec4 sums = reduce_values[lane];
    for (uint i = lane + REDUCERS; i < GROUP; i += REDUCERS)
      sums = vec4(compensated(sums.xy, reduce_values[i].xy), compensated(sums.zw, reduce_values[i].zw));
    reduce_partial[lane].xy = vec2(total_of(sums.xy), total_of(sums.zw));
  }
  reduce_barrier();
  return sum_of_partial();
}

// Of numbers by their ranks (bits.glsl).
ivec2 reduce_max(ivec2 ranks) {
  uint lane = gl_LocalInvocationIndex;
  reduce_ranks[lane] = ranks;
  reduce_barrier();
  if (lane < REDUCERS) {
    ivec2 largest = reduce_ranks[lane];
    for (uint i = lane + REDUCERS; i < GROUP; i += REDUCERS) largest = max(largest, reduce_ranks[i]);
    reduce_partial_ranks[lane] = largest;
  }
  reduce_barrier();
  ivec2 result = reduce_partial_ranks[0];
  for (uint i = 1u; i < REDUCERS; ++i) result = max(result, reduce_partial_ranks[i]);
  return result;
}

int reduce_max(int rank) { return reduce_max(ivec2(rank)).x; }
