#version 430
// Attention scores, one work group to a tile of 16 queries by 16 keys. Contract: core/attention/scores.h;
// twin: scores_cpu.cpp, which sums in double. Defines: CAUSAL; SLIDING (a causal mask with a window).
#include "lib/bits.glsl"

const uint TILE = 16u;

layout(local_size_x = 16, local_size_y = 16) in;

layout(std430, binding = 0) readonly buffer Q { float q[]; };
layout(std430, binding = 1) readonly buffer K { float k[]; };
layout(std430, binding = 2) writeonly buffer S { float s[]; };

uniform uint queries;
uniform uint keys;
uniform uint width;  // d
uniform float scale;
#ifdef SLIDING
uniform int window;
#endif

// A column more than the tile: neighbours then lie in different banks of shared memory.
shared float q_tile[TILE][TILE + 1u];
shared float k_tile[TILE][TILE + 1u];

bool allowed(uint t, uint n) {
#if defined(CAUSAL) || defined(SLIDING)
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
  if (t < queries && n < keys) s[t * keys + n] = allowed(t, n) ? scale * dot_product : -INFINITY;
}
