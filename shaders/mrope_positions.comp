#version 430
// Where tokens stand on the axes of M-RoPE, one invocation to a token. Contract: core/position/mrope_positions.h; twin:
// mrope_positions_cpu.cpp, where a thread finds the run of its first token as every invocation does here.
#include "lib/group.glsl"

layout(std430, binding = 0) writeonly buffer Y { float y[]; };
// Of each run its first token, the position where it begins, rows and columns of a frame, 0 of text.
layout(std430, binding = 1) readonly buffer Runs { vec4 runs[]; };

uniform uint run_count;
uniform uint tokens;

void main() {
  uint k = element_index();
  if (k >= tokens) return;

  // load
  uint low = 0u, high = run_count;
  while (high - low > 1u) {
    uint middle = (low + high) / 2u;
    if (uint(runs[middle].x) <= k) low = middle;
    else high = middle;
  }
  vec4 run = runs[low];
  uint n = k - uint(run.x), rows = uint(run.z), columns = uint(run.w);

  // count
  uint time = n, row = n, column = n;
  if (columns > 0u) {
    time = n / (rows * columns);
    row = n / columns % rows;
    column = n % columns;
  }

  // store
  y[k] = run.y + float(time);
  y[tokens + k] = run.y + float(row);
  y[2u * tokens + k] = run.y + float(column);
}
