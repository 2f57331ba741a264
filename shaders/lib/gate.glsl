// The two halves of a gated unit: core/activation/gate.h. Defines: ACTIVATION, the name of a function of
// lib/activation.glsl, or `identity`; LIMIT; OFFSET.

#ifdef LIMIT
uniform float limit;
#endif
#ifdef OFFSET
uniform float offset_upper, offset_lower;  // in two floats: what is let through may cancel it
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
  precise float near = b + offset_upper;
  b = near + offset_lower;
#endif
  return b;
}
