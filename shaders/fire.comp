#version 430
// The biases of FIRE for a few heads, one invocation to a query and a key: a small network of their distance. Contract:
// core/position/fire.h; twin: fire.cpp, which computes in double. Defines: CAUSAL; DEEP for a second hidden layer.
#include "lib/bits.glsl"
#include "lib/group.glsl"

layout(std430, binding = 0) writeonly buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer Distance { float psi[]; };  // of each distance
layout(std430, binding = 2) readonly buffer Reach { float inverse_reach[]; };  // of each query
// Layers: each row holds what multiplies the inputs of a unit, and then what is added.
layout(std430, binding = 3) readonly buffer First { vec2 first_layer[]; };
layout(std430, binding = 4) readonly buffer Last { float last_layer[]; };
#ifdef DEEP
layout(std430, binding = 5) readonly buffer Middle { float middle_layer[]; };
#endif

uniform uint heads;
uniform uint tokens;
uniform uint units;
uniform uint first_head;  // of those that share this pass through the hidden layers

const uint TOGETHER = 8u;

// NaN stays NaN, which compilers forget of a plain comparison.
float relu(float v) { return is_nan(v) ? v : max(v, 0.0); }

float first_unit(uint i, float u) { return relu(first_layer[i].x * u + first_layer[i].y); }

float hidden_unit(uint i, float u) {
#ifdef DEEP
  uint row = i * (units + 1u);
  float sum = middle_layer[row + units];
  for (uint j = 0u; j < units; ++j) sum += middle_layer[row + j] * first_unit(j, u);
  return relu(sum);
#else
  return first_unit(i, u);
#endif
}

void main() {
  uint at = element_index();
  uint query = at / tokens, key = at % tokens;
  if (query >= tokens) return;
#ifdef CAUSAL
  bool hidden = key > query;
#else
  bool hidden = false;
#endif
  float u = psi[key > query ? key - query : query - key] * inverse_reach[query];

  float bias[TOGETHER];
  uint row[TOGETHER];  // of the last layer
  for (uint h = 0u; h < TOGETHER; ++h) {
    row[h] = min(first_head + h, heads - 1u) * (units + 1u);
    bias[h] = last_layer[row[h] + units];
  }
  for (uint i = 0u; i < units && !hidden; ++i) {
    float a = hidden_unit(i, u);
    for (uint h = 0u; h < TOGETHER; ++h) bias[h] += last_layer[row[h] + i] * a;
  }
  for (uint h = 0u; h < TOGETHER; ++h) {
    if (first_head + h >= heads) break;
    y[((first_head + h) * tokens + query) * tokens + key] = hidden ? -INFINITY : bias[h];
  }
}
