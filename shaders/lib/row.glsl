// A row of a matrix, one work group to a row. Its values stay in shared memory between the passes of an op,
// so that each is read once and written once; rows that are too long for that are kept in their place in y.
// Every invocation touches only the elements j = lane, lane + GROUP, ..., so no barrier is needed between
// keep() and kept().
#include "lib/group.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };

uniform uint rows;
uniform uint cols;

const uint ROW_SHARED = 4096u;

shared float row_values[ROW_SHARED];

uint row_first() { return group_index() * cols; }

void keep(uint j, float v) {
  if (cols <= ROW_SHARED) row_values[j] = v;
  else y[row_first() + j] = v;
}

float kept(uint j) { return cols <= ROW_SHARED ? row_values[j] : y[row_first() + j]; }

#define FOR_OWN_ELEMENTS(j) for (uint j = gl_LocalInvocationIndex; j < cols; j += GROUP)
