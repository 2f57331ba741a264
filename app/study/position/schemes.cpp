#include "app/study/position/schemes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/position/t5_bias.h"
#include "core/tensor/random.h"

namespace orrery::study {

using tensor::Index;
using twin::Matrix;

namespace {

/// A row for the query, and one for each key.
struct Rows {
  Matrix query, keys;
};

Rows contents(const SchemeModel& model, std::size_t keys) {
  const Eigen::Map<const Eigen::RowVectorXd> q(model.query.data(), std::ssize(model.query)),
      k(model.key.data(), std::ssize(model.key));
  return {q, k.replicate(static_cast<Index>(keys), 1)};
}

Matrix sinusoidal_row(const Run& run, const SchemeModel& model, Index position) {
  return twin::sinusoidal(run, 1, model.width, {.base = model.base, .offset = static_cast<double>(position)});
}

/// Rows of the size that sinusoidal ones have, each independent of the others: a table before training.
Matrix learned_row(const SchemeModel& model, Index position) {
  Matrix row(1, model.width);
  if (position >= model.trained) {
    row.setConstant(std::numeric_limits<double>::quiet_NaN());
    return row;
  }
  const tensor::Random random(model.seed);
  for (Index i = 0; i < model.width; ++i)
    row(0, i) = std::sqrt(0.5) * random.normal(static_cast<std::uint64_t>(position * model.width + i));
  return row;
}

Matrix turned(const Run& run, const SchemeModel& model, const Matrix& x,
              const std::vector<double>& positions) {
  return twin::rope(
      run, x, position::rope_table(positions, position::rope_default_frequencies(model.width, model.base)),
      position::RopeLayout::interleaved);
}

/// The rows that stand each `distance` before the position. Of neighbours the sinusoids are made at once.
Matrix rows_behind(const Run& run, Scheme scheme, const SchemeModel& model, Index position,
                   const std::vector<Index>& distances) {
  const Index count = std::ssize(distances);
  const bool neighbours =
      std::ranges::adjacent_find(distances, [](Index a, Index b) { return b != a + 1; }) == distances.end();
  if (scheme == Scheme::sinusoidal && neighbours && count > 0)
    return twin::sinusoidal(run, count, model.width,
                            {.base = model.base, .offset = static_cast<double>(position - distances.back())})
        .colwise()
        .reverse();
  Matrix rows(count, model.width);
  for (Index i = 0; i < count; ++i) {
    run.check();
    const Index p = position - distances[static_cast<std::size_t>(i)];
    rows.row(i) = scheme == Scheme::learned ? learned_row(model, p) : sinusoidal_row(run, model, p);
  }
  return rows;
}

/// T5's table is learned; this one falls as KERPLE's logarithm does, from bucket to bucket.
double t5_bias(Index distance) {
  const position::T5Buckets buckets;
  const Index bucket = position::t5_bucket(-distance, buckets);
  return -std::log1p(static_cast<double>(bucket));
}

}  // namespace

std::span<const SchemeFacts> scheme_facts() {
  static constexpr std::array facts{
      SchemeFacts{Scheme::sinusoidal, "sinusoidal", "sinusoidal", "Sinusoidal: absolute, added", false,
                  "added to input", "new positions", "nothing"},
      SchemeFacts{Scheme::learned, "learned", "learned", "Learned: absolute, a row each", false,
                  "added to input", "no row", "nothing"},
      SchemeFacts{Scheme::rope, "rope", "RoPE", "RoPE: relative, turns $q$ and $k$", true,
                  "multiplies $q$, $k$", "larger angles", "nothing"},
      SchemeFacts{Scheme::alibi, "alibi", "ALiBi", "ALiBi: relative, a falling bias", true, "added to scores",
                  "falls on", "one slope"},
      SchemeFacts{Scheme::t5, "t5", "T5", "T5: relative, a bias by bucket", true, "added to scores",
                  "stays level", "$L \\times L$ biases"},
      SchemeFacts{Scheme::none, "none", "none", "None: order by the mask alone", false, "mask alone",
                  "more keys", "nothing"}};
  return facts;
}

Index scheme_parameters(Scheme scheme, const SchemeModel& model) {
  if (scheme == Scheme::learned) return model.trained * model.width;
  return scheme == Scheme::t5 ? position::T5Buckets{}.num_buckets : 0;
}

double scheme_kernel_numbers(Scheme scheme, const SchemeModel& model) {
  const auto length = static_cast<double>(model.trained);
  return scheme == Scheme::t5 ? length * length : scheme == Scheme::alibi ? 1 : 0;
}

std::vector<double> scheme_scores(const Run& run, Scheme scheme, const SchemeModel& model, Index position,
                                  const std::vector<Index>& distances) {
  Rows rows = contents(model, distances.size());
  if (scheme == Scheme::sinusoidal || scheme == Scheme::learned) {
    rows.query += rows_behind(run, scheme, model, position, {0});
    rows.keys += rows_behind(run, scheme, model, position, distances);
  } else if (scheme == Scheme::rope) {
    std::vector<double> keys;
    for (const Index d : distances) keys.push_back(static_cast<double>(position - d));
    rows.query = turned(run, model, rows.query, {static_cast<double>(position)});
    rows.keys = turned(run, model, rows.keys, keys);
  }
  const double scale = scheme == Scheme::t5 ? 1 : 1 / std::sqrt(static_cast<double>(model.width));
  std::vector<double> scores;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    double score = scale * rows.query.row(0).dot(rows.keys.row(static_cast<Index>(i)));
    if (scheme == Scheme::alibi) score -= model.slope * static_cast<double>(distances[i]);
    if (scheme == Scheme::t5) score += t5_bias(distances[i]);
    scores.push_back(score);
  }
  return scores;
}

std::vector<double> scheme_scores_behind(const Run& run, Scheme scheme, const SchemeModel& model,
                                         Index position) {
  constexpr Index at_once = 1024;
  std::vector<double> scores, some;
  if (scheme == Scheme::learned && position >= model.trained)
    return std::vector<double>(static_cast<std::size_t>(position + 1),
                               std::numeric_limits<double>::quiet_NaN());
  std::vector<Index> distances;
  for (Index first = 0; first <= position; first += at_once) {
    run.check();
    distances.clear();
    for (Index r = first; r <= std::min(position, first + at_once - 1); ++r) distances.push_back(r);
    some = scheme_scores(run, scheme, model, position, distances);
    scores.insert(scores.end(), some.begin(), some.end());
  }
  return scores;
}

}  // namespace orrery::study
