#include "app/study/attention/score_checks.h"

#include <algorithm>
#include <cmath>

#include "app/study/kit/checks.h"
#include "core/tensor/random.h"

namespace orrery::study {

using attention::Mask;
using attention::ScoresParams;
using parameter::Settings;
using tensor::Index;
using twin::Matrix;

namespace {

/// One vector for all, turned by RoPE: a score may depend on m − n only.
Check offset_check(const Settings& settings, const Run& run) {
  const Index length = length_of(settings), width = settings.integer("head_width");
  const Matrix one = twin::rounded(tensor::Random(7).normals(1, width));
  const Matrix all = one.replicate(length, 1);
  const Vectors v = turned(run, {all, all}, positions_table(settings));
  run.check();
  const double scale = scale_of(settings);
  const Matrix s = twin::scores(run, v.q, v.k, {.scale = scale, .mask = {}});
  double worst = 0;
  for (Index m = 1; m < length; ++m)
    for (Index n = 1; n < length; ++n) {
      const double along = n <= m ? s(m - n, 0) : s(0, n - m);
      worst = std::max(worst, std::abs(s(m, n) - along));
    }
  // Two scores differ. Each is of two vectors whose angles, at most one radian a position, are rounded in double.
  const double angles = 2 * static_cast<double>(length) * 0x1p-53;
  const double bound = 2 * (twin::turned_score_slack(run, width) + angles) * scale * one.squaredNorm();
  return {"RoPE: the score of equal vectors depends on $m - n$ only", worst, bound};
}

/// What is shown against the formula itself: q·k over √d, as one product of matrices.
Check formula_check(const Settings& settings, const Run& run, const Vectors& v, const Matrix& free,
                    const twin::Bounds& bounds, double terms) {
  const double d = static_cast<double>(settings.integer("head_width"));
  const Matrix products = v.q * v.k.transpose();
  const double off =
      (free - (settings.toggle("scaled") ? products / std::sqrt(d) : products)).cwiseAbs().maxCoeff();
  // A sum of d products in double on this side, and as many on the other, each 2^-53 of the sum of their sizes.
  return {settings.toggle("scaled") ? "a score is $q^T k / \\sqrt{d}$" : "a score is $q^T k$", off,
          2 * (d + 2) * terms * 0x1p-53 + slack(run, bounds, free, 1)};
}

/// Two weights of a row are as far apart as e to the power of their scores' difference over τ: beside the row's largest.
double off_the_largest(const Matrix& weights, const Matrix& scores, double temperature) {
  Worst worst;
  for (Index m = 0; m < weights.rows(); ++m) {
    Index top = 0;
    const double most = scores.row(m).maxCoeff(&top);
    for (Index n = 0; n < weights.cols(); ++n)
      worst.meet(std::abs(weights(m, n) - weights(m, top) * std::exp((scores(m, n) - most) / temperature)));
  }
  return worst;
}

}  // namespace

std::vector<Check> score_checks(const Settings& settings, const Run& run, const Attention& a) {
  const Mask mask = mask_of(settings);
  const double length = static_cast<double>(length_of(settings));
  double forbidden = 0;
  for (Index m = 0; m < a.weights.rows(); ++m)
    for (Index n = 0; n < a.weights.cols(); ++n)
      if (!mask.allows(m, n, a.weights.rows(), a.weights.cols()))
        forbidden = std::max(forbidden, a.weights(m, n));

  const twin::Bounds softmax{attention::softmax_bound(length_of(settings)), attention::softmax_gpu_bound};
  const tensor::Bound& own = run.device == DeviceChoice::gpu ? softmax.gpu : softmax.cpu;
  // Each weight may be off by rel of itself, so their sum by rel of 1; double loses 2^-53 per term.
  const double sum_bound =
      run.device == DeviceChoice::ref ? length * 0x1p-52 : own.rel + length * (own.abs + 0x1p-52);

  const Index width = settings.integer("head_width");
  const double scale = scale_of(settings);
  // On the graphics processor a score may be off by a part of the sum of its terms' sizes: the largest of
  // those sums.
  const Vectors met{twin::rounded(a.vectors.q), twin::rounded(a.vectors.k)};
  const double terms = scale * (met.q.cwiseAbs() * met.k.cwiseAbs().transpose()).maxCoeff();
  const twin::Bounds scores{attention::scores_bound(width),
                            {.abs = attention::scores_gpu_bound(width) * terms}};
  const ScoresParams params{.scale = scale, .mask = mask};
  const Matrix rounded_scores = twin::rounded(a.masked);

  // Each of these may take a while on the reference: a pause between them to ask whether anybody still wants it.
  run.check();
  std::vector<Check> turned;  // what is said of RoPE holds where it is on
  if (settings.toggle("rope")) turned.push_back(offset_check(settings, run));
  run.progress(0.8);
  const Check equal_scores = named("scores", twin::equals_reference(run, scores, [&](const Run& each) {
                                     each.check();
                                     return twin::scores(each, met.q, met.k, params);
                                   }));
  run.progress(0.9);
  const Check equal_weights =
      named("softmax", twin::equals_reference(run, softmax, [&](const Run& each) {
              return twin::softmax(each, rounded_scores, {.temperature = settings.real("temperature")});
            }));
  std::vector<Check> all{
      {"every row of weights sums to 1", (a.weights.rowwise().sum().array() - 1).abs().maxCoeff(), sum_bound},
      {"what is masked has weight 0", forbidden, 0},
      // Both weights may be off by rel of themselves; the exponent is rounded twice, and so is the power.
      {"two weights of a row differ as $e^{(s_i - s_j)/\\tau}$",
       off_the_largest(a.weights, a.masked, settings.real("temperature")),
       (run.device == DeviceChoice::ref ? length * 0x1p-52 : 2 * own.rel + 2 * own.abs) + 0x1p-50},
      formula_check(settings, run, a.vectors, a.free, scores, terms)};
  all.insert(all.end(), turned.begin(), turned.end());
  all.insert(all.end(), {equal_scores, equal_weights});
  return all;
}

}  // namespace orrery::study
