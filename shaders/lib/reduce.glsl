// Reductions over the work group: a tree that halves. Every invocation of the group must call, and all get
// the result. Two values at a time cost as many barriers as one.
#include "lib/group.glsl"

shared vec2 reduce_tree[GROUP];

void reduce_barrier() {
  memoryBarrierShared();
  barrier();
}

vec2 reduce_sum(vec2 value) {
  uint lane = gl_LocalInvocationIndex;
  reduce_tree[lane] = value;
  reduce_barrier();
  for (uint width = GROUP / 2u; width > 0u; width /= 2u) {
    if (lane < width) reduce_tree[lane] += reduce_tree[lane + width];
    reduce_barrier();
  }
  vec2 result = reduce_tree[0];
  reduce_barrier();  // nobody may write the tree again before all have read it
  return result;
}

// Not for NaN: see bits.glsl.
vec2 reduce_max(vec2 value) {
  uint lane = gl_LocalInvocationIndex;
  reduce_tree[lane] = value;
  reduce_barrier();
  for (uint width = GROUP / 2u; width > 0u; width /= 2u) {
    if (lane < width) reduce_tree[lane] = max(reduce_tree[lane], reduce_tree[lane + width]);
    reduce_barrier();
  }
  vec2 result = reduce_tree[0];
  reduce_barrier();
  return result;
}

float reduce_sum(float value) { return reduce_sum(vec2(value, 0.0)).x; }
float reduce_max(float value) { return reduce_max(vec2(value, value)).x; }
