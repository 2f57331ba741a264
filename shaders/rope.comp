#version 430
// Rotary position embedding, one invocation to a pair (or to a column beside the rotary ones, which is
// copied). Contract: core/position/rope.h; twin: rope_cpu.cpp. Defines: HALF for pairs (i, i + R/2), else
// (2i, 2i + 1).
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer Cos { float cosines[]; };
layout(std430, binding = 3) readonly buffer Sin { float sines[]; };

uniform uint rows;
uniform uint cols;
uniform uint tokens;
uniform uint pairs;
uniform uint first;  // rotary column of a row

void main() {
  uint items = cols - pairs;  // in a row
  uint row = element_index() / items, i = element_index() % items;
  if (row >= rows) return;

  // load
  uint row_start = row * cols;
  if (i >= pairs) {
    uint column = i - pairs < first ? i - pairs : pairs + i;
    y[row_start + column] = x[row_start + column];
    return;
  }
#ifdef HALF
  uint at_a = row_start + first + i, at_b = at_a + pairs;
#else
  uint at_a = row_start + first + 2u * i, at_b = at_a + 1u;
#endif
  float a = x[at_a], b = x[at_b];
  uint at = row % tokens * pairs + i;
  float c = cosines[at], s = sines[at];

  // rotate and store; precise: fused or not, the result would differ from driver to driver
  precise float y_a = c * a - s * b;
  precise float y_b = s * a + c * b;
  y[at_a] = y_a;
  y[at_b] = y_b;
}
