#include "app/study/attention/map_weights.h"

#include <algorithm>
#include <cmath>

#include "app/study/attention/map_checks.h"
#include "app/study/attention/map_places.h"
#include "app/study/attention/map_series.h"
#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"
#include "core/attention/softmax.h"

namespace orrery::study {
namespace {

using attention::KeyRange;
using attention::LogSums;
using attention::ScoreMap;
using attention::WeightMap;
using attention::WeightMeans;
using tensor::Index;

constexpr Index most_direct = 600;
constexpr std::uint64_t cells_asked = 4;
constexpr double far_below = -600;  // weights have no logarithm any more

/// How far a score in float may be off.
double score_slack(const MapAsked& asked, const ScoreMap& map) {
  const double length = longest_vector(asked);
  return (product_slack(asked) + 6 * 0x1p-24) * map.scale() * length * length;
}

/// Of exponentials in float and their sum, relatively, as softmax has them.
double sum_slack(const MapAsked& asked, double keys) {
  const double on_processor = attention::softmax_bound(static_cast<Index>(keys)).rel;
  return asked.device ? std::max(on_processor, attention::softmax_gpu_bound.rel) : on_processor;
}

/// The query's own and those right before it.
KeyRange near_keys(const ScoreMap& map, Index query) {
  return {std::max(map.mask().range(query, map.tokens(), map.tokens()).first, query + 1 - most_direct),
          query + 1};
}

double direct_log_sum(const ScoreMap& map, Index query) {
  const KeyRange near = near_keys(map, query);
  const tensor::Matrix<double> q = map.queries().rows(query, 1),
                               k = map.keys().rows(near.first, near.count());
  const Eigen::VectorXd scores = map.scale() * (k * q.row(0).transpose());
  return scores.maxCoeff() + std::log((scores.array() - scores.maxCoeff()).exp().sum());
}

attention::WeightsDone asked_of(const Run& run) {
  return [&run](double fraction) {
    run.check();
    run.progress(fraction);
  };
}

}  // namespace

double WeightRow::sum() const {
  double sum = own + after;
  for (const double share : distances["share"]) sum += share;
  return sum;
}

figure::Table WeightRow::facts(Index query) const {
  figure::Table table{"softmax",
                      {{.name = "query", .digits = 12},
                       {.name = "keys", .digits = 12},
                       {.name = "score of the key before"},
                       {.name = "log-sum-exp", .digits = 7},
                       {.name = "weight of its own key"},
                       {.name = "weight of later keys"}}};
  add_row(table, query, seen, score_before, log_sum_exp, own, after);
  return table;
}

WeightRow weight_row(const Run& run, const WeightMap& map, Index query) {
  const KeyRange seen = map.scores().mask().range(query, map.scores().tokens(), map.scores().tokens());
  std::vector<KeyRange> parts;  // ascending: the farthest first
  for (const Distances& part : distances_up_to(query)) {
    const KeyRange keys{std::max(query - part.end + 1, seen.first), query - part.first + 1};
    if (keys.count() > 0) parts.push_back(keys);
  }
  const std::size_t before = parts.size();
  std::ranges::reverse(parts);
  parts.push_back({query, query + 1});
  if (query + 1 < seen.end) parts.push_back({query + 1, seen.end});
  const LogSums sums = map.log_sums({query}, parts, asked_of(run));
  const auto weight = [&](std::size_t part) { return std::exp(sums.parts[part] - sums.all.front()); };
  std::vector<double> distance, keys, mean, share, so_far;
  double total = weight(before);
  for (std::size_t i = before; i-- > 0;) {
    distance.push_back(std::sqrt(number(query - parts[i].first) * number(query - parts[i].end + 1)));
    keys.push_back(number(parts[i].count()));
    share.push_back(weight(i));
    mean.push_back(weight(i) / keys.back());
    so_far.push_back(total += weight(i));
  }
  Series row("row", {"distance", "tokens", distance});
  row.add("keys", keys).add("mean weight", mean).add("share", share).add("share so far", so_far);
  return {std::move(row),
          weight(before),
          parts.size() > before + 1 ? weight(before + 1) : 0,
          number(seen.count()),
          map.scores().cell(query, query - 1),
          sums.all.front()};
}

namespace {

/// Rows about the marked one, their nearest keys, by both: each sum is off by its own slack, and so is Z.
Check device_check(const Run& run, const MapAsked& asked, const WeightMap& map, double score_off) {
  constexpr Index rows = 10, keys = 512;  // the marked one has its sum already
  const std::shared_ptr<const ScoreMap> scores(new ScoreMap(score_map_of(asked, map.scores().mask())));
  const WeightMap on_processor(scores, asked.content.seed);
  std::vector<KeyRange> queries;
  for (Index m = std::max<Index>(0, asked.query + 1 - rows); m <= asked.query; ++m)
    queries.push_back({m, m + 1});
  const std::vector<KeyRange> near{{std::max<Index>(0, asked.query + 1 - keys), asked.query + 1}};
  const WeightMeans there = map.means(queries, near, 2, asked_of(run)),
                    here = on_processor.means(queries, near, 2, asked_of(run));
  Worst worst;
  for (std::size_t i = 0; i < here.mean.size(); ++i)
    if (here.mean[i] > 0) worst.meet(std::abs(std::log(there.mean[i] / here.mean[i])));
  return {"the graphics device gives the weights that the processor gives", worst,
          4 * (score_off + sum_slack(asked, number(map.scores().tokens())))};
}

}  // namespace

std::vector<Check> weight_checks(const Run& run, const MapAsked& asked, const WeightMap& map,
                                 const WeightRow& row) {
  const ScoreMap& scores = map.scores();
  const double score_off = score_slack(asked, scores);
  const KeyRange seen = scores.mask().range(asked.query, scores.tokens(), scores.tokens());
  std::vector<Check> checks;
  // Each part by itself, and all of it: the exponentials of one lie under another maximum than those of the other.
  checks.push_back(
      {"the weights of the marked row sum to 1", std::abs(row.sum() - 1), 2 * sum_slack(asked, row.seen)});
  checks.push_back({"the log-sum-exp of the nearest keys is that of their scores, each computed by itself",
                    std::abs(map.log_sums({asked.query}, {near_keys(scores, asked.query)}).parts.front() -
                             direct_log_sum(scores, asked.query)),
                    score_off + sum_slack(asked, most_direct)});
  Worst worst;
  const Places random(asked.content.seed, 24, seen.count(), 1);
  for (std::uint64_t i = 0; i < cells_asked; ++i) {
    const Index key = seen.first + random.block(i).keys.first;
    const double score = scores.cell(asked.query, key) - row.log_sum_exp;
    if (score < far_below) continue;
    const WeightMeans shown = map.means({{asked.query, asked.query + 1}}, {{key, key + 1}}, 2);
    worst.meet(std::abs(std::log(shown.mean.front()) - score));
  }
  checks.push_back({"a weight is e to its score, computed by itself, less the log-sum-exp of its row", worst,
                    score_off + 0x1p-50 * std::abs(row.log_sum_exp)});
  if (asked.device) checks.push_back(device_check(run, asked, map, score_off));
  return checks;
}

}  // namespace orrery::study
