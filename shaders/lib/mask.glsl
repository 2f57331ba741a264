// Which keys a query sees: core/attention/mask.h, and the padding of scores.h. Defines: CAUSAL; SLIDING (a causal mask
// with a window); PREFIX (a causal mask but for the first keys); CHUNKED (a causal mask within chunks); DOCUMENTS; PADDING.

// Of every key, where PADDING: 0 if it is hidden; behind that, where DOCUMENTS: the first key of its document.
layout(std430, binding = 3) readonly buffer Keys { float of_keys[]; };

uniform uint queries;
uniform uint keys;
#ifdef SLIDING
uniform int window;
#endif
#ifdef PREFIX
uniform uint prefix;
#endif
#ifdef CHUNKED
uniform int chunk;
#endif

bool allowed(uint t, uint n) {
#ifdef PADDING
  if (of_keys[n] == 0.0) return false;
  const uint documents = keys;
#else
  const uint documents = 0u;
#endif
#ifdef DOCUMENTS
  int position = int(t) + int(keys) - int(queries);
  if (position < 0 || of_keys[documents + uint(position)] != of_keys[documents + n]) return false;
#endif
#ifdef PREFIX
  if (n < prefix) return true;
#endif
#if defined(CAUSAL) || defined(SLIDING) || defined(PREFIX) || defined(CHUNKED)
  int behind = int(t) + int(keys) - int(queries) - int(n);
#ifdef SLIDING
  return behind >= 0 && behind < window;
#elif defined(CHUNKED)
  return behind >= 0 && int(n) / chunk == (int(n) + behind) / chunk;
#else
  return behind >= 0;
#endif
#else
  return true;
#endif
}
