#include "app/study/attention/map_sampler.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "app/figure/block_sampler.h"
#include "app/study/attention/map_soon.h"
#include "app/study/kit/panels.h"

namespace orrery::study {
namespace {

using attention::Extremes;
using attention::KeyRange;
using attention::ScoreBlock;
using attention::ScoreMap;
using attention::Shows;
using figure::BlockValues;
using figure::Range;
using tensor::Index;

/// A pointer rests on a block for many frames.
class LastBlock {
 public:
  explicit LastBlock(std::shared_ptr<const ScoreMap> map) : map_(std::move(map)) {}

  BlockValues of(const ScoreBlock& block) {
    const std::lock_guard lock(lock_);
    const auto same = [](KeyRange a, KeyRange b) { return a.first == b.first && a.end == b.end; };
    if (!same(block.queries, block_.queries) || !same(block.keys, block_.keys)) {
      const Extremes found = map_->extremes(block);
      values_ = {map_->mean(block), {found.lowest.lo, found.lowest.hi}, {found.highest.lo, found.highest.hi}};
      block_ = block;
    }
    return values_;
  }

 private:
  std::shared_ptr<const ScoreMap> map_;
  std::mutex lock_;
  ScoreBlock block_;
  BlockValues values_;
};

struct Asked {
  Range x, y;
  int cols = 0, rows = 0;
  bool operator==(const Asked&) const = default;
};

/// A layout asks for the same pixels again and again.
class LastMaps {
 public:
  LastMaps(std::shared_ptr<const ScoreMap> map, Shows shows) : map_(std::move(map)), shows_(shows) {}

  figure::Grid of(const Asked& asked) {
    {
      const std::lock_guard lock(lock_);
      const auto found = std::ranges::find(kept_, asked, &Kept::first);
      if (found != kept_.end()) return found->second;
    }
    const Index tokens = map_->tokens();
    figure::Grid made{
        asked.rows, asked.cols,
        map_->map(tokens_in(asked.y, asked.rows, tokens), tokens_in(asked.x, asked.cols, tokens), shows_)};
    if (made.values.size() <= 1) return made;  // a read-out's cell
    const std::lock_guard lock(lock_);
    kept_.emplace(kept_.begin(), asked, made);
    if (kept_.size() > most_kept) kept_.pop_back();
    return made;
  }

 private:
  using Kept = std::pair<Asked, figure::Grid>;
  static constexpr std::size_t most_kept = 4;

  std::shared_ptr<const ScoreMap> map_;
  Shows shows_;
  std::mutex lock_;
  std::vector<Kept> kept_;  // the last one first
};

figure::ColorScale colors_of(Shows shows) {
  if (shows == Shows::mean) return {.map = figure::ColorMap::diverging, .label = "score"};
  return {.map = figure::ColorMap::viridis, .label = "score"};
}

std::string shows_words(Shows shows) {
  if (shows == Shows::mean) return {};
  return shows == Shows::highest ? "none in its block is higher" : "none in its block is lower";
}

}  // namespace

std::vector<KeyRange> tokens_in(Range range, int count, Index tokens) {
  constexpr double rounding = 1e-6;  // of a token: an edge between two is one
  std::vector<KeyRange> all;
  all.reserve(static_cast<std::size_t>(count));
  const auto edge = [&](double at) {
    return static_cast<Index>(std::ceil(range.lo + range.length() * at / count - rounding));
  };
  for (int i = 0; i < count; ++i) {
    KeyRange part{edge(i), edge(i + 1)};
    if (part.count() < 1) {
      part.first = static_cast<Index>(std::round(range.lo + range.length() * (i + 0.5) / count));
      part.end = part.first + 1;
    }
    part.first = std::clamp(part.first, Index{0}, tokens - 1);
    part.end = std::clamp(part.end, part.first + 1, tokens);
    all.push_back(part);
  }
  return all;
}

figure::Heatmap map_of_scores(std::shared_ptr<const ScoreMap> map, Shows shows) {
  const Index tokens = map->tokens();
  figure::BlockSampler blocks;
  blocks.values = [last = std::make_shared<LastMaps>(map, shows)](Range x, Range y, int cols, int rows) {
    return last->of({x, y, cols, rows});
  };
  blocks.block = [last = std::make_shared<LastBlock>(map), map, tokens](
                     Range x, Range y) -> std::optional<BlockValues> {
    const ScoreBlock block{tokens_in(y, 1, tokens).front(), tokens_in(x, 1, tokens).front()};
    if (hidden_cells(block, map->mask()) > block.cells() / 2) return std::nullopt;
    return last->of(block);
  };
  blocks.soon = soon_scores(map, shows, blocks.values);
  figure::Heatmap shown = heatmap(figure::Sampler(std::move(blocks)), tokens, tokens, colors_of(shows));
  shown.shows = shows_words(shows);
  return shown;
}

}  // namespace orrery::study
