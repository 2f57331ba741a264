// Values carried as an unevaluated sum of two floats, for arguments of exp that must be known to more than 24 bits, and for
// sums whose length may cost no accuracy. `precise` forbids the compiler to fuse or regroup: the rounding errors that it
// would save are the very result.
#include "lib/bits.glsl"

vec2 two_sum(float a, float b) {
  precise float sum = a + b;
  precise float b_part = sum - a;
  precise float error = (a - (sum - b_part)) + (b - b_part);
  return vec2(sum, error);
}

// The upper 12 bits; what remains has 12 bits too, so products of the parts are exact.
float upper_half(float a) { return uintBitsToFloat(floatBitsToUint(a) & 0xfffff000u); }

vec2 two_product(float a, float b) {
  float a_upper = upper_half(a), b_upper = upper_half(b);
  precise float a_lower = a - a_upper;
  precise float b_lower = b - b_upper;
  precise float product = a * b;
  precise float error =
      ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower;
  return vec2(product, error);
}

vec2 twofold_product(vec2 a, vec2 b) {
  vec2 product = two_product(a.x, b.x);
  precise float lower = product.y + (a.x * b.y + a.y * b.x);
  return vec2(product.x, lower);
}

// a + b, rounded to one float.
float rounded_sum(vec2 a, vec2 b) {
  vec2 sum = two_sum(a.x, b.x);
  precise float result = sum.x + (sum.y + (a.y + b.y));
  return result;
}

// A running sum and what its roundings left over. However many terms there are, of whatever size: their total is off by u
// of itself, and by a few u^2 of the sum of their magnitudes (u = 2^-24; Neumaier, ZAMM 54, 1974).
vec2 compensated(vec2 sum, vec2 v) {
  vec2 next = two_sum(sum.x, v.x);
  precise float rest = sum.y + v.y + next.y;
  return vec2(next.x, rest);
}
vec2 compensated(vec2 sum, float v) { return compensated(sum, vec2(v, 0.0)); }

// The same for terms that are not negative, with half the operations: what is left over is not exact where a term is above
// the sum, but then it doubles the sum, so all of that together is 2 u of the total.
vec2 compensated_positive(vec2 sum, float v) {
  precise float next = sum.x + v;
  precise float rest = sum.y + (v - (next - sum.x));
  return vec2(next, rest);
}

// An infinite sum leaves no rest that is a number.
float total_of(vec2 sum) { return is_finite(sum.x) ? sum.x + sum.y : sum.x; }
