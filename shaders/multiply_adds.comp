#version 430
// What every op that arithmetic limits is measured against: multiply-adds with nothing to load. Eight sums of four floats
// run side by side; TURNS rounds of them are 4096 operations to an invocation.
#include "lib/group.glsl"

layout(std430, binding = 0) writeonly buffer Y { float y[]; };

const uint TURNS = 64u;
const uint SUMS = 8u;

uniform uint count;    // invocations
uniform float factor;  // a number that the compiler cannot know

void main() {
  if (element_index() >= count) return;
  vec4 sums[SUMS];
  for (uint k = 0u; k < SUMS; ++k) sums[k] = vec4(float(k + gl_LocalInvocationIndex));
  for (uint i = 0u; i < TURNS; ++i)
    for (uint k = 0u; k < SUMS; ++k) sums[k] = sums[k] * factor + factor;
  vec4 total = vec4(0.0);
  for (uint k = 0u; k < SUMS; ++k) total += sums[k];
  y[gl_LocalInvocationIndex] = total.x + total.y + total.z + total.w;
}
