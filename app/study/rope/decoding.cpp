#include "app/study/rope/decoding.h"

#include <cmath>

#include "app/study/kit/numbers.h"
#include "core/tensor/random.h"

namespace orrery::study {

using position::RopeLayout;
using tensor::Index;
using twin::Matrix;

namespace {

Matrix turned(const Run& run, const Decoding& d, const Matrix& rows, std::span<const double> positions) {
  const auto theta = position::rope_default_frequencies(rows.cols(), d.base);
  return twin::rope(run, rows, position::rope_table(positions, theta), RopeLayout::half);
}

Matrix scaled_scores(const Run& run, const Matrix& q, const Matrix& k) {
  return twin::scores(run, q, k, {.scale = 1 / std::sqrt(static_cast<double>(q.cols())), .mask = {}});
}

}  // namespace

QueriesAndKeys queries_and_keys(const parameter::Settings& settings, Index tokens, Index width) {
  const std::uint64_t seed = seed_of(settings);
  if (settings.choice("content") == "random")
    return {twin::rounded(tensor::Random(seed, 0).normals(tokens, width)),
            twin::rounded(tensor::Random(seed, 1).normals(tokens, width))};
  const Matrix all = twin::rounded(tensor::Random(seed).normals(1, width)).replicate(tokens, 1);
  return {all, all};
}

std::vector<double> right_positions(const Decoding& d) {
  std::vector<double> positions;
  for (Index t = 0; t < d.tokens(); ++t) positions.push_back(static_cast<double>(t));
  return positions;
}

std::vector<double> mistaken_positions(const Decoding& d, std::string_view mistake, double shift) {
  std::vector<double> positions = right_positions(d);
  for (Index t = d.prompt; t < d.tokens(); ++t) {
    double& position = positions[static_cast<std::size_t>(t)];
    if (mistake == "at_zero") position = 0;
    if (mistake == "from_zero") position -= static_cast<double>(d.prompt);
    if (mistake == "one_behind") position -= 1;
    if (mistake == "shifted") position += shift;
  }
  return positions;
}

Looks looks(const Run& run, const Decoding& d, std::span<const double> positions) {
  const Matrix q = turned(run, d, d.q, positions), k = turned(run, d, d.k, positions);
  Looks looks{scaled_scores(run, q.bottomRows(d.decoded), k), Matrix::Zero(d.decoded, d.tokens())};
  for (Index row = 0; row < d.decoded; ++row) {  // a cache holds no more keys than that
    run.check();
    const Index seen = d.prompt + row + 1;
    looks.weights.row(row).head(seen) = twin::softmax(run, looks.scores.row(row).head(seen), {});
  }
  return looks;
}

Matrix scores_step_by_step(const Run& run, const Decoding& d, std::span<const double> positions) {
  const auto prompt = static_cast<std::size_t>(d.prompt);
  Matrix cache(d.tokens(), d.k.cols());
  cache.topRows(d.prompt) = turned(run, d, d.k.topRows(d.prompt), positions.first(prompt));
  Matrix scores = Matrix::Zero(d.decoded, d.tokens());
  for (Index row = 0; row < d.decoded; ++row) {
    run.check();
    const Index t = d.prompt + row;
    const auto here = positions.subspan(static_cast<std::size_t>(t), 1);
    cache.row(t) = turned(run, d, d.k.row(t), here);
    scores.row(row).head(t + 1) = scaled_scores(run, turned(run, d, d.q.row(t), here), cache.topRows(t + 1));
  }
  return scores;
}

}  // namespace orrery::study
