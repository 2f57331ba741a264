// Which keys a query sees: core/attention/mask.h, and the padding of scores.h. Defines: CAUSAL; SLIDING (a causal mask
// with a window); PREFIX (a causal mask but for the first keys); PADDING.

layout(std430, binding = 3) readonly buffer Padding { float padding[]; };  // 0: hidden

uniform uint queries;
uniform uint keys;
#ifdef SLIDING
uniform int window;
#endif
#ifdef PREFIX
uniform uint prefix;
#endif

bool allowed(uint t, uint n) {
#ifdef PADDING
  if (padding[n] == 0.0) return false;
#endif
#ifdef PREFIX
  if (n < prefix) return true;
#endif
#if defined(CAUSAL) || defined(SLIDING) || defined(PREFIX)
  int behind = int(t) + int(keys) - int(queries) - int(n);
#ifdef SLIDING
  return behind >= 0 && behind < window;
#else
  return behind >= 0;
#endif
#else
  return true;
#endif
}
