#version 430
// The row of a table for each id, one invocation to an element. Contract: core/embedding/embedding.h; twin:
// embedding_cpu.cpp.
#include "lib/bits.glsl"
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer Ids { float ids[]; };
layout(std430, binding = 1) readonly buffer Table { float table[]; };
layout(std430, binding = 2) writeonly buffer Y { float y[]; };

uniform uint count;
uniform uint cols;
uniform float scale;

void main() {
  uint i = element_index();
  if (i >= count) return;
  y[i] = scaled(table[uint(ids[i / cols]) * cols + i % cols], scale);
}
