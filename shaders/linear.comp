#version 430
// A layer of a feed-forward network, f(x W + bias), one work group to a tile of tokens by outputs. Contract:
// core/activation/feed_forward.h; twin: feed_forward_cpu.cpp, which sums in double. Defines: BIAS; ACTIVATION, the name
// of a function of lib/activation.glsl; GATED (a gated unit, f of that times x U: lib/gate.glsl) and PASSED_BIAS (x U + it).
#include "lib/bits.glsl"
#include "lib/tile.glsl"
#include "lib/twofold.glsl"
#ifdef ACTIVATION
#include "lib/activation.glsl"
#endif
#ifdef GATED
#include "lib/gate.glsl"
#endif

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer W { float w[]; };
layout(std430, binding = 2) writeonly buffer Y { float y[]; };
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
#ifdef GATED
layout(std430, binding = 4) readonly buffer U { float u[]; };
#endif
#ifdef PASSED_BIAS
layout(std430, binding = 5) readonly buffer PassedBias { float passed_bias[]; };
#endif

uniform uint rows;
uniform uint width;  // of x
uniform uint cols;   // of the result

shared float x_tile[TILE][TILE + 1u];
shared float w_tile[TILE][TILE + 1u];
#ifdef GATED
shared float u_tile[TILE][TILE + 1u];
#endif

void main() {
  uint row = gl_LocalInvocationID.y, col = gl_LocalInvocationID.x;
  uvec2 first_of_tile = tile_first(cols);
  if (first_of_tile.y >= rows) return;
  uint n = first_of_tile.y + row, j = first_of_tile.x + col;

  vec2 parts = vec2(0.0), passing = vec2(0.0);
  for (uint first = 0u; first < width; first += TILE) {
    // load
    uint i = first + col, k = first + row;
    bool inside = k < width && j < cols;
    x_tile[row][col] = n < rows && i < width ? x[n * width + i] : 0.0;
    w_tile[row][col] = inside ? w[k * cols + j] : 0.0;
#ifdef GATED
    u_tile[row][col] = inside ? u[k * cols + j] : 0.0;
#endif
    tile_barrier();
    // reduce: a sum of its own for each tile, and these without loss, so that errors grow with 16 and not with D
    float sum = 0.0, passed_sum = 0.0;
    for (uint i = 0u; i < TILE; ++i) {
      sum += x_tile[row][i] * w_tile[i][col];
#ifdef GATED
      passed_sum += x_tile[row][i] * u_tile[i][col];
#endif
    }
    parts = compensated(parts, sum);
#ifdef GATED
    passing = compensated(passing, passed_sum);
#endif
    barrier();
  }

  // activate and store
  if (n >= rows || j >= cols) return;
  float total = total_of(parts);
#ifdef BIAS
  total += bias[j];
#endif
#if defined(GATED)
  float let_through = total_of(passing);
#ifdef PASSED_BIAS
  let_through += passed_bias[j];
#endif
  total = activated(total) * passed(let_through);
#elif defined(ACTIVATION)
  total = is_nan(total) ? total : ACTIVATION(total);
#endif
  y[n * cols + j] = total;
}
