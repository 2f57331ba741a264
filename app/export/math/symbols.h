// What TeX's commands and plain characters stand for.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/export/math/node.h"

namespace orrery::exporter::math {

struct Symbol {
  std::string_view name;
  char32_t code = 0;
  Atom atom = Atom::ordinary;
  bool big = false;
  Limits limits = Limits::beside;
};

/// `\alpha` → U+03B1: without the backslash.
std::optional<Symbol> symbol_for(std::string_view command);
/// Every command that is one character.
std::span<const Symbol> all_symbols();

/// \log, \max …: set as words; `limits` says whether its subscript goes below.
struct Function {
  std::string_view name;
  std::string_view text;
  Limits limits = Limits::beside;
};
std::optional<Function> function_for(std::string_view command);

/// \hat, \widehat, \overbrace …: a sign above or below a base.
struct Accent {
  std::string_view name;
  char32_t code = 0;
  Reach reach = Reach::letter;
  bool below = false;
};
std::optional<Accent> accent_for(std::string_view command);

/// `\,` and its like, in eighteenths of an em.
std::optional<double> space_for(std::string_view command);

/// The class of a character typed as itself, and the character that mathematics means by it: − for -.
Symbol symbol_of(char32_t typed);

/// What \not makes of a sign that has a struck-through form of its own: ∉ of ∈; 0 where it has none.
char32_t negation_of(char32_t);

}  // namespace orrery::exporter::math
