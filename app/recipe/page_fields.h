// The page and the motion of a figure, declared like a study's parameters: from these two tables come the options of
// `orrery render` and `orrery batch`, the reading and writing of recipes, the line that a recipe is copied as, the rows of the
// export dialog and what a session keeps. A field more is a member of Page and a row here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "app/recipe/recipe.h"

namespace orrery::recipe {

struct PageField {
  std::string_view key;  ///< in recipes and sessions: "math_font"
  /// What it is: a size, a text (one of `names()` where there are some), on or off, a number, a language.
  std::variant<figure::Size Recipe::*, std::string Recipe::*, bool Recipe::*, double Recipe::*,
               language::Language Recipe::*>
      member;
  std::string_view option, shape, help;  ///< on the command line: "--math-font", "FAMILY", one line
  std::string_view label;                ///< in the export dialog
  std::span<const std::string_view> (*names)() = nullptr;
  double least = 0, most = 0;     ///< of a number; zero says that nothing was chosen, whatever the least is
  std::string_view allowed = {};  ///< of a text, in a recipe's error: "a family of fonts, in quotes"
  std::string Recipe::*instead =
      nullptr;          ///< of what is on or off: the text that may stand in a recipe for "on"
  bool always = false;  ///< written into a recipe even where it says what is usual
  /// Of what some pages have unless asked not to: the option that asks.
  std::string_view off = {}, off_help = {};
  std::string_view files = {};  ///< the endings of those that show it: ".svg"; empty: all
};

/// In the order in which recipes have them.
std::span<const PageField> page_fields();

struct MotionField {
  std::string_view key;
  std::variant<Loop Animation::*, int Animation::*, double Animation::*> member;
  std::string_view option, shape, help;
  double least = 0, most = 0;

  /// "a whole number from 2 to 2000"
  Phrase allowed() const;
};
std::span<const MotionField> motion_fields();
/// That of a member: motion_field(&Animation::frames).
template <class T>
const MotionField& motion_field(T Animation::*member) {
  for (const MotionField& field : motion_fields())
    if (const auto* own = std::get_if<T Animation::*>(&field.member); own && *own == member) return field;
  return motion_fields().front();
}

/// Whether a file of this ending, ".pdf", shows it.
bool is_shown_in(const PageField&, std::string_view ending);

/// Off, whatever the page has.
void leave_out(const PageField&, Recipe&);
/// Gives a page what its size alone asks for: a slide its title.
void suit_page(Recipe&);

/// As it is typed on the command line, nothing where it says what is usual.
std::string option_text(const PageField&, const Recipe&);
std::string option_text(const MotionField&, const Animation&);
/// Reads what was typed. Throws InvalidArgument: "--theme: found 'drak' (did you mean 'dark'?); allowed: …".
void set_by_option(const PageField&, Recipe&, const std::string& text);
void set_by_option(const MotionField&, Animation&, const std::string& text);

}  // namespace orrery::recipe
