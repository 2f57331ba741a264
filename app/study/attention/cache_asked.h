// What attention/cache is asked: the passes through a cache, its queries and keys, and what turns them at a length.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "app/study/kit.h"
#include "core/attention/cache_timeline.h"
#include "core/position/rope_frequencies.h"
#include "core/position/xpos.h"

namespace orrery::study::attention_cache {

using attention::CachedKey;
using attention::CacheMistake;
using attention::CachePass;
using attention::CachePlan;
using attention::TurnedWith;
using position::ScoreSide;

/// As they are typed, in the order of CacheMistake.
inline constexpr std::string_view mistakes =
    "none|old_rotation|decoded_at_zero|chunks_from_zero|table_by_length|prompt_before_zero|length_of_cache|"
    "never_reset";

/// What becomes of the frequencies as a text grows.
inline constexpr std::string_view changes = "none|dynamic|dynamic_yarn|longrope|base|xpos";

/// From a position and the length of a text to what multiplies each pair.
///
///   dynamic        NTK: the base grows with n beyond L                     dynamic_yarn  YaRN with the factor max(1, n/L)
///   longrope       beyond L the long list, here s^(2i/(d − 2)), 1 to s     base          another base beyond L
///   xpos           plain frequencies, and scales about the middle of the text, ⌊n/2⌋
class Turning {
 public:
  explicit Turning(const Settings&);

  const position::RopeFrequencies& at(double length);
  /// A row for each. Those of one length stand together, or it takes longer.
  position::RopeTable table(std::span<const TurnedWith>, ScoreSide);
  /// What a key that was turned with one must be turned by, to be as if it had been turned with the other.
  position::RopeTable difference(const TurnedWith& from, const TurnedWith& to);
  /// In one number what a length changes: by how much the slowest pair is slower than unchanged; with xpos, the centre.
  double shade(double length);
  std::string_view shade_name() const;
  std::string short_shade_name() const;  ///< beside a colour bar
  double centre(double length) const;

  std::string change;
  Index width = 0;
  double base = 0, trained = 0, factor = 1, new_base = 0;

 private:
  std::map<double, position::RopeFrequencies> by_length_;
};

struct Asked {
  CachePlan plan;
  Turning turning;
  Matrix q, k;  ///< tokens × d, not turned

  explicit Asked(const Settings&);
};

}  // namespace orrery::study::attention_cache
