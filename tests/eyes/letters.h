// Letters and digits of a text, alike whoever wrote it: what is compared is what is said, not the signs that it is set with.
#pragma once

#include <string>
#include <string_view>

namespace orrery::eyes {

/// Of text as a viewer tells it: ligatures taken apart, mathematical letters plain, spaces and signs gone.
std::u32string letters(std::string_view text);

/// Of a label of a scene: in prose as they stand; in its formulas those of the letters and of the words that are set
/// upright. A formula's letters come in an order of their own on every page: `formula` says that there is one.
struct Letters {
  std::u32string text;
  bool formula = false;
};
Letters letters_of_label(std::string_view label);

}  // namespace orrery::eyes
