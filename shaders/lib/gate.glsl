// The two halves of a gated unit: core/activation/gate.h. Defines: ACTIVATION, the name of a function of
// lib/activation.glsl, or `identity`; LIMIT; OFFSET.

#ifdef LIMIT
uniform float limit;
#endif
#ifdef OFFSET
uniform float offset;
#endif

float identity(float a) { return a; }

float activated(float a) {
  if (is_nan(a)) return a;
#ifdef LIMIT
  a = min(a, limit);
#endif
  return ACTIVATION(a);
}

float passed(float b) {
  if (is_nan(b)) return b;
#ifdef LIMIT
  b = clamp(b, -limit, limit);
#endif
#ifdef OFFSET
  b += offset;
#endif
  return b;
}
