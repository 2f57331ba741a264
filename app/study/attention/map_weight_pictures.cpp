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
#include "app/study/attention/map_kept_weights.h"
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

/// At first a picture has no numbers; then it has those of its bands, then its own, and then those of twice as many rows again
/// and again, whose errors are smaller. A layout tries several sizes of page: all that were asked for lately are found, the
/// coarsest of each first. A cell that is asked for alone has its own thread.
class SoonWeights : public figure::SoonSampler {
 public:
  explicit SoonWeights(std::shared_ptr<WeightPictures> pictures) : pictures_(std::move(pictures)) {}

  figure::Grid values(Range x, Range y, int cols, int rows) override {
    const PixelsAsked asked{x, y, cols, rows};
    if (asked.count() == 1) {
      if (auto kept = pictures_->kept(asked)) return *std::move(kept);
      return cell(asked);
    }
    const std::lock_guard lock(lock_);
    if (const Sought* there = sought(asked)) return there->so_far;
    auto kept = pictures_->kept(asked);
    const std::size_t steps = kept ? bands.size() : 0;
    sought_.insert(sought_.begin(), {asked, kept ? *std::move(kept) : nothing_of(asked), steps});
    if (sought_.size() > most_sought) sought_.pop_back();
    if (!std::exchange(finding_, true)) work_.ask([this](const std::stop_token& leave) { find(leave); });
    return sought_.front().so_far;
  }

  std::optional<figure::BlockValues> block(Range x, Range y) override { return pictures_->block(x, y, true); }
  std::uint64_t news() const override { return news_; }
  bool busy() const override {
    const std::lock_guard lock(lock_);
    return finding_ || cell_work_.busy();
  }

 private:
  static constexpr std::size_t most_sought = 4;
  static constexpr std::array bands{16, 4, 1};  // rows of pixels
  static constexpr Index most_times = 8;        // as many rows as were asked for

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
    const Sought* last = nullptr;
    for (const Sought& each : sought_)
      if (!done(each) && (!last || each.steps < last->steps)) last = &each;
    finding_ = last != nullptr;
    return finding_ ? std::optional(*last) : std::nullopt;
  }

  /// The rows of a pixel in a step behind the bands.
  Index rows_in(std::size_t step) const { return pictures_->rows() << (step - bands.size() + 1); }
  bool done(const Sought& each) const {
    if (each.steps < bands.size()) return false;
    const Index rows = rows_in(each.steps);
    return rows > most_times * pictures_->rows() || !pictures_->would_be_finer(each.asked, rows);
  }

  void find(const std::stop_token& leave) {
    while (const auto now = next()) try {
        const WeightsDone go_on = [&](double) {
          leave_if(leave);
          const std::lock_guard lock(lock_);
          if (!sought(now->asked)) throw NotWanted();
        };
        const bool further = now->steps >= bands.size();
        const int band = further ? 1 : bands[now->steps];
        const bool last = band == 1, worth_it = now->asked.rows >= 4 * band;
        figure::Grid found = further    ? pictures_->finer(now->asked, rows_in(now->steps), go_on)
                             : last     ? pictures_->of(now->asked, go_on)
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
