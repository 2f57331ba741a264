#include "core/attention/score_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attention/scores.h"
#include "core/simd/product.h"
#include "core/simd/thrown.h"

namespace orrery::attention {
namespace {

constexpr std::size_t kept_balls = 8;
constexpr Index tile_rows = 256, tile_columns = 2048;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// Σ_{x < j < y} of what a ramp has at j that rises from 0 at 0 to `top` at `top`.
double ramp_sum(double x, double y, double top) {
  const auto up_to = [&](double z) {
    if (z <= 0) return 0.0;
    return z <= top ? z * (z - 1) / 2 : top * (top - 1) / 2 + (z - top) * top;
  };
  return up_to(y) - up_to(x);
}

KeyRange common(KeyRange a, KeyRange b) {
  return {std::max(a.first, b.first), std::min(a.end, b.end)};
}

/// Scores of so many rows of queries with so many keys, a tile at a time.
template <class F>  // (first query, first key, tile)
void for_tiles(const TokenVectors& queries, const TokenVectors& keys, const ScoreBlock& block, F f) {
  tensor::Matrix<float> tile;
  for (Index n = block.keys.first; n < block.keys.end; n += tile_columns) {
    const Index columns = std::min(tile_columns, block.keys.end - n);
    const tensor::Matrix<float> k = keys.rows(n, columns).cast<float>();
    for (Index m = block.queries.first; m < block.queries.end; m += tile_rows) {
      const Index count = std::min(tile_rows, block.queries.end - m);
      const tensor::Matrix<float> q = queries.rows(m, count).cast<float>();
      tile.resize(count, columns);
      simd::product(tensor::View<const float>(q), simd::Factor::transposed(tensor::View<const float>(k)), {},
                    tensor::View<float>(tile));
      f(m, n, tile);
    }
  }
}

}  // namespace

// Of query m the keys after it are hidden: w − clamp(m + 1 − first, 0, w) of w; under a window also those up to m − W.
double hidden_cells(const ScoreBlock& block, const Mask& mask) {
  if (mask.kind == Mask::Kind::none) return 0;
  const auto from = static_cast<double>(block.queries.first - block.keys.first),
             to = static_cast<double>(block.queries.end - block.keys.first),
             width = static_cast<double>(block.keys.count());
  const double up_to_own = ramp_sum(from + 1, to + 1, width);
  double seen = up_to_own;
  if (mask.kind == Mask::Kind::sliding) {
    const auto window = static_cast<double>(mask.window);
    seen -= ramp_sum(from + 1 - window, to + 1 - window, width);
  }
  return block.cells() - seen;
}

ScoreMap::ScoreMap(const ScoreContent& content, const Mask& mask, Products elsewhere)
    : queries_(content, TokenVectors::Side::query),
      keys_(content, TokenVectors::Side::key),
      mask_(mask),
      scale_(content.scale),
      elsewhere_(std::move(elsewhere)) {}

ScoreMap::ScoreMap(std::shared_ptr<const VectorSource> queries, std::shared_ptr<const VectorSource> keys,
                   double scale, const Mask& mask, Products elsewhere)
    : queries_(std::move(queries)),
      keys_(std::move(keys)),
      mask_(mask),
      scale_(scale),
      elsewhere_(std::move(elsewhere)) {}

double ScoreMap::cell(Index query, Index key) const {
  return scale_ * dot(queries_.vector(query), keys_.vector(key));
}

double ScoreMap::mean(const ScoreBlock& block) const {
  return scale_ * dot(queries_.ball(block.queries.first, block.queries.end).mean,
                      keys_.ball(block.keys.first, block.keys.end).mean);
}

Extremes ScoreMap::bounds(const ScoreBlock& block) const {
  const Ball q = queries_.ball(block.queries.first, block.queries.end),
             k = keys_.ball(block.keys.first, block.keys.end);
  const double middle = scale_ * dot(q.mean, k.mean);
  const double reach = scale_ * (q.radius * std::sqrt(dot(k.mean, k.mean)) +
                                 k.radius * std::sqrt(dot(q.mean, q.mean)) + q.radius * k.radius);
  return {{middle - reach, middle}, {middle, middle + reach}};
}

ExactExtremes ScoreMap::exact(const ScoreBlock& block, const std::function<void()>& go_on) const {
  float least = std::numeric_limits<float>::infinity(), greatest = -least;
  Index low_query = 0, low_key = 0, high_query = 0, high_key = 0;
  for_tiles(queries_, keys_, block, [&](Index m, Index n, const tensor::Matrix<float>& tile) {
    if (go_on) go_on();
    Index r = 0, c = 0;
    if (const float low = tile.minCoeff(); low < least) {
      least = tile.minCoeff(&r, &c);
      low_query = m + r, low_key = n + c;
    }
    if (const float high = tile.maxCoeff(); high > greatest) {
      greatest = tile.maxCoeff(&r, &c);
      high_query = m + r, high_key = n + c;
    }
  });
  return {cell(low_query, low_key), cell(high_query, high_key)};
}

Extremes ScoreMap::extremes(const ScoreBlock& block, double most) const {
  if (block.cells() > most) return bounds(block);
  const ExactExtremes found = exact(block);
  return {{found.lowest, found.lowest}, {found.highest, found.highest}};
}

std::shared_ptr<const ScoreMap::Balls> ScoreMap::balls(const TokenVectors& side,
                                                       const std::vector<KeyRange>& ranges) const {
  const auto same = [](KeyRange a, KeyRange b) { return a.first == b.first && a.end == b.end; };
  {
    const std::lock_guard lock(kept_lock_);
    for (auto it = kept_.begin(); it != kept_.end(); ++it)
      if (it->first == &side && std::ranges::equal(it->second->ranges, ranges, same)) {
        std::rotate(kept_.begin(), it, it + 1);
        return kept_.front().second;
      }
  }
  auto made = std::make_shared<Balls>();
  const Index count = std::ssize(ranges);
  made->ranges = ranges;
  made->means.resize(count, side.width());
  made->lengths.resize(ranges.size());
  made->radii.resize(ranges.size());
  if (count > 0) side.ball(0, side.tokens());  // counts its tokens on all threads
  simd::Thrown thrown;
  const auto add = [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    const Ball ball = side.ball(ranges[at].first, ranges[at].end);
    for (Index j = 0; j < side.width(); ++j)
      made->means(i, j) = static_cast<float>(ball.mean[static_cast<std::size_t>(j)]);
    made->lengths[at] = static_cast<float>(std::sqrt(dot(ball.mean, ball.mean)));
    made->radii[at] = static_cast<float>(ball.radius);
  };
#pragma omp parallel for schedule(dynamic, 8) if (count > 32)
  for (Index i = 0; i < count; ++i) thrown.keep([&] { add(i); });
  thrown.pass_on();
  if (count <= 1) return made;  // a read-out's cell: it costs nothing, and would push out a view's
  const std::lock_guard lock(kept_lock_);
  kept_.emplace(kept_.begin(), &side, made);
  if (kept_.size() > kept_balls) kept_.resize(kept_balls);
  return made;
}

// A bound stays one in float: it is widened by what its roundings can take from it.
void ScoreMap::bound_map(const Balls& q, const Balls& k, Shows shows, std::vector<float>& values) const {
  const double product = std::max(simd::product_bound(queries_.width()), scores_gpu_bound(queries_.width()));
  const float sign = shows == Shows::highest ? 1.0F : -1.0F, scale = static_cast<float>(scale_),
              wider = static_cast<float>(scale_ * (1 + 2 * product + 0x1p-20));
  const float rounding = static_cast<float>(2 * scale_ * product * (1 + 0x1p-10));
  for (std::size_t r = 0; r < q.ranges.size(); ++r)
    for (std::size_t c = 0; c < k.ranges.size(); ++c) {
      float& value = values[r * k.ranges.size() + c];
      const float reach = q.radii[r] * k.lengths[c] + k.radii[c] * q.lengths[r] + q.radii[r] * k.radii[c];
      value = scale * value + sign * (wider * reach + rounding * q.lengths[r] * k.lengths[c]);
    }
}

void ScoreMap::exact_map(const std::vector<KeyRange>& queries, const std::vector<KeyRange>& keys, Shows shows,
                         std::vector<float>& values, const std::function<void()>& go_on) const {
  const bool highest = shows == Shows::highest;
  std::ranges::fill(
      values, highest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
  const KeyRange all_queries{queries.front().first, queries.back().end},
      all_keys{keys.front().first, keys.back().end};
  const auto scale = static_cast<float>(scale_);
  using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;
  for_tiles(
      queries_, keys_, {all_queries, all_keys}, [&](Index m, Index n, const tensor::Matrix<float>& tile) {
        if (go_on) go_on();
        const KeyRange tile_queries{m, m + tile.rows()}, tile_keys{n, n + tile.cols()};
        for (std::size_t r = 0; r < queries.size(); ++r) {
          const KeyRange down = common(queries[r], tile_queries);
          if (down.count() <= 0) continue;
          const auto rows = tile.middleRows(down.first - m, down.count());
          const Row best = highest ? Row(rows.colwise().maxCoeff()) : Row(rows.colwise().minCoeff());
          for (std::size_t c = 0; c < keys.size(); ++c) {
            const KeyRange across = common(keys[c], tile_keys);
            if (across.count() <= 0) continue;
            const auto part = best.segment(across.first - n, across.count());
            float& value = values[r * keys.size() + c];
            value =
                highest ? std::max(value, scale * part.maxCoeff()) : std::min(value, scale * part.minCoeff());
          }
        }
      });
}

std::vector<float> ScoreMap::map(const std::vector<KeyRange>& queries, const std::vector<KeyRange>& keys,
                                 Shows shows, double most, const std::function<void()>& go_on) const {
  std::vector<float> values(queries.size() * keys.size());
  if (values.empty()) return values;
  const ScoreBlock whole{{queries.front().first, queries.back().end}, {keys.front().first, keys.back().end}};
  if (shows != Shows::mean && whole.cells() <= most) {
    exact_map(queries, keys, shows, values, go_on);
  } else {
    const auto q = balls(queries_, queries), k = balls(keys_, keys);
    const tensor::View<const float> left(q->means), right(k->means);
    const tensor::View<float> products(values.data(), left.rows, right.rows);
    if (elsewhere_)
      elsewhere_(left, right, products);
    else
      simd::product(left, simd::Factor::transposed(right), {}, products);
    if (shows == Shows::mean)
      for (float& value : values) value *= static_cast<float>(scale_);
    else
      bound_map(*q, *k, shows, values);
  }
  if (mask_.kind == Mask::Kind::none) return values;
  for (std::size_t r = 0; r < queries.size(); ++r)
    for (std::size_t c = 0; c < keys.size(); ++c) {
      const ScoreBlock block{queries[r], keys[c]};
      if (hidden_cells(block, mask_) > block.cells() / 2)
        values[r * keys.size() + c] = -std::numeric_limits<float>::infinity();
    }
  return values;
}

}  // namespace orrery::attention
