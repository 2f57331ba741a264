// The activation functions of core/activation/activation.h, one value at a time. Never called with NaN.
// Where the cpu twin asks the C library for exp and erfc, these bring their own, as drivers differ.
#include "lib/exp.glsl"
#include "lib/log.glsl"
#include "lib/twofold.glsl"

uniform float alpha;
uniform float beta_upper, beta_lower;  // beta in two floats

float relu(float x) { return x > 0.0 ? x : 0.0; }

// exp(v) / (1 + exp(v)) for v = hi + lo, times x: without overflow, and relatively exact
// in the negative tail.
float times_sigmoid(float x, float hi, float lo) {
  if (hi > 0.0) return x / (1.0 + exp_times(1.0, -hi, -lo));
  return exp_times(x / (1.0 + exp_times(1.0, hi, lo)), hi, lo);
}

float silu(float x) { return times_sigmoid(x, x, 0.0); }

// (1 - Phi(a)) exp(a^2 / 2) for 0 <= a <= 14.5, Phi the standard normal distribution function. (1 + a)
// times it is a polynomial of t = (a - 4) / (a + 4): least squares on 160 Chebyshev nodes against 40-digit
// arithmetic, reweighted towards the smallest largest relative error, which is 1.7e-9.
float scaled_normal_tail(float a) {
  float t = (a - 4.0) / (a + 4.0);
  precise float p = -7.16128779e-05;
  p = p * t - 6.05602399e-05;
  p = p * t + 6.92857953e-04;
  p = p * t - 3.03758221e-04;
  p = p * t - 5.00438130e-03;
  p = p * t + 1.79402027e-02;
  p = p * t - 3.21972705e-02;
  p = p * t + 2.85999812e-02;
  p = p * t + 1.39995962e-02;
  p = p * t - 9.67034698e-02;
  p = p * t + 4.72053200e-01;
  return p / (1.0 + a);
}

// x Phi(x) = x - x (1 - Phi(x)): the tail is formed for |x|, so nothing cancels on the negative side.
float gelu(float x) {
  float a = abs(x);
  if (a > 14.5) return relu(x);  // the tail is below the smallest subnormal number
  vec2 v = two_product(x, -0.5 * x);
  float tail = exp_times(a * scaled_normal_tail(a), v.x, v.y);
  return x > 0.0 ? x - tail : -tail;
}

// x/2 (1 + tanh u) = x sigmoid(2u), 2u = 2 sqrt(2/pi) (x + 0.044715 x^3). An error of 2u is a relative
// error of the tail, so 2u is carried in two floats; so are its two constants.
float gelu_tanh(float x) {
  if (abs(x) > 16.0) return relu(x);  // as above
  const vec2 LINEAR = vec2(1.595769167e+00, -4.534068054e-08);
  const vec2 CUBIC = vec2(7.135481387e-02, 2.398832466e-09);
  vec2 square = two_product(x, x);
  vec2 cubic = two_product(CUBIC.x, square.x);
  precise float cubic_lower = cubic.y + (CUBIC.x * square.y + CUBIC.y * square.x);
  vec2 slope = two_sum(LINEAR.x, cubic.x);
  precise float slope_lower = slope.y + (LINEAR.y + cubic_lower);
  vec2 v = two_product(x, slope.x);
  precise float v_lower = v.y + x * slope_lower;
  return times_sigmoid(x, v.x, v_lower);
}

float leaky_relu(float x) { return x < 0.0 ? alpha * x : x; }

float elu(float x) { return x < 0.0 ? alpha * expm1_of_negative(x) : x; }

float selu(float x) {
  return x < 0.0 ? 1.75809934 * expm1_of_negative(x) : 1.05070099 * x;
}

// x sigmoid(s x), the slope s > 0 given in two floats. Where sigmoid is 0 or 1 to a float, s x may overflow.
float times_sigmoid_of(vec2 slope, float x) {
  if (abs(slope.x * x) > 110.0) return relu(x);
  vec2 v = twofold_product(slope, vec2(x, 0.0));
  return times_sigmoid(x, v.x, v.y);
}

float gelu_quick(float x) { return times_sigmoid_of(vec2(1.702000022e+00, -2.193450932e-08), x); }

float swish(float x) { return times_sigmoid_of(vec2(beta_upper, beta_lower), x); }

// x tanh(softplus(x)) = x (w^2 + 2w) / (w^2 + 2w + 2) with w = exp(x); divided by w^2 where that is large.
float mish(float x) {
  float w = exp_of_negative(-abs(x));
  if (x > 0.0) return x * ((1.0 + 2.0 * w) / (1.0 + 2.0 * w * (1.0 + w)));
  return exp_times(x * ((w + 2.0) / (w * (w + 2.0) + 2.0)), x, 0.0);
}

// ln(1 + exp(beta x)) / beta; beyond the threshold PyTorch takes x itself.
float softplus(float x) {
  float near = beta_upper * x;
  if (near > 20.0) return x;
  if (near < -110.0) return 0.0;
  vec2 v = twofold_product(vec2(beta_upper, beta_lower), vec2(x, 0.0));
  float tail = log1p(near > 0.0 ? exp_times(1.0, -v.x, -v.y) : exp_times(1.0, v.x, v.y)) / beta_upper;
  return relu(x) + tail;
}

float relu2(float x) { return x > 0.0 ? x * x : 0.0; }

float hard_swish(float x) {
  if (x <= -3.0) return 0.0;
  return x >= 3.0 ? x : x * ((x + 3.0) / 6.0);
}

float sigmoid(float x) { return times_sigmoid(1.0, x, 0.0); }

// (1 - exp(-2a)) / (1 + exp(-2a)), a = |x|
float hyperbolic_tangent(float x) {
  float m = expm1_of_negative(-2.0 * abs(x));
  float t = -m / (2.0 + m);
  return x < 0.0 ? -t : t;
}
