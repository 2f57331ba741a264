#include "app/study/attention/map_looked_through.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/study/attention/map_sampler.h"

namespace orrery::study {

using attention::KeyRange;
using attention::ScoreMap;
using attention::Shows;
using figure::Range;

LookedThroughMaps::LookedThroughMaps(std::shared_ptr<const ScoreMap> map, Shows shows, figure::Sampler bounds)
    : map_(std::move(map)), shows_(shows), bounds_(std::move(bounds)) {}

std::vector<KeyRange> LookedThroughMaps::queries_of(const Sought& each) const {
  return tokens_in(each.y, each.so_far.rows, map_->tokens());
}

std::vector<KeyRange> LookedThroughMaps::keys_of(const Sought& each) const {
  return tokens_in(each.x, each.so_far.cols, map_->tokens());
}

figure::Grid LookedThroughMaps::values(Range x, Range y, int cols, int rows) {
  if (shows_ == Shows::mean) return bounds_(x, y, cols, rows);
  const std::vector<KeyRange> queries = tokens_in(y, rows, map_->tokens()),
                              keys = tokens_in(x, cols, map_->tokens());
  const attention::ScoreBlock whole{{queries.front().first, queries.back().end},
                                    {keys.front().first, keys.back().end}};
  if (whole.cells() <= ScoreMap::most_in_map || whole.cells() > most_cells) return bounds_(x, y, cols, rows);
  const std::lock_guard lock(lock_);
  const auto there =
      std::ranges::find_if(sought_, [&](const Sought& each) { return each.is(x, y, cols, rows); });
  if (there != sought_.end()) return there->so_far;
  sought_.insert(sought_.begin(), {x, y, bounds_(x, y, cols, rows)});
  if (sought_.size() > most_sought) sought_.pop_back();
  if (!std::exchange(finding_, true)) work_.ask([this](const std::stop_token& leave) { find(leave); });
  return sought_.front().so_far;
}

bool LookedThroughMaps::busy() const {
  const std::lock_guard lock(lock_);
  return finding_;
}

LookedThroughMaps::Sought* LookedThroughMaps::sought(const Sought& other) {
  const auto found = std::ranges::find_if(sought_, [&](const Sought& each) {
    return each.is(other.x, other.y, other.so_far.cols, other.so_far.rows);
  });
  return found != sought_.end() ? &*found : nullptr;
}

/// The last one asked for that is not done.
std::unique_ptr<LookedThroughMaps::Sought> LookedThroughMaps::next() {
  const std::lock_guard lock(lock_);
  const auto last =
      std::ranges::find_if(sought_, [](const Sought& each) { return each.done < each.so_far.rows; });
  finding_ = last != sought_.end();
  return finding_ ? std::make_unique<Sought>(*last) : nullptr;
}

void LookedThroughMaps::find(const std::stop_token& leave) {
  while (const auto now = next()) try {
      const auto go_on = [&] {
        if (leave.stop_requested()) throw BackgroundWork::Left();
        const std::lock_guard lock(lock_);
        if (!sought(*now)) throw NotWanted();
      };
      const std::vector<KeyRange> all = queries_of(*now);
      const int end = std::min(now->done + strip, now->so_far.rows);
      const std::vector<float> found = map_->map({all.begin() + now->done, all.begin() + end}, keys_of(*now),
                                                 shows_, std::numeric_limits<double>::infinity(), go_on);
      const std::lock_guard lock(lock_);
      Sought* const there = sought(*now);
      if (!there) continue;
      std::ranges::copy(
          found, there->so_far.values.begin() + static_cast<std::ptrdiff_t>(now->done) * now->so_far.cols);
      there->done = end;
      ++news_;
    } catch (const NotWanted&) {
    }
}

}  // namespace orrery::study
