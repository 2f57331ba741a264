// Deterministic mutations: what a fuzzer does, the same on every machine, inside an ordinary test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace orrery::fuzz {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed) {}
  /// 0 … sides − 1.
  unsigned roll(std::size_t sides) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<unsigned>((state_ >> 8) % sides);
  }

 private:
  std::uint32_t state_;
};

/// Tokens of a language one after another, now and then a byte that means nothing.
inline std::string random_tokens(Dice& dice, std::span<const std::string_view> tokens, unsigned most) {
  std::string text;
  for (unsigned left = dice.roll(most + 1); left > 0; --left) {
    if (dice.roll(16) == 0)
      text += static_cast<char>(dice.roll(256));
    else
      text += tokens[dice.roll(tokens.size())];
  }
  return text;
}

/// A few cuts, copies, swapped bytes and foreign tokens in a text that was sound.
inline std::string mutated(std::string text, Dice& dice, std::span<const std::string_view> tokens) {
  for (unsigned left = 1 + dice.roll(4); left > 0; --left) {
    const std::size_t at = dice.roll(text.size() + 1);
    const std::size_t length = text.empty() ? 0 : dice.roll(std::min<std::size_t>(text.size() - at, 8) + 1);
    switch (dice.roll(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(at, length));
        break;
      case 2:
        text.insert(at, tokens[dice.roll(tokens.size())]);
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(dice.roll(256));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

}  // namespace orrery::fuzz
