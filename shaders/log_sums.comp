#version 430
// Of stretches of rows of products the largest and the sum of exponentials beside it, one work group to a row and a stretch.
// Contract: core/attention/log_sums.h; twin: the tiles of core/attention/weight_map.cpp.
#include "lib/bits.glsl"
#include "lib/exp.glsl"
#include "lib/reduce.glsl"

layout(std430, binding = 0) readonly buffer Q { float q[]; };
layout(std430, binding = 1) readonly buffer K { float k[]; };                  // width × keys
layout(std430, binding = 2) readonly buffer Stretches { float stretch[]; };    // first and end of each
layout(std430, binding = 3) readonly buffer Seen { float seen[]; };            // of each row
layout(std430, binding = 4) writeonly buffer Found { float found[]; };         // largest and sum

uniform uint rows, stretches, keys, width;
uniform float scale;

const uint MOST_OWN = 16u;  // keys of an invocation: 4096 of a tile

// A sum of its own for each 16 terms, and these without loss, as scores.comp has it.
float product_of(uint row, uint n) {
  vec2 products = vec2(0.0);
  for (uint first = 0u; first < width; first += 16u) {
    float sum = 0.0;
    uint end = min(first + 16u, width);
    for (uint j = first; j < end; ++j) sum += q[row * width + j] * k[j * keys + n];
    products = compensated(products, sum);
  }
  return total_of(products);
}

void main() {
  if (group_index() >= rows * stretches) return;
  uint row = group_index() / stretches, of = group_index() % stretches;
  uint first = uint(max(stretch[2u * of], seen[2u * row])), end = uint(min(stretch[2u * of + 1u], seen[2u * row + 1u]));

  // load
  float own[MOST_OWN];
  ivec2 most = ivec2(rank_of(-INFINITY), 0);  // the largest, and whether there is a NaN
  for (uint i = 0u; i < MOST_OWN; ++i) {
    uint n = first + gl_LocalInvocationIndex + i * GROUP;
    own[i] = n < end ? product_of(row, n) : -INFINITY;
    most = max(most, is_nan(own[i]) ? ivec2(most.x, 1) : ivec2(rank_of(own[i]), 0));
  }
  most = reduce_max(most);
  float largest = of_rank(most.x);
  bool nothing = largest == -INFINITY;

  // reduce
  vec2 parts = vec2(0.0);
  for (uint i = 0u; i < MOST_OWN; ++i) {
    if (nothing || own[i] == -INFINITY || is_nan(own[i])) continue;
    precise float beside = own[i] - largest;
    precise float z = scale * beside;
    parts = compensated_positive(parts, exp_of_negative(z));
  }
  float sum = reduce_sum(parts);

  // store
  if (gl_LocalInvocationIndex != 0u) return;
  bool no_number = most.y > 0;
  found[2u * group_index()] = no_number ? NOT_A_NUMBER : largest;
  found[2u * group_index() + 1u] = no_number ? NOT_A_NUMBER : sum;
}
