// What batch normalisation keeps of its batches for evaluation: moving averages of their means and variances.
//
//   mean ← (1 − m) mean + m μ_B        variance ← (1 − m) variance + m σ²_B N/(N − 1)        from 0 and 1 on
//
// So the average of step k weighs m (1 − m)^(n − k) after n steps, and (1 − m)^n is left of the start. The batch itself is
// divided by its biased variance; what is kept is the unbiased one, as in PyTorch. (TensorFlow's momentum is 1 − m.)
//
// Shapes     batch: N × D (all axes but the last are rows); mean, variance: D.
// Formats    Double.
// Edges      N = 0: nothing is seen. N = 1 has no unbiased variance (PyTorch refuses it): its 0 is taken. NaN or ±∞ stay in
//            their column.
// Units      m: PyTorch's momentum, 0 to 1, 0.1 by default there.
// Source     Ioffe, Szegedy, "Batch Normalization", arXiv 1502.03167, section 3.1 and algorithm 2; torch.nn.BatchNorm1d.
#pragma once

#include <vector>

#include "core/tensor/view.h"

namespace orrery::norm {

struct RunningStatistics {
  std::vector<double> mean, variance;

  explicit RunningStatistics(tensor::Index features);
  /// Takes a step.
  void see(tensor::View<const double> batch, double momentum);
};

}  // namespace orrery::norm
