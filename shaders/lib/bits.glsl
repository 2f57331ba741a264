// Numbers told apart by their bits: GLSL promises neither that isnan() sees a NaN nor that max() passes one on, and a device
// may read numbers below 2^-126 as zero, in comparisons too.

const float INFINITY = uintBitsToFloat(0x7f800000u);
const float NOT_A_NUMBER = uintBitsToFloat(0x7fc00000u);

uint magnitude_bits(float v) { return floatBitsToUint(v) & 0x7fffffffu; }
bool is_nan(float v) { return magnitude_bits(v) > 0x7f800000u; }
bool is_finite(float v) { return magnitude_bits(v) < 0x7f800000u; }

// A float as a whole number of the same order; both zeros are one.
int rank_of(float v) {
  int bits = floatBitsToInt(v);
  return magnitude_bits(v) == 0u ? 0 : bits ^ ((bits >> 31) & 0x7fffffff);
}
float of_rank(int rank) { return intBitsToFloat(rank ^ ((rank >> 31) & 0x7fffffff)); }

// |v| in the same order, a NaN as infinity.
int rank_of_magnitude(float v) { return int(min(magnitude_bits(v), 0x7f800000u)); }

// x * factor, rounded once unless the product is below 2^-126: for an x below that, which a device may read as zero, too.
float scaled(float x, float factor) {
  uint bits = magnitude_bits(x);
  if (bits >= 0x00800000u) return x * factor;
  precise float significand = float(bits) * 1.1920928955078125e-7 * factor;  // 2^-23
  precise float product = significand * 1.1754943508222875e-38;              // 2^-126
  return floatBitsToInt(x) < 0 ? -product : product;
}

// The largest power of two not above v >= 0, held between 2^-126 and 2^126 so that it and its inverse are
// normal numbers. Scaling by it is exact.
float power_of_two_below(float v) {
  return uintBitsToFloat(clamp(floatBitsToUint(v), 0x00800000u, 0x7e800000u) & 0x7f800000u);
}
