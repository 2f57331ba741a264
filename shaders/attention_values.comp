#version 430
// The means of the values under the weights, one work group to a tile of queries by columns of the values. Contract:
// core/attention/attention.h. Defines: those of lib/mask.glsl.
#include "lib/mask.glsl"
#include "lib/tile.glsl"
#include "lib/twofold.glsl"

layout(std430, binding = 0) readonly buffer P { float p[]; };
layout(std430, binding = 1) readonly buffer V { float v[]; };
layout(std430, binding = 2) writeonly buffer O { float o[]; };

uniform uint width;  // e, of a value

// Marks a key that is hidden: its value is not read, it may be NaN. No weight is negative.
const float HIDDEN = -1.0;

shared float p_tile[TILE][TILE + 1u];
shared float v_tile[TILE][TILE + 1u];

void main() {
  uint row = gl_LocalInvocationID.y, col = gl_LocalInvocationID.x;
  uvec2 first_of_tile = tile_first(width);
  if (first_of_tile.y >= queries) return;
  uint t = first_of_tile.y + row, j = first_of_tile.x + col;

  vec2 mean = vec2(0.0);
  for (uint first = 0u; first < keys; first += TILE) {
    // load
    uint n = first + col;
    p_tile[row][col] = t < queries && n < keys && allowed(t, n) ? p[t * keys + n] : HIDDEN;
    v_tile[row][col] = first + row < keys && j < width ? v[(first + row) * width + j] : 0.0;
    tile_barrier();
    // reduce: a sum of its own for each tile, as in scores.comp
    float sum = 0.0;
    for (uint i = 0u; i < TILE; ++i)
      if (p_tile[row][i] != HIDDEN) sum += p_tile[row][i] * v_tile[i][col];
    mean = compensated(mean, sum);
    barrier();
  }

  // store
  if (t < queries && j < width) o[t * width + j] = total_of(mean);
}
