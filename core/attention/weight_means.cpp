// Means of blocks of weights from some of their rows: which these are, and how far off the mean may be.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/weight_map.h"
#include "core/tensor/random.h"

namespace orrery::attention {
namespace {

constexpr Index rows_at_once = 2048;  // that have a sum for each column of a page
constexpr std::uint32_t lots_stream = 6;

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

}  // namespace

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
