#version 430
// Attention scores, one work group to a tile of queries by keys. Contract: core/attention/scores.h; twin:
// scores_cpu.cpp, which sums in double. Defines: those of lib/mask.glsl; CAP; BIAS.
#include "lib/bits.glsl"
#include "lib/mask.glsl"
#include "lib/tile.glsl"
#include "lib/twofold.glsl"
#ifdef CAP
#include "lib/tanh.glsl"
#endif

layout(std430, binding = 0) readonly buffer Q { float q[]; };
layout(std430, binding = 1) readonly buffer K { float k[]; };
layout(std430, binding = 2) writeonly buffer S { float s[]; };
layout(std430, binding = 4) readonly buffer Factor { float factor[]; };  // what the products of a query are scaled by
layout(std430, binding = 5) readonly buffer Bias { float bias[]; };

uniform uint width;  // d
#ifdef CAP
uniform float cap;
#endif

// A column more than the tile: neighbours then lie in different banks of shared memory.
shared float q_tile[TILE][TILE + 1u];
shared float k_tile[TILE][TILE + 1u];

void main() {
  uint row = gl_LocalInvocationID.y, col = gl_LocalInvocationID.x;
  uvec2 first_of_tile = tile_first(keys);
  uint first_key = first_of_tile.x, first_query = first_of_tile.y;
  if (first_query >= queries) return;
  uint t = first_query + row, n = first_key + col;

  vec2 products = vec2(0.0);
  for (uint first = 0u; first < width; first += TILE) {
    // load
    uint j = first + col;
    q_tile[row][col] = t < queries && j < width ? q[t * width + j] : 0.0;
    k_tile[row][col] = first_key + row < keys && j < width ? k[(first_key + row) * width + j] : 0.0;
    tile_barrier();
    // reduce: a sum of its own for each tile, and these without loss, so that errors grow with 16 and not with d
    float sum = 0.0;
    for (uint i = 0u; i < TILE; ++i) sum += q_tile[row][i] * k_tile[col][i];
    products = compensated(products, sum);
    barrier();
  }

  // scale and store
  if (t >= queries || n >= keys) return;
  float score = factor[t] * total_of(products);
#ifdef CAP
  score = cap * tanh_of(score / cap);
#endif
#ifdef BIAS
  score += bias[t * keys + n];
#endif
  s[t * keys + n] = allowed(t, n) ? score : -INFINITY;
}
