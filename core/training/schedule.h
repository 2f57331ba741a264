// How the learning rate goes over the steps of a training: a warm-up on a straight line, then one of five ways on.
//
//   s ≤ w:  r·s/w          s the step, counted from one as papers do, w the steps of warm-up, r the highest rate
//   s > w:  constant       r
//           inverse root   r·√(w/s)                                 Vaswani et al. 2017, equation 3, with r = f/√(d·w)
//           cosine         r·(e + (1 − e)·(1 + cos πp)/2)           Loshchilov, Hutter 2017, equation 5, one period
//           linear         r·(1 − (1 − e)·p)                        Devlin et al. 2019, with e = 0
//           stable         r, and over the last share q of all steps on a line down to r·e     Hu et al. 2024 (MiniCPM)
//   p = (s − w)/(N − w) of the N steps, e the share of r that is left at the end.
//
// Some programs count from zero (the step's rate is that of s − 1 here): with a warm-up their first step has rate zero.
#pragma once

namespace orrery::training {

struct Schedule {
  enum class Kind { constant, inverse_root, cosine, linear, stable };
  Kind kind = Kind::cosine;
  double highest = 1e-3;   ///< r
  double warm_up = 0;      ///< w, in steps; none is allowed, then the inverse root is that of w = 1
  double steps = 1;        ///< N
  double end = 0;          ///< e; the inverse root and the constant rate know none
  double decay_share = 0;  ///< q, of the stable schedule
};

/// The rate of step s, which may lie past the end: cosine, linear and stable then stay where they ended, the inverse root
/// goes on falling, and a warm-up that is longer than the training goes on rising.
double learning_rate(const Schedule&, double step);

/// Vaswani et al. 2017, equation 3: the highest rate of a model of width d that warms up for w steps, f/√(d·w).
double highest_of_width(double width, double warm_up, double factor = 1);

}  // namespace orrery::training
