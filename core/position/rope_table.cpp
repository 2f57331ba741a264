#include <cmath>

#include "core/position/rope.h"
#include "core/simd/share.h"
#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

std::vector<double> rope_default_frequencies(Index rotary_dim, double base) {
  if (rotary_dim < 0 || rotary_dim % 2 != 0)
    throw InvalidArgument(
        about(words("rotary width")).found(rotary_dim).led_by(", allowed: ").allowed("even, at least {}", 0));
  std::vector<double> frequency(static_cast<std::size_t>(rotary_dim / 2));
  for (std::size_t i = 0; i < frequency.size(); ++i)
    frequency[i] = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(rotary_dim));
  return frequency;
}

RopeTable rope_table(std::span<const double> positions, std::span<const double> inv_freq,
                     double attention_factor) {
  const auto tokens = static_cast<Index>(positions.size());
  const auto pairs = static_cast<Index>(inv_freq.size());
  RopeTable table{{tokens, pairs}, {tokens, pairs}};
  simd::share(tokens, tokens * pairs * 8, [&](Index first, Index end) {
    for (Index m = first; m < end; ++m) {
      for (Index i = 0; i < pairs; ++i) {
        const double angle = positions[static_cast<std::size_t>(m)] * inv_freq[static_cast<std::size_t>(i)];
        table.cos(m, i) = attention_factor * std::cos(angle);
        table.sin(m, i) = attention_factor * std::sin(angle);
      }
    }
  });
  return table;
}

void check_rope_shapes(Index rows, Index cols, Index tokens, Index pairs, Index first) {
  if (rows == 0 || cols == 0) return;
  if (2 * pairs > cols)
    throw InvalidArgument(about(words("rotary width"))
                              .found(2 * pairs)
                              .led_by(", allowed: ")
                              .allowed("at most the width {} of x", cols));
  if (first < 0 || first + 2 * pairs > cols)
    throw InvalidArgument(about(words("first rotary column"))
                              .found(first)
                              .led_by(", allowed: ")
                              .allowed("a column from {} to {}", 0, cols - 2 * pairs));
  if (tokens == 0 || rows % tokens != 0)
    throw InvalidArgument(about(Subject::Kind::op, "rope")
                              .found(rows)
                              .fault("found {} rows for {} positions", rows, tokens)
                              .led_by(", allowed: ")
                              .allowed("a multiple of the positions"));
}

}  // namespace orrery::position
