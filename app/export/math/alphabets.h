// The alphabets of Unicode's mathematical alphanumeric block.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::exporter::math {

enum class Alphabet : std::uint8_t {
  italic,
  upright,
  bold,
  bold_italic,
  blackboard,
  calligraphic,
  fraktur,
  sans_serif,
  typewriter
};

/// The letter, digit or Greek letter in an alphabet; itself where the alphabet has none.
char32_t in_alphabet(char32_t, Alphabet);

/// The plain letter or digit that one of an alphabet is; any other character as it is.
char32_t plain_letter(char32_t);

/// `mathbf` → bold; `textbf` too.
std::optional<Alphabet> alphabet_for(std::string_view command);

}  // namespace orrery::exporter::math
