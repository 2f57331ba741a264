#version 430
// Gated linear units, one invocation to an element of the result. Contract: core/activation/glu.h; twin:
// glu_cpu.cpp. Defines: those of lib/gate.glsl; INTERLEAVED (the halves alternate).
#include "lib/activation.glsl"
#include "lib/bits.glsl"
#include "lib/gate.glsl"
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };

uniform uint count;
uniform uint width;
uniform uint gated;  // the half that is activated: 0 or 1

void main() {
  uint i = element_index();
  if (i >= count) return;
  uint row_first = i / width * 2u * width;
  uint j = i % width;
#ifdef INTERLEAVED
  float a = x[row_first + 2u * j + gated], b = x[row_first + 2u * j + (1u - gated)];
#else
  float a = x[row_first + gated * width + j], b = x[row_first + (1u - gated) * width + j];
#endif
  y[i] = activated(a) * passed(b);
}
