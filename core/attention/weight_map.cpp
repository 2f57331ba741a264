#include "core/attention/weight_map.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

#include "core/attention/log_sums_kernels.h"
#include "core/simd/product.h"
#include "core/tensor/random.h"

namespace orrery::attention {
namespace {

constexpr Index tile_rows = 128, tile_keys = 1024;  // a tile of scores is half a megabyte
constexpr Index most_in_a_piece = 1 << 14;          // keys
constexpr Index rows_at_once = 2048;                // that have a sum for each column of a page
constexpr std::size_t most_kept = 1 << 20;
constexpr std::uint32_t lots_stream = 6;

KeyRange common(KeyRange a, KeyRange b) {
  return {std::max(a.first, b.first), std::min(a.end, b.end)};
}

/// The part of a whole that a piece of work is.
WeightsDone share_of(const WeightsDone& done, double from, double to) {
  if (!done) return {};
  return [&done, from, to](double fraction) { done(from + (to - from) * fraction); };
}

/// Each range once; which of them each one is.
struct Distinct {
  std::vector<KeyRange> ranges;
  std::vector<std::size_t> which;
  explicit Distinct(const std::vector<KeyRange>& all) {
    for (const KeyRange& range : all) {
      if (ranges.empty() || range.first != ranges.back().first) ranges.push_back(range);
      which.push_back(ranges.size() - 1);
    }
  }
};

/// Keys that have one sum.
struct Column {
  KeyRange keys;
  std::size_t column;
  std::size_t count;  ///< of all columns up to this one
};

/// The parts; and what of `all` is in none of them, in pieces behind them.
std::vector<Column> columns_of(const std::vector<KeyRange>& parts, KeyRange all) {
  std::vector<Column> columns;
  std::size_t count = parts.size();
  Index covered = all.first;
  const auto rest_up_to = [&](Index end) {
    for (; covered < std::min(end, all.end); ++count) {
      const Index next = std::min({covered + most_in_a_piece, end, all.end});
      columns.push_back({{covered, next}, count, count + 1});
      covered = next;
    }
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    rest_up_to(parts[i].first);
    columns.push_back({parts[i], i, count});
    covered = std::max(covered, parts[i].end);
  }
  rest_up_to(all.end);
  return columns;
}

/// Tiles lie alike, whatever else is asked for: so do the sums, to the last bit.
Index next_tile(Index key) {
  return (key / tile_keys + 1) * tile_keys;
}

/// Columns beside each other that one thread takes.
struct Piece {
  std::size_t first, end;
};

std::vector<Piece> pieces_of(const std::vector<Column>& columns) {
  std::vector<Piece> pieces;
  Index keys = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool beside = i > 0 && columns[i].keys.first == columns[i - 1].keys.end;
    if (pieces.empty() || !beside || keys + columns[i].keys.count() > most_in_a_piece) {
      pieces.push_back({i, i});
      keys = 0;
    }
    keys += columns[i].keys.count();
    pieces.back().end = i + 1;
  }
  return pieces;
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

WeightMap::WeightMap(std::shared_ptr<const ScoreMap> scores, std::uint64_t seed)
    : scores_(std::move(scores)), seed_(seed) {}

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
  const std::vector<Column> columns = columns_of(parts, others ? common({0, tokens}, any) : KeyRange{});
  const std::vector<Piece> pieces = pieces_of(columns);
  Sums sums(queries.size(), columns.empty() ? parts.size() : std::max(parts.size(), columns.back().count));
  const double factor = scores_->scale() * std::numbers::log2e;

  const auto add_tile = [&](Piece piece, KeyRange keys, const tensor::Matrix<float>& k,
                            tensor::Matrix<float>& tile, std::vector<LogSumStretch>& stretches,
                            std::vector<std::size_t>& into) {
    for (Index first = 0; first < rows; first += tile_rows) {
      const Index end = std::min(first + tile_rows, rows);
      const auto sees = [&](KeyRange own) { return common(own, keys).count() > 0; };
      if (std::none_of(seen.begin() + first, seen.begin() + end, sees)) continue;
      simd::product(tensor::View<const float>(q.data() + first * d, end - first, d),
                    simd::Factor::transposed(tensor::View<const float>(k)), {},
                    tensor::View<float>(tile.data(), end - first, keys.count()));
      for (Index r = first; r < end; ++r) {
        stretches.clear(), into.clear();
        for (std::size_t c = piece.first; c < piece.end; ++c) {
          const KeyRange mine = common(common(columns[c].keys, keys), seen[static_cast<std::size_t>(r)]);
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

  std::atomic<std::size_t> untaken{0};
  std::exception_ptr stopped;
  std::atomic<bool> stop{false};
#pragma omp parallel
  {
    tensor::Matrix<float> tile(std::min(rows, tile_rows), tile_keys);
    std::vector<LogSumStretch> stretches;
    std::vector<std::size_t> into;
    for (std::size_t i = untaken++; i < pieces.size() && !stop; i = untaken++) {
      const KeyRange all =
          common({columns[pieces[i].first].keys.first, columns[pieces[i].end - 1].keys.end}, any);
      for (Index n = all.first; n < all.end && !stop; n = next_tile(n)) {
        if (done && omp_get_thread_num() == 0) try {
            done(static_cast<double>(i) / static_cast<double>(pieces.size()));
          } catch (...) {
            stopped = std::current_exception();
            stop = true;
            break;
          }
        const KeyRange keys{n, std::min(next_tile(n), all.end)};
        add_tile(pieces[i], keys, scores_->keys().rows(keys.first, keys.count()).cast<float>(), tile,
                 stretches, into);
      }
    }
  }
  if (stopped) std::rethrow_exception(stopped);
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

/// The random number of each row.
std::vector<std::uint32_t> WeightMap::lots(KeyRange queries) const {
  std::vector<std::uint32_t> all;
  all.reserve(static_cast<std::size_t>(queries.count()));
  for (Index four = queries.first / 4; 4 * four < queries.end; ++four) {
    const auto words = tensor::philox4x32(
        {static_cast<std::uint32_t>(four), static_cast<std::uint32_t>(four >> 32), lots_stream, 0},
        {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
    for (Index i = 0; i < 4; ++i)
      if (queries.first <= 4 * four + i && 4 * four + i < queries.end)
        all.push_back(words[static_cast<std::size_t>(i)]);
  }
  return all;
}

std::vector<Index> WeightMap::representatives(KeyRange queries, Index most) const {
  std::vector<Index> rows(static_cast<std::size_t>(queries.count()));
  std::iota(rows.begin(), rows.end(), queries.first);
  if (queries.count() <= most) return rows;
  const std::vector<std::uint32_t> lot = lots(queries);
  const auto order = [&](Index t) {  // two that drew one number: the first one first
    return std::pair(lot[static_cast<std::size_t>(t - queries.first)], t);
  };
  std::ranges::nth_element(rows, rows.begin() + most, {}, order);
  rows.resize(static_cast<std::size_t>(most));
  std::ranges::sort(rows);
  return rows;
}

WeightMeans WeightMap::means(const std::vector<KeyRange>& queries, const std::vector<KeyRange>& keys,
                             Index rows, const WeightsDone& done, double whole) const {
  const std::size_t columns = keys.size();
  WeightMeans made{
      std::vector<double>(queries.size() * columns), std::vector<float>(queries.size() * columns), {}};
  if (queries.empty() || columns == 0) return made;
  const Distinct down(queries), across(keys);
  const double cells = static_cast<double>(down.ranges.back().end - down.ranges.front().first) *
                       static_cast<double>(scores_->tokens());
  const Index each = cells <= whole ? scores_->tokens() : std::max<Index>(2, rows);
  std::vector<std::vector<Index>> chosen;
  for (const KeyRange& range : down.ranges) chosen.push_back(representatives(range, each));

  std::vector<double> mean(columns), error(columns), own(columns);
  std::size_t pixel_row = 0;
  for (std::size_t first = 0; first < chosen.size();) {
    std::vector<Index> together;
    std::size_t end = first;
    for (; end < chosen.size() && (end == first || std::ssize(together) < rows_at_once); ++end)
      together.insert(together.end(), chosen[end].begin(), chosen[end].end());
    const auto part = [&](std::size_t i) {
      return static_cast<double>(i) / static_cast<double>(chosen.size());
    };
    const LogSums sums = log_sums(together, across.ranges, share_of(done, part(first), part(end)));
    std::size_t at = 0;
    for (std::size_t band = first; band < end; ++band) {
      const auto k = static_cast<double>(chosen[band].size()),
                 n = static_cast<double>(down.ranges[band].count());
      // Of each distinct column: the mean over the rows, then how far they lie about it.
      for (std::size_t c = 0; c < across.ranges.size(); ++c) {
        const auto width = static_cast<double>(across.ranges[c].count());
        const auto weight = [&](std::size_t row) {
          const double z = sums.all[row];
          return std::isinf(z) ? 0 : std::exp(sums.parts[row * across.ranges.size() + c] - z) / width;
        };
        double total = 0, square = 0;
        for (std::size_t row = at; row < at + chosen[band].size(); ++row) total += weight(row);
        mean[c] = total / k;
        for (std::size_t row = at; k < n && row < at + chosen[band].size(); ++row)
          square += (weight(row) - mean[c]) * (weight(row) - mean[c]);
        error[c] = k < n ? std::sqrt((1 - k / n) * square / (k - 1) / k) : 0;
      }
      at += chosen[band].size();
      for (; pixel_row < down.which.size() && down.which[pixel_row] == band; ++pixel_row) {
        made.rows.push_back(std::ssize(chosen[band]));
        for (std::size_t c = 0; c < columns; ++c) {
          made.mean[pixel_row * columns + c] = mean[across.which[c]];
          made.error[pixel_row * columns + c] = static_cast<float>(error[across.which[c]]);
        }
      }
    }
    first = end;
  }
  return made;
}

}  // namespace orrery::attention
