#include "app/study/attention/multi_head.h"

#include <cmath>
#include <limits>

#include "core/attention/attention.h"

namespace orrery::study {

using tensor::Index;
using twin::Matrix;

namespace {

constexpr double norm_eps = 1e-6;

std::vector<Matrix> split(const Matrix& all, Index heads) {
  const Index width = all.cols() / heads;
  std::vector<Matrix> each;
  for (Index h = 0; h < heads; ++h) each.push_back(twin::rounded(all.middleCols(h * width, width)));
  return each;
}

void normalise(const Run& run, std::vector<Matrix>& heads) {
  for (Matrix& each : heads) each = twin::rounded(twin::rms_norm(run, each, {.eps = norm_eps}));
}

Matrix masked(Matrix scores, const attention::Mask& mask) {
  for (Index m = 0; m < scores.rows(); ++m)
    for (Index n = 0; n < scores.cols(); ++n)
      if (!mask.allows(m, n, scores.rows(), scores.cols()))
        scores(m, n) = -std::numeric_limits<double>::infinity();
  return scores;
}

}  // namespace

MultiHead multi_head(const Run& run, const Matrix& x, const Matrix& source, const HeadWeights& weights,
                     const HeadsAsked& asked) {
  MultiHead all;
  all.width = weights.query.cols() / asked.heads;
  all.q = split(x * weights.query, asked.heads);
  all.k = split(source * weights.key, asked.key_heads);
  all.v = split(source * weights.value, asked.key_heads);
  if (asked.normalised) normalise(run, all.q), normalise(run, all.k);
  const double scale = 1 / std::sqrt(static_cast<double>(all.width));
  all.beside = Matrix::Zero(x.rows(), weights.query.cols());
  for (Index h = 0; h < asked.heads; ++h) {
    run.check();
    const auto q = static_cast<std::size_t>(h);
    const auto g = static_cast<std::size_t>(attention::key_value_head(h, asked.heads, asked.key_heads));
    all.scores.push_back(twin::scores(run, all.q[q], all.k[g], {.scale = scale, .mask = {}}));
    all.weights.push_back(twin::softmax(run, masked(all.scores.back(), asked.mask), {}));
    all.outputs.push_back(all.weights.back() * all.v[g]);
    all.beside.middleCols(h * all.width, all.width) = all.outputs.back();
  }
  all.result = all.beside * weights.output;
  return all;
}

}  // namespace orrery::study
