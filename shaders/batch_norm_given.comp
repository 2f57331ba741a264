#version 430
// Batch normalisation by given statistics, one invocation to an element. Contract: core/norm/batch_norm.h; twin:
// batch_norm_cpu.cpp. Defines: WEIGHT, BIAS when there is one.
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
#ifdef WEIGHT
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
#endif
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
layout(std430, binding = 4) readonly buffer Mean { float mean[]; };
layout(std430, binding = 5) readonly buffer Variance { float variance[]; };
uniform uint rows;
uniform uint cols;
uniform float eps;

void main() {
  uint i = element_index();
  if (i >= rows * cols) return;
  uint j = i % cols;
  float v = (x[i] - mean[j]) / sqrt(variance[j] + eps);
#ifdef WEIGHT
  v *= weight[j];
#endif
#ifdef BIAS
  v += bias[j];
#endif
  y[i] = v;
}
