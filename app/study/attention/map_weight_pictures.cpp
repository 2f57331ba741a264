#include "app/study/attention/map_weight_pictures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "app/figure/block_sampler.h"
#include "app/study/attention/background_work.h"
#include "app/study/attention/map_sampler.h"
#include "app/study/kit/numbers.h"
#include "app/study/kit/panels.h"

namespace orrery::study {
namespace {

using attention::KeyRange;
using attention::ScoreBlock;
using attention::WeightMap;
using attention::WeightMeans;
using attention::WeightsDone;
using figure::Range;
using tensor::Index;

constexpr double no_weight = 1e-300;  // what is below has no logarithm left

struct PixelsAsked {
  Range x, y;
  int cols = 0, rows = 0;
  bool operator==(const PixelsAsked&) const = default;
  std::size_t count() const { return static_cast<std::size_t>(cols) * static_cast<std::size_t>(rows); }
};

/// What stands behind the pixels of a picture.
struct WeightPicture {
  PixelsAsked asked;
  std::vector<KeyRange> queries, keys;
  WeightMeans means;
  figure::Grid shown;
};

/// The last ones: a layout asks for the same pixels again, and a read-out for one of them.
class WeightPictures {
 public:
  WeightPictures(std::shared_ptr<const WeightMap> map, Index rows) : map_(std::move(map)), rows_(rows) {}

  figure::Grid of(const PixelsAsked& asked, const WeightsDone& done = {}) {
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

  std::optional<figure::Grid> kept(const PixelsAsked& asked) const {
    const std::lock_guard lock(lock_);
    const auto found = std::ranges::find(kept_, asked, &WeightPicture::asked);
    return found != kept_.end() ? std::optional(found->shown) : std::nullopt;
  }

  /// Every so many rows of pixels as one block.
  figure::Grid in_bands(const PixelsAsked& asked, int band, const WeightsDone& done) const {
    WeightPicture made = empty_picture(asked);
    std::vector<KeyRange> bands;
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

  /// Of a pixel of one of the last pictures.
  std::optional<figure::BlockValues> block(Range x, Range y) const {
    const Index tokens = map_->scores().tokens();
    const ScoreBlock block{tokens_in(y, 1, tokens).front(), tokens_in(x, 1, tokens).front()};
    if (is_hidden(block)) return std::nullopt;
    const auto place = [](const std::vector<KeyRange>& ranges, KeyRange range) {
      const auto found = std::ranges::lower_bound(ranges, range.first, {}, &KeyRange::first);
      const bool same = found != ranges.end() && found->first == range.first && found->end == range.end;
      return same ? found - ranges.begin() : -1;
    };
    const std::lock_guard lock(lock_);
    for (const WeightPicture& made : kept_) {
      const auto row = place(made.queries, block.queries), column = place(made.keys, block.keys);
      if (row < 0 || column < 0) continue;
      const auto r = static_cast<std::size_t>(row);
      const std::size_t at = r * made.keys.size() + static_cast<std::size_t>(column);
      const double mean = made.means.mean[at], error = number(made.means.error[at]);
      return figure::BlockValues{std::log10(std::max(mean, no_weight)),
                                 {},
                                 {},
                                 figure::RowsLooked{number(made.means.rows[r]), number(block.queries.count()),
                                                    mean > 0 ? error / mean : 0}};
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_kept = 6;

  bool is_hidden(const ScoreBlock& block) const {
    return hidden_cells(block, map_->scores().mask()) > block.cells() / 2;
  }

  WeightPicture empty_picture(const PixelsAsked& asked) const {
    const Index tokens = map_->scores().tokens();
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

  std::shared_ptr<const WeightMap> map_;
  Index rows_;
  mutable std::mutex lock_;
  std::vector<WeightPicture> kept_;  // the last one first
};

/// At first a picture has no numbers; then it has those of its bands, then its own. A layout tries several sizes of page: all
/// that were asked for lately are found, the coarsest of each first. A cell that is asked for alone has its own thread.
class SoonWeights : public figure::SoonSampler {
 public:
  explicit SoonWeights(std::shared_ptr<WeightPictures> pictures) : pictures_(std::move(pictures)) {}

  figure::Grid values(Range x, Range y, int cols, int rows) override {
    const PixelsAsked asked{x, y, cols, rows};
    if (auto kept = pictures_->kept(asked)) return *std::move(kept);
    if (asked.count() == 1) return cell(asked);
    const std::lock_guard lock(lock_);
    if (const Sought* there = sought(asked)) return there->so_far;
    sought_.insert(sought_.begin(), {asked, nothing_of(asked)});
    if (sought_.size() > most_sought) sought_.pop_back();
    if (!std::exchange(finding_, true)) work_.ask([this](const std::stop_token& leave) { find(leave); });
    return sought_.front().so_far;
  }

  std::optional<figure::BlockValues> block(Range x, Range y) override { return pictures_->block(x, y); }
  std::uint64_t news() const override { return news_; }
  bool busy() const override {
    const std::lock_guard lock(lock_);
    return finding_ || cell_work_.busy();
  }

 private:
  static constexpr std::size_t most_sought = 4;
  static constexpr std::array bands{16, 4, 1};  // rows of pixels

  struct Sought {
    PixelsAsked asked;
    figure::Grid so_far;
    std::size_t steps = 0;  // of the bands, that are done
  };
  struct NotWanted {};  // any more

  static figure::Grid nothing_of(const PixelsAsked& asked) {
    return {asked.rows, asked.cols,
            std::vector<float>(asked.count(), std::numeric_limits<float>::quiet_NaN())};
  }

  figure::Grid cell(const PixelsAsked& asked) {
    if (pictures_->is_quick(asked)) return pictures_->of(asked);
    const std::lock_guard lock(lock_);
    if (!(cell_ == asked))
      cell_work_.ask([this, asked](const std::stop_token& leave) {
        (void)pictures_->of(asked, [&](double) { leave_if(leave); });
        ++news_;
      });
    cell_ = asked;
    return nothing_of(asked);
  }

  static void leave_if(const std::stop_token& leave) {
    if (leave.stop_requested()) throw BackgroundWork::Left();
  }

  Sought* sought(const PixelsAsked& asked) {
    const auto found = std::ranges::find(sought_, asked, &Sought::asked);
    return found != sought_.end() ? &*found : nullptr;
  }

  /// The one that is furthest behind, the last asked for of several.
  std::optional<Sought> next() {
    const std::lock_guard lock(lock_);
    const auto last = std::ranges::min_element(sought_, {}, &Sought::steps);
    finding_ = last != sought_.end() && last->steps < bands.size();
    return finding_ ? std::optional(*last) : std::nullopt;
  }

  void find(const std::stop_token& leave) {
    while (const auto now = next()) try {
        const WeightsDone go_on = [&](double) {
          leave_if(leave);
          const std::lock_guard lock(lock_);
          if (!sought(now->asked)) throw NotWanted();
        };
        const int band = bands[now->steps];
        const bool last = band == 1, worth_it = now->asked.rows >= 4 * band;
        figure::Grid found = last       ? pictures_->of(now->asked, go_on)
                             : worth_it ? pictures_->in_bands(now->asked, band, go_on)
                                        : now->so_far;
        const std::lock_guard lock(lock_);
        if (Sought* const there = sought(now->asked)) {
          there->so_far = std::move(found);
          ++there->steps;
          if (last || worth_it) ++news_;
        }
      } catch (const NotWanted&) {
      }
  }

  std::shared_ptr<WeightPictures> pictures_;
  mutable std::mutex lock_;
  std::atomic<std::uint64_t> news_{0};
  std::vector<Sought> sought_;  // the last one first
  PixelsAsked cell_;
  bool finding_ = false;
  BackgroundWork work_, cell_work_;  // the last: their threads end before what they work on
};

}  // namespace

figure::Heatmap map_of_weights(std::shared_ptr<const WeightMap> map, Index rows) {
  const Index tokens = map->scores().tokens();
  const auto pictures = std::make_shared<WeightPictures>(std::move(map), rows);
  figure::BlockSampler blocks{[pictures](Range x, Range y, int cols, int count) {
                                return pictures->of({x, y, cols, count});
                              },
                              [pictures](Range x, Range y) { return pictures->block(x, y); },
                              std::make_shared<SoonWeights>(pictures)};
  figure::Heatmap shown = heatmap(figure::Sampler(std::move(blocks)), tokens, tokens,
                                  {.map = figure::ColorMap::viridis, .label = "$\\log_{10}$ weight"});
  shown.averaged = "averaged (rows looked at, standard error)";
  shown.shows = "mean of its block";
  return shown;
}

}  // namespace orrery::study
