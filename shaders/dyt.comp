#version 430
// Dynamic tanh, one invocation to an element. Contract: core/norm/dyt.h; twin: dyt_cpu.cpp. Defines: WEIGHT,
// BIAS when there is one.
#include "lib/group.glsl"
#include "lib/tanh.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
#ifdef WEIGHT
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
#endif
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
uniform uint count;
uniform uint cols;
uniform float alpha;

void main() {
  uint i = element_index();
  if (i >= count) return;
  float v = tanh_of(scaled(x[i], alpha));
#ifdef WEIGHT
  v *= weight[i % cols];
#endif
#ifdef BIAS
  v += bias[i % cols];
#endif
  y[i] = v;
}
