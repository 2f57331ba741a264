#version 430
// Sinusoidal position table, one invocation to a (position, pair). Contract: core/position/sinusoidal.h.
// Defines: SPLIT for sines in the first half of a row and cosines in the second, else they alternate.
//
// Where sinusoidal_cpu.cpp turns a pair from row to row in double, this adds two angles whose sines and
// cosines come from tables made in double: row r = coarse * step_rows + fine. GLSL's own sin and cos are
// never asked. The table entries are sums of two floats, so that the result is rounded once, as on the cpu.
#include "lib/group.glsl"
#include "lib/twofold.glsl"

layout(std430, binding = 0) writeonly buffer Y { float y[]; };
// Angles as cos upper, cos lower, sin upper, sin lower.
layout(std430, binding = 1) readonly buffer Coarse { vec4 coarse_angles[]; };
layout(std430, binding = 2) readonly buffer Fine { vec4 fine_angles[]; };

uniform uint rows;
uniform uint pairs;
uniform uint step_rows;

void main() {
  uint row = element_index() / pairs, i = element_index() % pairs;
  if (row >= rows) return;

  // load
  vec4 coarse = coarse_angles[row / step_rows * pairs + i];
  vec4 fine = fine_angles[row % step_rows * pairs + i];

  // rotate
  float sine = rounded_sum(twofold_product(coarse.zw, fine.xy), twofold_product(coarse.xy, fine.zw));
  float cosine = rounded_sum(twofold_product(coarse.xy, fine.xy), -twofold_product(coarse.zw, fine.zw));

  // store
  uint first = row * 2u * pairs;
#ifdef SPLIT
  y[first + i] = sine;
  y[first + pairs + i] = cosine;
#else
  y[first + 2u * i] = sine;
  y[first + 2u * i + 1u] = cosine;
#endif
}
