#include "core/attention/cache_timeline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/tensor/error.h"

namespace orrery::attention {

using tensor::Index;

namespace {

void require_at_least(const char* field, Index found, Index least) {
  if (found < least)
    throw InvalidArgument(about(field).found(found).led_by(", allowed: ").allowed("at least {}", least));
}

/// The keys that leave the cache before a pass reads so many tokens.
std::vector<CachedKey> evict(const CachePlan& plan, std::vector<CachedKey>& keys, Index fed) {
  if (plan.capacity == 0) return {};
  const Index held = std::ssize(keys), room = std::max<Index>(0, plan.capacity - fed),
              staying = std::min({plan.first_kept, plan.capacity - 1, held}),
              leaving = std::clamp<Index>(held - room, 0, held - staying);
  const auto from = keys.begin() + staying, to = from + leaving;
  std::vector<CachedKey> gone(from, to);
  keys.erase(from, to);
  return gone;
}

/// What a program takes for the position of token `j` of a pass.
class Positions {
 public:
  explicit Positions(const CachePlan& plan) : plan_(plan) {}

  double taken(const CachePass& pass, Index j, double held, double right) {
    switch (plan_.mistake) {
      case CacheMistake::decoded_at_zero:
        return pass.decoding ? 0 : right;
      case CacheMistake::chunks_from_zero:
        return pass.decoding ? right : static_cast<double>(j);
      case CacheMistake::table_by_length:
        return remembered_.try_emplace({pass.fed, j}, right).first->second;
      case CacheMistake::prompt_before_zero:
        return pass.decoding ? right : right - static_cast<double>(plan_.pads);
      case CacheMistake::length_of_cache:
        return (plan_.renumbered ? 0 : plan_.first_position()) + held + static_cast<double>(j);
      default:
        return right;
    }
  }

 private:
  const CachePlan& plan_;
  std::map<std::pair<Index, Index>, double> remembered_;
};

/// What becomes of a key that was there before, where its right place is `now`.
TurnedWith turned_on(CacheMistake mistake, const CachedKey& key, const TurnedWith& now) {
  if (mistake == CacheMistake::old_rotation) return key.cached;
  const bool moved = mistake != CacheMistake::length_of_cache;
  return {key.cached.position + (moved ? now.position - key.right.position : 0), now.length};
}

}  // namespace

std::vector<CachePass> cache_timeline(const CachePlan& plan) {
  require_at_least("prompt", plan.prompt, 1);
  for (const auto& [field, found] : {std::pair{"chunk", plan.chunk},
                                     {"decoded", plan.decoded},
                                     {"pads", plan.pads},
                                     {"capacity", plan.capacity},
                                     {"first_kept", plan.first_kept}})
    require_at_least(field, found, 0);
  const Index chunk = plan.chunk == 0 ? plan.prompt : plan.chunk;
  const double longest = plan.first_position() + static_cast<double>(plan.tokens());
  std::vector<CachePass> passes;
  std::vector<CachedKey> keys;
  Positions positions(plan);
  for (Index first = 0; first < plan.tokens(); first += passes.back().fed) {
    CachePass pass{.first = first, .decoding = first >= plan.prompt};
    pass.fed = pass.decoding ? 1 : std::min(chunk, plan.prompt - first);
    for (const CachedKey& gone : evict(plan, keys, pass.fed)) pass.evicted.push_back(gone.token);
    const Index held = std::ssize(keys), all = held + pass.fed;
    const auto right_position = [&](Index slot, Index token) {
      return plan.renumbered ? static_cast<double>(slot) : plan.first_position() + static_cast<double>(token);
    };
    const double length = right_position(all - 1, first + pass.fed - 1) + 1;
    for (Index slot = 0; slot < held; ++slot) {
      CachedKey& key = keys[static_cast<std::size_t>(slot)];
      const TurnedWith now{right_position(slot, key.token), length};
      key = {key.token, now, turned_on(plan.mistake, key, now)};
    }
    for (Index j = 0; j < pass.fed; ++j) {
      const TurnedWith now{right_position(held + j, first + j), length};
      keys.push_back(
          {first + j, now, {positions.taken(pass, j, static_cast<double>(held), now.position), length}});
    }
    if (plan.mistake == CacheMistake::never_reset)
      for (CachedKey& key : keys) key.cached.length = longest;
    pass.keys = keys;
    passes.push_back(std::move(pass));
  }
  return passes;
}

}  // namespace orrery::attention
