// Blocks of a score map that chance chooses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/study/kit/numbers.h"
#include "core/attention/score_map.h"
#include "core/tensor/random.h"

namespace orrery::study {

/// Random blocks with sides of no more than so many tokens.
class Places {
 public:
  Places(std::uint64_t seed, std::uint32_t stream, tensor::Index tokens, tensor::Index side)
      : random_(seed, stream), tokens_(tokens), side_(std::min(side, tokens)) {}
  attention::ScoreBlock block(std::uint64_t i) const { return {range(2 * i), range(2 * i + 1)}; }

 private:
  attention::KeyRange range(std::uint64_t i) const {
    const auto at = static_cast<tensor::Index>(random_.uniform(i) * number(tokens_ - side_ + 1));
    return {std::min(at, tokens_ - side_), std::min(at, tokens_ - side_) + side_};
  }
  tensor::Random random_;
  tensor::Index tokens_, side_;
};

}  // namespace orrery::study
