// The exponential function of our own: drivers' exp may be wrong by dozens of units in the last
// place, each in its way.

// exp(r) - 1 = r + r^2 P(r) for |r| <= ln 2 / 2. P: least squares on Chebyshev nodes, reweighted towards the
// smallest largest error of exp(r); that is 3.2e-9, relative, and below 3e-8 of exp(r) - 1.
float expm1_near_zero(float r) {
  precise float p = 1.3814218e-3;
  p = p * r + 8.3688993e-3;
  p = p * r + 4.1668406e-2;
  p = p * r + 1.6666519e-1;
  p = p * r + 4.9999993e-1;
  p = p * r * r + r;
  return p;
}

// factor * exp(hi + lo) for hi <= 0 and |lo| far below 1. Relative error below 2 units in the last place of
// float, and the result is flushed to zero only where it is itself subnormal: the factor comes before the
// power of two.
//
// exp(v) = 2^n exp(r), n the integer nearest to v / ln 2.
float exp_times(float factor, float hi, float lo) {
  if (hi < -110.0) return 0.0;
  const float LN2_UPPER = 0.693359375;  // 10 bits, so that n * LN2_UPPER is exact
  const float LN2_LOWER = -2.12194440e-4;
  precise float n = floor(hi * 1.44269504 + 0.5);
  precise float r = ((hi - n * LN2_UPPER) - n * LN2_LOWER) + lo;
  precise float p = expm1_near_zero(r) + 1.0;
  // 2^n in two steps: it may be too small for a normal number where the product is not.
  int n_half = int(n) / 2;
  precise float result = factor * p;
  result *= uintBitsToFloat(uint(n_half + 127) << 23);
  result *= uintBitsToFloat(uint(int(n) - n_half + 127) << 23);
  return result;
}

float exp_of_negative(float v) { return exp_times(1.0, v, 0.0); }

// exp(v) - 1 for v <= 0. Further from 0 than the polynomial reaches, the difference keeps most of its digits.
float expm1_of_negative(float v) {
  return v > -0.34 ? expm1_near_zero(v) : exp_of_negative(v) - 1.0;
}
