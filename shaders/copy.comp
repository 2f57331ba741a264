#version 430
// What every op that memory limits is measured against: as many bytes read and written, and nothing done to them. Four
// floats to an invocation, as drivers copy. Defines: WRITE, for ops that read nothing.
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) writeonly buffer Y { vec4 y[]; };

uniform uint count;  // of vec4

void main() {
  uint i = element_index();
  if (i >= count) return;
#ifdef WRITE
  y[i] = vec4(1.0);
#else
  y[i] = x[i];
#endif
}
