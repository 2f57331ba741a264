// The passes through a cache, worked out: what the last query of each sees of the keys as they are cached, of the same keys all
// turned anew, and of the whole text.
#pragma once

#include "app/study/attention/cache_asked.h"

namespace orrery::study::attention_cache {

/// Of each pass its last query: passes × tokens.
struct Looks {
  Matrix scores{};   ///< −∞ where no key is held
  Matrix weights{};  ///< 0 there
};

struct CacheLife {
  std::vector<CachePass> passes{};
  Looks cached{};              ///< keys turned when they were read, and turned on where the program does
  Looks recomputed{};          ///< the same keys, all of them turned with what is right in that pass
  Looks whole{};               ///< every key so far, at its place in the text
  Matrix last_keys{};          ///< of the last pass: the cached keys as they are, a row each
  Index turned_on = 0;         ///< how often the key was turned on that was turned on most
  double longest_product = 0;  ///< of a turned query and a turned key, their lengths

  bool whole_differs =
      false;  ///< from what the cache holds: a key has left, or slots are not the places in the text

  bool evicts() const;
  const CachePass& last() const { return passes.back(); }
};

CacheLife life_of(const Run&, Asked&);

/// Half the sum of the differences between two rows of weights: what went elsewhere, 0 to 1.
double elsewhere(const Looks& a, const Looks& b, Index pass);
/// The largest difference of two scores, where both have the key.
double score_difference(const Looks& a, const Looks& b, Index pass);

}  // namespace orrery::study::attention_cache
