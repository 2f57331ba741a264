// What was found for the last pictures of weights: for files as it was asked for, for windows from more rows as well.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "app/figure/block_sampler.h"
#include "app/study/attention/map_sampler.h"
#include "app/study/kit/numbers.h"
#include "core/attention/weight_map.h"

namespace orrery::study {

inline constexpr double no_weight = 1e-300;  // what is below has no logarithm left

struct PixelsAsked {
  figure::Range x, y;
  int cols = 0, rows = 0;
  bool operator==(const PixelsAsked&) const = default;
  std::size_t count() const { return static_cast<std::size_t>(cols) * static_cast<std::size_t>(rows); }
};

/// What stands behind the pixels of a picture.
struct WeightPicture {
  PixelsAsked asked;
  std::vector<attention::KeyRange> queries, keys;
  attention::WeightMeans means;
  figure::Grid shown;
};

/// The last ones: a layout asks for the same pixels again, and a read-out for one of them.
class WeightPictures {
 public:
  WeightPictures(std::shared_ptr<const attention::WeightMap> map, tensor::Index rows)
      : map_(std::move(map)), rows_(rows) {}

  figure::Grid of(const PixelsAsked& asked, const attention::WeightsDone& done = {}) {
    if (auto there = kept(asked)) return *std::move(there);
    WeightPicture made = empty_picture(asked);
    made.means = map_->means(made.queries, made.keys, rows_, done);
    show(made, 1);
    figure::Grid shown = made.shown;
    if (asked.count() <= 1) return shown;  // a read-out's cell
    const std::lock_guard lock(lock_);
    kept_.insert(kept_.begin(), std::move(made));
    if (kept_.size() > most_kept) kept_.pop_back();
    return shown;
  }

  tensor::Index rows() const { return rows_; }
  /// Whether a pixel has more rows than were asked for, so that `rows` tell more.
  bool would_be_finer(const PixelsAsked& asked, tensor::Index rows) const {
    const tensor::Index tokens = map_->scores().tokens();
    const std::vector<attention::KeyRange> queries = tokens_in(asked.y, asked.rows, tokens);
    return std::ranges::any_of(queries, [&](attention::KeyRange each) { return each.count() > rows / 2; });
  }

  /// From more rows, for a window: what a file shows stays as it was asked for.
  figure::Grid finer(const PixelsAsked& asked, tensor::Index rows, const attention::WeightsDone& done) {
    WeightPicture made = empty_picture(asked);
    made.means = map_->means(made.queries, made.keys, rows, done);
    show(made, 1);
    figure::Grid shown = made.shown;
    const std::lock_guard lock(lock_);
    std::erase_if(finer_, [&](const WeightPicture& each) { return each.asked == asked; });
    finer_.insert(finer_.begin(), std::move(made));
    if (finer_.size() > most_finer) finer_.pop_back();
    return shown;
  }

  std::optional<figure::Grid> kept(const PixelsAsked& asked) const {
    const std::lock_guard lock(lock_);
    const auto found = std::ranges::find(kept_, asked, &WeightPicture::asked);
    return found != kept_.end() ? std::optional(found->shown) : std::nullopt;
  }

  /// Every so many rows of pixels as one block.
  figure::Grid in_bands(const PixelsAsked& asked, int band, const attention::WeightsDone& done) const {
    WeightPicture made = empty_picture(asked);
    std::vector<attention::KeyRange> bands;
    const auto step = static_cast<std::size_t>(band);
    for (std::size_t r = 0; r < made.queries.size(); r += step)
      bands.push_back({made.queries[r].first, made.queries[std::min(r + step, made.queries.size()) - 1].end});
    made.means = map_->means(bands, made.keys, rows_, done);
    show(made, step);
    return std::move(made.shown);
  }

  /// Whether of() takes no longer than a frame: of one cell in a row that was met.
  bool is_quick(const PixelsAsked& asked) const {
    const WeightPicture cell = empty_picture(asked);
    return asked.count() == 1 && cell.queries.front().count() == 1 &&
           map_->knows_log_sum_exp(cell.queries.front().first);
  }

  /// Of a pixel of one of the last pictures; in a window of the finest of them.
  std::optional<figure::BlockValues> block(figure::Range x, figure::Range y, bool finest = false) const {
    const tensor::Index tokens = map_->scores().tokens();
    const attention::ScoreBlock block{tokens_in(y, 1, tokens).front(), tokens_in(x, 1, tokens).front()};
    if (is_hidden(block)) return std::nullopt;
    const auto place = [](const std::vector<attention::KeyRange>& ranges, attention::KeyRange range) {
      const auto found = std::ranges::lower_bound(ranges, range.first, {}, &attention::KeyRange::first);
      const bool same = found != ranges.end() && found->first == range.first && found->end == range.end;
      return same ? found - ranges.begin() : -1;
    };
    const auto value_in = [&](const WeightPicture& made) -> std::optional<figure::BlockValues> {
      const auto row = place(made.queries, block.queries), column = place(made.keys, block.keys);
      if (row < 0 || column < 0) return std::nullopt;
      const auto r = static_cast<std::size_t>(row);
      const std::size_t at = r * made.keys.size() + static_cast<std::size_t>(column);
      const double mean = made.means.mean[at], error = number(made.means.error[at]);
      return figure::BlockValues{std::log10(std::max(mean, no_weight)),
                                 {},
                                 {},
                                 figure::RowsLooked{number(made.means.rows[r]), number(block.queries.count()),
                                                    mean > 0 ? error / mean : 0}};
    };
    const std::lock_guard lock(lock_);
    for (const auto* pictures : {&finer_, &kept_}) {
      if (pictures == &finer_ && !finest) continue;
      for (const WeightPicture& made : *pictures)
        if (auto value = value_in(made)) return value;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_kept = 6, most_finer = 4;

  bool is_hidden(const attention::ScoreBlock& block) const {
    return hidden_cells(block, map_->scores().mask()) > block.cells() / 2;
  }

  WeightPicture empty_picture(const PixelsAsked& asked) const {
    const tensor::Index tokens = map_->scores().tokens();
    return {asked, tokens_in(asked.y, asked.rows, tokens), tokens_in(asked.x, asked.cols, tokens), {}, {}};
  }

  /// `band` rows of pixels have one row of means.
  void show(WeightPicture& made, std::size_t band) const {
    made.shown = {made.asked.rows, made.asked.cols, {}};
    made.shown.values.reserve(made.asked.count());
    for (std::size_t r = 0; r < made.queries.size(); ++r)
      for (std::size_t c = 0; c < made.keys.size(); ++c) {
        const double mean = std::max(made.means.mean[r / band * made.keys.size() + c], no_weight);
        made.shown.values.push_back(is_hidden({made.queries[r], made.keys[c]})
                                        ? -std::numeric_limits<float>::infinity()
                                        : static_cast<float>(std::log10(mean)));
      }
  }

  std::shared_ptr<const attention::WeightMap> map_;
  tensor::Index rows_;
  mutable std::mutex lock_;
  std::vector<WeightPicture> kept_, finer_;  // the last one first
};

}  // namespace orrery::study
