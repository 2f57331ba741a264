#include "app/study/attention/map_soon.h"

#include <atomic>
#include <chrono>
#include <mutex>

#include "app/study/attention/background_work.h"
#include "app/study/attention/map_looked_through.h"
#include "app/study/attention/map_sampler.h"
#include "core/attention/score_search.h"

namespace orrery::study {
namespace {

using attention::ScoreBlock;
using attention::ScoreMap;
using attention::ScoreSearch;
using figure::BlockValues;
using figure::Range;

constexpr double at_once = 256.0 * 256.0;  // cells: a millisecond
constexpr std::chrono::milliseconds said_again{100};

BlockValues values_of(double mean, const attention::Extremes& e) {
  return {mean, {e.lowest.lo, e.lowest.hi}, {e.highest.lo, e.highest.hi}};
}

class SoonScores : public figure::SoonSampler {
 public:
  SoonScores(const std::shared_ptr<const ScoreMap>& map, attention::Shows shows, figure::Sampler values)
      : map_(map), maps_(map, shows, std::move(values)) {}

  figure::Grid values(Range x, Range y, int cols, int rows) override {
    return maps_.values(x, y, cols, rows);
  }

  std::optional<BlockValues> block(Range x, Range y) override {
    const ScoreBlock block{tokens_in(y, 1, map_->tokens()).front(), tokens_in(x, 1, map_->tokens()).front()};
    if (hidden_cells(block, map_->mask()) > block.cells() / 2) return std::nullopt;
    const std::lock_guard lock(lock_);
    if (!same(block, block_)) {
      block_ = block;
      known_ = values_of(map_->mean(block), map_->extremes(block, at_once));
      if (block.cells() > at_once)
        work_.ask([this, block](const std::stop_token& leave) { look_through(block, leave); });
    }
    return known_;
  }

  std::uint64_t news() const override { return news_ + maps_.news(); }
  bool busy() const override { return work_.busy() || maps_.busy(); }

 private:
  static bool same(const ScoreBlock& a, const ScoreBlock& b) {
    return a.queries.first == b.queries.first && a.queries.end == b.queries.end &&
           a.keys.first == b.keys.first && a.keys.end == b.keys.end;
  }

  void tell(const ScoreBlock& block, const attention::Extremes& extremes) {
    const std::lock_guard lock(lock_);
    if (!same(block, block_)) return;
    known_ = values_of(known_.mean, extremes);
    ++news_;
  }

  void look_through(const ScoreBlock& block, const std::stop_token& leave) {
    const auto go_on = [&] {
      if (leave.stop_requested()) throw BackgroundWork::Left();
    };
    if (block.cells() <= ScoreMap::most_exact) {
      const attention::ExactExtremes found = map_->exact(block, go_on);
      return tell(block, {{found.lowest, found.lowest}, {found.highest, found.highest}});
    }
    ScoreSearch highest(*map_, block, ScoreSearch::For::highest),
        lowest(*map_, block, ScoreSearch::For::lowest);
    auto said = std::chrono::steady_clock::now();
    const auto left = [](const ScoreSearch& search) {
      return !search.over() && search.looked_through() < ScoreMap::most_exact;
    };
    while (left(highest) || left(lowest)) {
      go_on();
      if (left(highest)) highest.step();
      if (left(lowest)) lowest.step();
      if (const auto now = std::chrono::steady_clock::now(); now - said > said_again) {
        tell(block, {lowest.found(), highest.found()});
        said = now;
      }
    }
    tell(block, {lowest.found(), highest.found()});
  }

  std::shared_ptr<const ScoreMap> map_;
  LookedThroughMaps maps_;
  std::mutex lock_;
  ScoreBlock block_;
  BlockValues known_;
  std::atomic<std::uint64_t> news_{0};
  BackgroundWork work_;  // the last: its thread ends before what it works on
};

}  // namespace

std::shared_ptr<figure::SoonSampler> soon_scores(const std::shared_ptr<const ScoreMap>& map,
                                                 attention::Shows shows, figure::Sampler values) {
  return std::make_shared<SoonScores>(map, shows, std::move(values));
}

}  // namespace orrery::study
