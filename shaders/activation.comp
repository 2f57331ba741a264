#version 430
// Activation functions, one invocation to an element. Contract: core/activation/activation.h; twin:
// activation_cpu.cpp. Defines: ACTIVATION, the name of a function of lib/activation.glsl.
#include "lib/activation.glsl"
#include "lib/bits.glsl"
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };

uniform uint count;

void main() {
  uint i = element_index();
  if (i >= count) return;
  float v = x[i];
  y[i] = is_nan(v) ? v : ACTIVATION(v);
}
