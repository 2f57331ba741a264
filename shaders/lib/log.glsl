// The logarithm of our own: drivers' log may be wrong by dozens of units in the last place near 1.

// ln(1 + t) for 0 <= t <= 1: 2 atanh(s) with s = t / (2 + t), by its series up to s^17; what is left out is
// below 2e-10 of the result.
float log1p(float t) {
  float s = t / (2.0 + t);
  float square = s * s;
  precise float p = 1.0 / 17.0;
  p = p * square + 1.0 / 15.0;
  p = p * square + 1.0 / 13.0;
  p = p * square + 1.0 / 11.0;
  p = p * square + 1.0 / 9.0;
  p = p * square + 1.0 / 7.0;
  p = p * square + 1.0 / 5.0;
  p = p * square + 1.0 / 3.0;
  p = p * square + 1.0;
  return 2.0 * s * p;
}
