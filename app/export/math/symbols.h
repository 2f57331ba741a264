// What TeX's commands and plain characters stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/export/math/node.h"

namespace orrery::exporter::math {

/// The alphabets of Unicode's mathematical alphanumeric block.
enum class Alphabet : std::uint8_t { italic, upright, bold, bold_italic, blackboard, calligraphic };

struct Symbol {
  std::string_view name;
  char32_t code = 0;
  Atom atom = Atom::ordinary;
  bool big = false;
  bool limits = false;
};

/// `\alpha` → U+03B1: without the backslash.
std::optional<Symbol> symbol_for(std::string_view command);

/// \log, \max …: set as words; `limits` says whether its subscript goes below.
struct Function {
  std::string_view name;
  std::string_view text;
  bool limits = false;
};
std::optional<Function> function_for(std::string_view command);

/// `\hat` → the combining accent; 0 when it is none.
char32_t accent_for(std::string_view command);

/// `\,` and its like, in eighteenths of an em.
std::optional<double> space_for(std::string_view command);

/// The class of a character typed as itself, and the character that mathematics means by it: − for -.
Symbol symbol_of(char32_t typed);

/// The letter, digit or Greek letter in an alphabet; itself where the alphabet has none.
char32_t in_alphabet(char32_t, Alphabet);

}  // namespace orrery::exporter::math
