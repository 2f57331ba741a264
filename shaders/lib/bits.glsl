// Numbers told apart by their bits: GLSL promises neither that isnan() sees a NaN
// nor that max() passes one on.

const float INFINITY = uintBitsToFloat(0x7f800000u);
const float NOT_A_NUMBER = uintBitsToFloat(0x7fc00000u);

uint magnitude_bits(float v) { return floatBitsToUint(v) & 0x7fffffffu; }
bool is_nan(float v) { return magnitude_bits(v) > 0x7f800000u; }
bool is_finite(float v) { return magnitude_bits(v) < 0x7f800000u; }

// The largest power of two not above v >= 0, held between 2^-126 and 2^126 so that it and its inverse are
// normal numbers. Scaling by it is exact.
float power_of_two_below(float v) {
  return uintBitsToFloat(clamp(floatBitsToUint(v), 0x00800000u, 0x7e800000u) & 0x7f800000u);
}
