#include "app/study/attention/cache_checks.h"

#include <complex>

namespace orrery::study::attention_cache {

namespace {

/// What xPos makes of a pair besides, as powers of ζ.
double scale_of(const Turning& turning, const TurnedWith& query, const TurnedWith& key, double zeta) {
  if (turning.change != "xpos") return 1;
  const double apart =
      (query.position - turning.centre(query.length)) - (key.position - turning.centre(key.length));
  return std::pow(zeta, apart / position::XposParams{}.scale_base);
}

/// How far a score may be off whose key was turned on so often. Angles of a few hundred radians are rounded by 2^-44; a
/// vector that is turned is off by 4 u of its length.
double score_bound(const Run& run, const CacheLife& life, Index width) {
  const double u = twin::unit_roundoff(run);
  const double turned = number(life.turned_on) * (4 * u + 0x1p-43);
  return life.longest_product / std::sqrt(number(width)) *
         (2 * twin::turned_score_slack(run, width) + 2 * turned + 0x1p-40);
}

/// Over all passes, of keys whose distance and frequencies are right.
double where_right(const CacheLife& life) {
  Worst worst;
  for (std::size_t p = 0; p < life.passes.size(); ++p) {
    const CachePass& pass = life.passes[p];
    const CachedKey& query = pass.last();
    for (const CachedKey& key : pass.keys) {
      const bool distance =
          query.cached.position - key.cached.position == query.right.position - key.right.position;
      const bool frequencies =
          query.cached.length == query.right.length && key.cached.length == key.right.length;
      const auto row = static_cast<Index>(p);
      if (distance && frequencies)
        worst.meet(std::abs(life.cached.scores(row, key.token) - life.recomputed.scores(row, key.token)));
    }
  }
  return worst;
}

/// The last pass once more, all its positions so much later.
double shifted(const Run& run, Asked& asked, const CacheLife& life, double by) {
  const CachePass& pass = life.last();
  std::vector<TurnedWith> with;
  Matrix keys(std::ssize(pass.keys), asked.turning.width);
  for (const CachedKey& key : pass.keys) {
    keys.row(std::ssize(with)) = asked.k.row(key.token);
    with.push_back({key.right.position + by, key.right.length});
  }
  const TurnedWith last = with.back();
  const Matrix q = twin::rope(run, asked.q.row(pass.last().token),
                              asked.turning.table(std::array{last}, ScoreSide::query),
                              position::RopeLayout::half),
               k = twin::rope(run, keys, asked.turning.table(with, ScoreSide::key),
                              position::RopeLayout::half),
               scores = twin::scores(run, q, k, {.scale = 1 / std::sqrt(number(q.cols())), .mask = {}});
  Worst worst;
  for (std::size_t n = 0; n < pass.keys.size(); ++n)
    worst.meet(std::abs(scores(0, static_cast<Index>(n)) -
                        life.recomputed.scores(life.recomputed.scores.rows() - 1, pass.keys[n].token)));
  return worst;
}

double closed_form_difference(Asked& asked, const CacheLife& life) {
  const CachePass& pass = life.last();
  Worst worst;
  for (const CachedKey& key : pass.keys)
    worst.meet(std::abs(
        closed_form(pair_parts(asked, pass.last().token, pass.last().cached, key.token, key.cached)) -
        life.cached.scores(life.cached.scores.rows() - 1, key.token)));
  return worst;
}

/// Of the last query: what the keys that have left had of the whole text's weight, against what went elsewhere.
double lost(const CacheLife& life) {
  const Index last = std::ssize(life.passes) - 1;
  double gone = 1;
  for (const CachedKey& key : life.last().keys) gone -= life.whole.weights(last, key.token);
  return std::abs(gone - elsewhere(life.recomputed, life.whole, last));
}

}  // namespace

std::vector<PairPart> pair_parts(Asked& asked, Index query, const TurnedWith& query_turn, Index key,
                                 const TurnedWith& key_turn) {
  Turning& turning = asked.turning;
  const position::RopeFrequencies &of_query = turning.at(query_turn.length),
                                  &of_key = turning.at(key_turn.length);
  const std::vector<double> zeta = position::xpos_scales(turning.width / 2, {});
  std::vector<PairPart> parts;
  for (Index i = 0; i < turning.width / 2; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::complex<double> q(asked.q(query, i), asked.q(query, i + turning.width / 2)),
        k(asked.k(key, i), asked.k(key, i + turning.width / 2)), product = q * std::conj(k);
    parts.push_back({.size = std::abs(product) * of_query.attention_factor * of_key.attention_factor *
                             scale_of(turning, query_turn, key_turn, zeta[at]),
                     .query_position = query_turn.position,
                     .query_frequency = of_query.inv_freq[at],
                     .key_position = key_turn.position,
                     .key_frequency = of_key.inv_freq[at],
                     .angle = std::arg(product)});
  }
  return parts;
}

double closed_form(std::span<const PairPart> parts) {
  double sum = 0;
  for (const PairPart& part : parts) sum += part.size * std::cos(part.turn() + part.angle);
  return sum / std::sqrt(2 * number(parts.size()));
}

std::vector<Check> checks_of(const Run& run, Asked& asked, const CacheLife& life) {
  const double bound = score_bound(run, life, asked.turning.width);
  const double count = number(asked.plan.tokens());
  const tensor::Bound softmax = run.device == DeviceChoice::gpu
                                    ? attention::softmax_gpu_bound
                                    : attention::softmax_bound(asked.plan.tokens());
  // Each weight may be off by rel of itself, so their sum by rel of 1; double loses 2^-53 per term.
  const double sums = run.device == DeviceChoice::ref
                          ? count * 0x1p-51
                          : softmax.rel + softmax.row + count * (softmax.abs + 0x1p-52);
  std::vector<Check> checks{
      {"where a key's distance and frequencies are right, its score is that of turning all keys anew",
       where_right(life), bound},
      {"each score of the last query is $\\frac{1}{\\sqrt{d}} \\sum_i |q_i||k_i| \\cos(m\\, \\theta_i - n\\, \\theta'_i + "
       "\\varphi_i)$",
       closed_form_difference(asked, life), bound},
      {"all positions 64 later: the same scores", shifted(run, asked, life, 64), 2 * bound}};
  Worst rows;
  for (const Looks* looks : {&life.cached, &life.recomputed, &life.whole})
    rows.meet((looks->weights.rowwise().sum().array() - 1).abs().maxCoeff());
  checks.push_back({"every row of weights sums to 1", rows, sums});
  // Scores that are off by e move a weight by a factor of e^(2 e) at most, and half the differences by e.
  if (life.evicts() && !asked.plan.renumbered)
    checks.push_back({"with positions of the text, what goes elsewhere is what the keys had that have left",
                      lost(life), 3 * sums + 2 * bound});
  return checks;
}

}  // namespace orrery::study::attention_cache
