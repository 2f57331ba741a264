// Pictures of the highest or lowest scores, refined for a window: bounds at once, and then, a strip of pixels after
// another, what is found when all cells of them are looked through.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "app/figure/marks.h"
#include "app/study/attention/background_work.h"
#include "core/attention/score_map.h"

namespace orrery::study {

class LookedThroughMaps {
 public:
  /// A picture of more cells keeps its bounds: it would take minutes.
  static constexpr double most_cells = 131072.0 * 131072.0;

  /// `bounds`: what is shown until then.
  LookedThroughMaps(std::shared_ptr<const attention::ScoreMap>, attention::Shows, figure::Sampler bounds);

  figure::Grid values(figure::Range x, figure::Range y, int cols, int rows);
  std::uint64_t news() const { return news_; }
  bool busy() const;

 private:
  static constexpr std::size_t most_sought = 4;  // a layout tries several sizes of page
  static constexpr int strip = 8;                // rows of pixels

  struct Sought {
    figure::Range x, y;
    figure::Grid so_far;
    int done = 0;  // rows of pixels
    bool is(figure::Range x0, figure::Range y0, int cols, int rows) const {
      return x == x0 && y == y0 && so_far.cols == cols && so_far.rows == rows;
    }
  };
  struct NotWanted {};  // any more

  std::vector<attention::KeyRange> queries_of(const Sought&) const;
  std::vector<attention::KeyRange> keys_of(const Sought&) const;
  Sought* sought(const Sought& other);
  std::unique_ptr<Sought> next();
  void find(const std::stop_token&);

  std::shared_ptr<const attention::ScoreMap> map_;
  attention::Shows shows_;
  figure::Sampler bounds_;
  mutable std::mutex lock_;
  std::atomic<std::uint64_t> news_{0};
  std::vector<Sought> sought_;  // the last one first
  bool finding_ = false;
  BackgroundWork work_;  // the last: its thread ends before what it works on
};

}  // namespace orrery::study
