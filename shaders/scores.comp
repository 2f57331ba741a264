#version 430
// Attention scores, one work group to a tile of 16 queries by 16 keys. Contract: core/attention/scores.h;
// twin: scores_cpu.cpp, which sums in double. Defines: CAUSAL; SLIDING (a causal mask with a window); PREFIX (a causal
// mask but for the first keys); CAP; BIAS; PADDING.
#include "lib/bits.glsl"
#ifdef CAP
#include "lib/tanh.glsl"
#endif

const uint TILE = 16u;

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430, binding = 0) readonly buffer Q { float q[]; };
layout(std430, binding = 1) readonly buffer K { float k[]; };
layout(std430, binding = 2) writeonly buffer S { float s[]; };
layout(std430, binding = 3) readonly buffer Factor { float factor[]; };  // what the products of a query are scaled by
layout(std430, binding = 4) readonly buffer Bias { float bias[]; };
layout(std430, binding = 5) readonly buffer Padding { float padding[]; };  // 0: hidden

uniform uint queries;
uniform uint keys;
uniform uint width;  // d
#ifdef SLIDING
uniform int window;
#endif
#ifdef PREFIX
uniform uint prefix;
#endif
#ifdef CAP
uniform float cap;
#endif

// A column more than the tile: neighbours then lie in different banks of shared memory.
shared float q_tile[TILE][TILE + 1u];
shared float k_tile[TILE][TILE + 1u];

bool allowed(uint t, uint n) {
#ifdef PADDING
  if (padding[n] == 0.0) return false;
#endif
#ifdef PREFIX
  if (n < prefix) return true;
#endif
#if defined(CAUSAL) || defined(SLIDING) || defined(PREFIX)
  int behind = int(t) + int(keys) - int(queries) - int(n);
#ifdef SLIDING
  return behind >= 0 && behind < window;
#else
  return behind >= 0;
#endif
#else
  return true;
#endif
}

void main() {
  uint tiles = (keys + TILE - 1u) / TILE;
  uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint row = gl_LocalInvocationID.y, col = gl_LocalInvocationID.x;
  uint first_query = tile / tiles * TILE, first_key = tile % tiles * TILE;
  if (first_query >= queries) return;
  uint t = first_query + row, n = first_key + col;

  float dot_product = 0.0;
  for (uint first = 0u; first < width; first += TILE) {
    // load
    uint j = first + col;
    q_tile[row][col] = t < queries && j < width ? q[t * width + j] : 0.0;
    k_tile[row][col] = first_key + row < keys && j < width ? k[(first_key + row) * width + j] : 0.0;
    memoryBarrierShared();
    barrier();
    // reduce: a sum of its own for each tile, so that errors grow with 16 + d/16 and not with d
    float sum = 0.0;
    for (uint i = 0u; i < TILE; ++i) sum += q_tile[row][i] * k_tile[col][i];
    dot_product += sum;
    barrier();
  }

  // scale and store
  if (t >= queries || n >= keys) return;
  float score = factor[t] * dot_product;
#ifdef CAP
  score = cap * tanh_of(score / cap);
#endif
#ifdef BIAS
  score += bias[t * keys + n];
#endif
  s[t * keys + n] = allowed(t, n) ? score : -INFINITY;
}
