#include "core/attention/weight_map.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "core/attention/log_sums_kernels.h"
#include "core/attention/sum_pieces.h"
#include "core/simd/product.h"
#include "core/simd/thrown.h"

namespace orrery::attention {
namespace {

constexpr Index tile_rows = 128, tile_keys = 1024;  // a tile of scores is half a megabyte
// From so many rows on, and keys of a column in the mean over a piece, a tile is worth the way to another device.
constexpr Index worth_rows = 8, worth_keys = 128;
constexpr std::size_t most_kept = 1 << 20;

/// Tiles lie alike, whatever else is asked for: so do the sums, to the last bit.
Index next_tile(Index key) {
  return (key / tile_keys + 1) * tile_keys;
}

}  // namespace

/// Of each row and column Σ e^(s − largest) over what is seen, and the largest product.
struct WeightMap::Sums {
  std::size_t columns;
  std::vector<float> largest;
  std::vector<double> sum;

  Sums(std::size_t rows, std::size_t count)
      : columns(count), largest(rows * count, -std::numeric_limits<float>::infinity()), sum(rows * count) {}

  void add(std::size_t at, const LogSumStretch& s, double factor) {
    const float most = std::max(largest[at], s.largest);
    const auto brought_to = [&](float from) {
      return from == most ? 1 : std::exp2(factor * (static_cast<double>(from) - static_cast<double>(most)));
    };
    sum[at] = (sum[at] > 0 ? sum[at] * brought_to(largest[at]) : 0) + s.sum * brought_to(s.largest);
    largest[at] = most;
  }
  double log(std::size_t row, std::size_t column, double scale) const {
    const std::size_t at = row * columns + column;
    return sum[at] > 0 ? scale * static_cast<double>(largest[at]) + std::log(sum[at])
                       : -std::numeric_limits<double>::infinity();
  }
  /// Of all columns together.
  double log_of_row(std::size_t row, double scale) const {
    const auto first = largest.begin() + static_cast<std::ptrdiff_t>(row * columns);
    const double most =
        static_cast<double>(*std::max_element(first, first + static_cast<std::ptrdiff_t>(columns)));
    double total = 0;
    for (std::size_t c = 0; c < columns; ++c)
      if (const std::size_t at = row * columns + c; sum[at] > 0)
        total += sum[at] * std::exp(scale * (static_cast<double>(largest[at]) - most));
    return total > 0 ? scale * most + std::log(total) : -std::numeric_limits<double>::infinity();
  }
};

WeightMap::WeightMap(std::shared_ptr<const ScoreMap> scores, std::uint64_t seed, TileSums elsewhere)
    : scores_(std::move(scores)), seed_(seed), elsewhere_(std::move(elsewhere)) {}

// Whole columns are one thread's, so that no sum depends on how the work is cut; one for every piece of the other keys.
WeightMap::Sums WeightMap::sweep(const std::vector<Index>& queries, const std::vector<KeyRange>& parts,
                                 bool others, const WeightsDone& done) const {
  const Index tokens = scores_->tokens(), d = scores_->queries().width(), rows = std::ssize(queries);
  tensor::Matrix<float> q(rows, d);
  std::vector<KeyRange> seen;
  KeyRange any{tokens, 0};
  for (Index r = 0; r < rows; ++r) {
    const Index query = queries[static_cast<std::size_t>(r)];
    q.row(r) = scores_->queries().rows(query, 1).row(0).cast<float>();
    seen.push_back(scores_->mask().range(query, tokens, tokens));
    any = {std::min(any.first, seen.back().first), std::max(any.end, seen.back().end)};
  }
  const std::vector<SumColumn> columns = sum_columns(parts, others ? overlap({0, tokens}, any) : KeyRange{});
  std::vector<SumPiece> pieces = sum_pieces(columns), for_device;
  if (elsewhere_ && rows >= worth_rows) {
    const auto wide = [&](SumPiece p) {
      const Index keys = columns[p.end - 1].keys.end - columns[p.first].keys.first;
      return keys >= worth_keys * static_cast<Index>(p.end - p.first);
    };
    std::ranges::copy_if(pieces, std::back_inserter(for_device), wide);
    std::erase_if(pieces, wide);
  }
  Sums sums(queries.size(), columns.empty() ? parts.size() : std::max(parts.size(), columns.back().count));
  const double factor = scores_->scale() * std::numbers::log2e;

  const auto add_tile = [&](SumPiece piece, KeyRange keys, const tensor::Matrix<float>& k,
                            tensor::Matrix<float>& tile, std::vector<LogSumStretch>& stretches,
                            std::vector<std::size_t>& into) {
    for (Index first = 0; first < rows; first += tile_rows) {
      const Index end = std::min(first + tile_rows, rows);
      const auto sees = [&](KeyRange own) { return overlap(own, keys).count() > 0; };
      if (std::none_of(seen.begin() + first, seen.begin() + end, sees)) continue;
      simd::product(tensor::View<const float>(q.data() + first * d, end - first, d),
                    simd::Factor::transposed(tensor::View<const float>(k)), {},
                    tensor::View<float>(tile.data(), end - first, keys.count()));
      for (Index r = first; r < end; ++r) {
        stretches.clear(), into.clear();
        for (std::size_t c = piece.first; c < piece.end; ++c) {
          const KeyRange mine = overlap(overlap(columns[c].keys, keys), seen[static_cast<std::size_t>(r)]);
          if (mine.count() <= 0) continue;
          stretches.push_back({static_cast<std::size_t>(mine.first - keys.first),
                               static_cast<std::size_t>(mine.count()), 0, 0});
          into.push_back(static_cast<std::size_t>(r) * sums.columns + columns[c].column);
        }
        attention::log_sums(tile.data() + (r - first) * keys.count(), static_cast<float>(factor),
                            stretches.size(), stretches.data());
        for (std::size_t i = 0; i < into.size(); ++i) sums.add(into[i], stretches[i], factor);
      }
    }
  };

  const auto take_elsewhere = [&](SumPiece piece, KeyRange keys) {
    std::vector<KeyRange> own, stretches;
    std::vector<std::size_t> into;
    for (const KeyRange& each : seen) own.push_back({each.first - keys.first, each.end - keys.first});
    for (std::size_t c = piece.first; c < piece.end; ++c)
      if (const KeyRange here = overlap(columns[c].keys, keys); here.count() > 0) {
        stretches.push_back({here.first - keys.first, here.end - keys.first});
        into.push_back(columns[c].column);
      }
    const tensor::Matrix<float> k = scores_->keys().rows(keys.first, keys.count()).cast<float>();
    std::vector<LogSum> found(queries.size() * stretches.size());
    elsewhere_({tensor::View<const float>(q), tensor::View<const float>(k), own, stretches, scores_->scale()},
               found);
    for (std::size_t r = 0; r < queries.size(); ++r)
      for (std::size_t i = 0; i < into.size(); ++i)
        if (const LogSum& s = found[r * into.size() + i]; s.sum != 0)
          sums.add(r * sums.columns + into[i], {0, 0, s.largest, s.sum}, factor);
  };
  for (std::size_t i = 0; i < for_device.size(); ++i) {
    const KeyRange all =
        overlap({columns[for_device[i].first].keys.first, columns[for_device[i].end - 1].keys.end}, any);
    for (Index n = all.first, next; n < all.end; n = next) {
      next = std::min((n / most_log_sum_keys + 1) * most_log_sum_keys, all.end);
      if (done) done(static_cast<double>(i) / static_cast<double>(for_device.size() + pieces.size()));
      take_elsewhere(for_device[i], {n, next});
    }
  }

  std::atomic<std::size_t> untaken{0};
  simd::Thrown thrown;
#pragma omp parallel
  thrown.keep([&] {
    tensor::Matrix<float> tile(std::min(rows, tile_rows), tile_keys);
    std::vector<LogSumStretch> stretches;
    std::vector<std::size_t> into;
    for (std::size_t i = untaken++; i < pieces.size(); i = untaken++) {
      const KeyRange all =
          overlap({columns[pieces[i].first].keys.first, columns[pieces[i].end - 1].keys.end}, any);
      for (Index n = all.first; n < all.end; n = next_tile(n)) {
        if (thrown.any()) return;
        if (done && omp_get_thread_num() == 0)
          done(static_cast<double>(for_device.size() + i) /
               static_cast<double>(for_device.size() + pieces.size()));
        const KeyRange keys{n, std::min(next_tile(n), all.end)};
        add_tile(pieces[i], keys, scores_->keys().rows(keys.first, keys.count()).cast<float>(), tile,
                 stretches, into);
      }
    }
  });
  thrown.pass_on();
  return sums;
}

void WeightMap::keep(const std::vector<Index>& queries, const std::vector<double>& sums) const {
  const std::lock_guard lock(kept_lock_);
  if (kept_.size() + queries.size() > most_kept) kept_.clear();
  for (std::size_t i = 0; i < queries.size(); ++i) kept_[queries[i]] = sums[i];
}

bool WeightMap::knows_log_sum_exp(Index query) const {
  const std::lock_guard lock(kept_lock_);
  return kept_.contains(query);
}

LogSums WeightMap::log_sums(const std::vector<Index>& queries, const std::vector<KeyRange>& parts,
                            const WeightsDone& done) const {
  LogSums found{std::vector<double>(queries.size() * parts.size()), std::vector<double>(queries.size())};
  std::vector<Index> known, unknown;
  std::vector<std::size_t> known_at, unknown_at;
  {
    const std::lock_guard lock(kept_lock_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto kept = kept_.find(queries[i]);
      const bool there = kept != kept_.end();
      if (there) found.all[i] = kept->second;
      (there ? known : unknown).push_back(queries[i]);
      (there ? known_at : unknown_at).push_back(i);
    }
  }
  const double scale = scores_->scale();
  const auto take = [&](const Sums& sums, const std::vector<std::size_t>& at) {
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t c = 0; c < parts.size(); ++c)
        found.parts[at[i] * parts.size() + c] = sums.log(i, c, scale);
  };
  if (!unknown.empty()) {
    const Sums sums = sweep(unknown, parts, true, done);
    take(sums, unknown_at);
    std::vector<double> totals;
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      totals.push_back(sums.log_of_row(i, scale));
      found.all[unknown_at[i]] = totals.back();
    }
    keep(unknown, totals);
  }
  if (!known.empty() && !parts.empty()) take(sweep(known, parts, false, done), known_at);
  return found;
}

}  // namespace orrery::attention
