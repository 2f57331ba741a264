// The ops as a study asks for them: on the device of its run, doubles in and doubles out. The reference
// computes in double; the fast twins are given the values rounded to float, and return floats.
#pragma once

#include <span>
#include <string>

#include "app/study/study.h"
#include "core/activation/activation.h"
#include "core/attention/scores.h"
#include "core/attention/softmax.h"
#include "core/embedding/embedding.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"
#include "core/tensor/view.h"

namespace orrery::study::twin {

using Matrix = tensor::Matrix<double>;

Matrix layer_norm(const Run&, const Matrix& x, const norm::LayerNormParams&);
Matrix rms_norm(const Run&, const Matrix& x, const norm::RmsNormParams&);
Matrix rope(const Run&, const Matrix& x, const position::RopeTable&, position::RopeLayout);
Matrix sinusoidal(const Run&, tensor::Index length, tensor::Index dim, const position::SinusoidalParams&);
Matrix scores(const Run&, const Matrix& q, const Matrix& k, const attention::ScoresParams&);
Matrix softmax(const Run&, const Matrix& x, const attention::SoftmaxParams&);
Matrix activation(const Run&, const Matrix& x, const activation::ActivationParams&);
/// `rows`: ids, one row of the table each.
Matrix embedding(const Run&, std::span<const tensor::Index> rows, const Matrix& table, embedding::Scale);

/// The nearest floats: inputs that all twins see alike.
Matrix rounded(const Matrix&);
position::RopeTable rounded(const position::RopeTable&);

/// The unit roundoff of the arithmetic on the run's device: 2^-53 for the reference, 2^-24 for the fast
/// twins.
double unit_roundoff(const Run&);

/// How far a score of two turned vectors of this width may be off, over |q||k|.
double turned_score_slack(const Run&, tensor::Index width);

/// The same run on the reference; and on a fast twin, which is the cpu when the run itself is on the
/// reference.
Run on_reference(const Run&);
Run on_fast(const Run&);
std::string name(DeviceChoice);  ///< "ref", "cpu", "gpu": as typed

/// What the contracts of an op promise for its fast twins.
struct Bounds {
  tensor::Bound cpu, gpu;
};

/// "cpu equals the double reference": the element that comes nearest to breaking |y − r| ≤ abs + rel·|r| +
/// row·max|r|, or breaks it most.
Check equals_reference(const Run& fast, const Matrix& result, const Matrix& reference, const Bounds&);

/// The same for an op given as a function of the run.
template <class Compute>
Check equals_reference(const Run& run, const Bounds& bounds, Compute&& compute) {
  const Run fast = on_fast(run);
  return equals_reference(fast, compute(fast), compute(on_reference(run)), bounds);
}

}  // namespace orrery::study::twin
