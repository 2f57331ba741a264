// Signs for tokens of a text of any length: components +1 or −1, each as likely, independent, and never stored.
//
//   e_{t,j} = ±1,   a bit of Philox at the counter that t and j make, the same on every machine
//
// Every vector has the root mean square 1, as QK-norm leaves it, and is as long as any other, so that bounds need no look
// at it; sums over tokens are whole numbers, and exact.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::attention {

using tensor::Index;

/// Of one side of a score matrix: tokens × width signs, width at most 128.
class TokenSigns {
 public:
  TokenSigns(std::uint64_t seed, std::uint32_t stream, Index tokens, Index width);

  std::uint64_t seed() const { return seed_; }
  std::uint32_t stream() const { return stream_; }
  Index tokens() const { return tokens_; }
  Index width() const { return width_; }

  /// The components of one token, +1 or −1.
  void token(Index t, std::span<double> out) const;
  /// Σ e_t over first ≤ t < end, exact. The first call that reaches over many tokens counts all of them once, by chunks; that
  /// takes 4 · width bytes for each 256 tokens. From any thread.
  void sum(Index first, Index end, std::span<double> out) const;

 private:
  static constexpr Index chunk = 256, most_words = 2;
  struct Bits {
    std::uint64_t word[most_words];
  };
  Bits bits(Index t) const;
  /// Adds to `ones` how often each component is +1.
  void count(Index first, Index end, std::span<std::int32_t> ones) const;
  void count_all() const;

  std::uint64_t seed_;
  std::uint32_t stream_;
  Index tokens_, width_;
  mutable std::once_flag counted_;
  mutable std::vector<std::int32_t> ones_before_;  // each chunk, by component
};

/// The same ones again where they are among the last that were asked for: they are counted once.
std::shared_ptr<const TokenSigns> token_signs(std::uint64_t seed, std::uint32_t stream, Index tokens,
                                              Index width);

}  // namespace orrery::attention
