#version 430
// One pass of a norm that is made of passes, each of them through memory: core/bench/norm_passes_on_device.h. Defines, one of:
// MEAN of every row; LESS_MEAN, x less that of its row; SQUARE; OVER_ROOT, x over the root of the mean square of its row;
// TIMES and PLUS, each column's own number.
#include "lib/reduce.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer Second { float second[]; };  // by row, or by column

uniform uint rows;
uniform uint cols;
#ifdef OVER_ROOT
uniform float eps;
#endif

void main() {
#ifdef MEAN
  uint row = group_index();
  if (row >= rows) return;
  vec2 sum = vec2(0.0);
  for (uint j = gl_LocalInvocationIndex; j < cols; j += GROUP) sum = compensated(sum, x[row * cols + j]);
  float mean = reduce_sum(sum) / float(cols);
  if (gl_LocalInvocationIndex == 0u) y[row] = mean;
#else
  uint i = element_index();
  if (i >= rows * cols) return;
  float v = x[i];
#if defined(LESS_MEAN)
  y[i] = v - second[i / cols];
#elif defined(SQUARE)
  y[i] = v * v;
#elif defined(OVER_ROOT)
  y[i] = v / sqrt(second[i / cols] + eps);
#elif defined(TIMES)
  y[i] = v * second[i % cols];
#elif defined(PLUS)
  y[i] = v + second[i % cols];
#endif
#endif
}
