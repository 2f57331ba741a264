#version 430
// A bias that depends on the distance of key and query alone, one invocation to an element. Contract:
// core/position/relative_bias.h; twin: relative_bias_cpu.cpp. Values travel as bits: an infinity arrives as it
// was sent.
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer V { uint v[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };

uniform uint heads;
uniform uint tokens;

void main() {
  uint at = element_index();
  uint key = at % tokens, row = at / tokens;
  uint query = row % tokens, head = row / tokens;
  if (head >= heads) return;
  y[at] = v[head * (2u * tokens - 1u) + (tokens - 1u + key - query)];
}
