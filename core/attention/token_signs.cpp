#include "core/attention/token_signs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/tensor/random.h"

namespace orrery::attention {
namespace {

constexpr Index word_bits = 64, byte_bits = 8;

/// For each byte eight bytes, one for each bit: 1 where it is set.
constexpr auto spread_bits = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte)
    for (std::size_t bit = 0; bit < byte_bits; ++bit)
      if (byte >> bit & 1) table[byte] |= std::uint64_t{1} << (byte_bits * bit);
  return table;
}();

}  // namespace

TokenSigns::TokenSigns(std::uint64_t seed, std::uint32_t stream, Index tokens, Index width)
    : seed_(seed), stream_(stream), tokens_(tokens), width_(width) {}

// Philox gives four words of 32 bits: two tokens of up to 64 components, or one of up to 128.
TokenSigns::Bits TokenSigns::bits(Index t) const {
  const bool two = width_ <= word_bits;
  const auto index = static_cast<std::uint64_t>(two ? t / 2 : t);
  const auto w = tensor::philox4x32(
      {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), stream_, 0},
      {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
  const auto joined = [&](std::size_t i) { return std::uint64_t{w[i]} << 32 | w[i + 1]; };
  if (!two) return {{joined(0), joined(2)}};
  return {{t % 2 == 0 ? joined(0) : joined(2), 0}};
}

void TokenSigns::token(Index t, std::span<double> out) const {
  const Bits own = bits(t);
  for (Index j = 0; j < width_; ++j)
    out[static_cast<std::size_t>(j)] = own.word[j / word_bits] >> (j % word_bits) & 1 ? 1 : -1;
}

void TokenSigns::count(Index first, Index end, std::span<std::int32_t> ones) const {
  constexpr Index most_in_a_byte = 255;
  constexpr std::size_t groups = most_words * word_bits / byte_bits;
  const auto used = static_cast<std::size_t>((width_ + byte_bits - 1) / byte_bits);
  for (Index from = first; from < end; from += most_in_a_byte) {
    std::array<std::uint64_t, groups> sums{};  // eight counters of a byte each
    for (Index t = from; t < std::min(end, from + most_in_a_byte); ++t) {
      const Bits own = bits(t);
      for (std::size_t g = 0; g < used; ++g)
        sums[g] += spread_bits[own.word[g / byte_bits] >> (byte_bits * (g % byte_bits)) & 0xFF];
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(width_); ++j)
      ones[j] += static_cast<std::int32_t>(sums[j / byte_bits] >> (byte_bits * (j % byte_bits)) & 0xFF);
  }
}

void TokenSigns::count_all() const {
  const Index chunks = tokens_ / chunk;
  const auto width = static_cast<std::size_t>(width_);
  ones_before_.assign(static_cast<std::size_t>(chunks + 1) * width, 0);
  const std::span<std::int32_t> all(ones_before_);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < chunks; ++c)
    count(c * chunk, (c + 1) * chunk, all.subspan(static_cast<std::size_t>(c + 1) * width, width));
  for (std::size_t i = width; i < all.size(); ++i) all[i] += all[i - width];
}

void TokenSigns::sum(Index first, Index end, std::span<double> out) const {
  std::array<std::int32_t, most_words * word_bits> counted{};
  const std::span<std::int32_t> ones = std::span(counted).first(static_cast<std::size_t>(width_));
  const Index from = (first + chunk - 1) / chunk, to = end / chunk;  // whole chunks
  if (to - from < 2) {
    count(first, end, ones);
  } else {
    std::call_once(counted_, [this] { count_all(); });
    count(first, from * chunk, ones);
    count(to * chunk, end, ones);
    const auto before = [&](Index c, std::size_t j) {
      return ones_before_[static_cast<std::size_t>(c * width_) + j];
    };
    for (std::size_t j = 0; j < ones.size(); ++j) ones[j] += before(to, j) - before(from, j);
  }
  for (std::size_t j = 0; j < ones.size(); ++j) out[j] = 2.0 * ones[j] - static_cast<double>(end - first);
}

std::shared_ptr<const TokenSigns> token_signs(std::uint64_t seed, std::uint32_t stream, Index tokens,
                                              Index width) {
  constexpr std::size_t most_kept = 4;  // of four million tokens and width 128: 8 MiB each
  static std::mutex lock;
  static std::vector<std::shared_ptr<const TokenSigns>> kept;  // the last one first
  const std::lock_guard guard(lock);
  const auto found = std::ranges::find_if(kept, [&](const auto& signs) {
    return signs->seed() == seed && signs->stream() == stream && signs->tokens() == tokens &&
           signs->width() == width;
  });
  if (found != kept.end()) {
    std::rotate(kept.begin(), found, found + 1);
  } else {
    kept.insert(kept.begin(), std::make_shared<const TokenSigns>(seed, stream, tokens, width));
    if (kept.size() > most_kept) kept.pop_back();
  }
  return kept.front();
}

}  // namespace orrery::attention
