#include "app/recipe/page_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/figure/dpi.h"
#include "app/figure/page_size.h"
#include "app/figure/theme.h"
#include "app/recipe/reader.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

/// What has a page: files of numbers have none.
constexpr std::string_view pictures = ".pdf, .svg, .png, .tex, .webp";
/// A .tex is set in the document's own fonts.
constexpr std::string_view of_own_fonts = ".pdf, .svg, .png, .webp";

constexpr std::array<PageField, 9> fields{
    {{.key = "size",
      .member = &Recipe::size,
      .option = "--size",
      .shape = "W×H",
      .help = "12cm×8cm, 85mm×60mm, 340pt×212pt, 800px×600px (a pixel is one at --dpi 96), or ",
      .label = "Size",
      .files = pictures},
     {.key = "theme",
      .member = &Recipe::theme,
      .option = "--theme",
      .shape = "NAME",
      .help = "print, light or dark",
      .label = "Theme",
      .names = figure::theme_names,
      .always = true,
      .files = pictures},
     {.key = "title",
      .member = &Recipe::title,
      .option = "--title",
      .shape = "",
      .help = "write the title above the figure, as a slide has it anyway",
      .label = "Title above the figure",
      .instead = &Recipe::own_title,
      .always = true,
      .off = "--no-title",
      .off_help = "no title above the figure, on a slide either",
      .files = pictures},
     {.key = "dpi",
      .member = &Recipe::dpi,
      .option = "--dpi",
      .shape = "NUMBER",
      .help = "of pixels, and of images inside vector files (300; .webp 150)",
      .label = "Resolution",
      .least = figure::least_dpi,
      .most = figure::most_dpi,
      .files = pictures},
     {.key = "transparent",
      .member = &Recipe::transparent,
      .option = "--transparent",
      .shape = "",
      .help = "no ground behind the figure",
      .label = "Transparent background",
      .files = pictures},
     {.key = "svg_text",
      .member = &Recipe::svg_text,
      .option = "--svg-text",
      .shape = "",
      .help = "words of an SVG as text in the reader's fonts, to search and to edit, not as outlines",
      .label = "Words as text",
      .files = ".svg"},
     {.key = "language",
      .member = &Recipe::language,
      .option = "--lang",
      .shape = "CODE",
      .help = "of the figure's words, and of what is said here",
      .label = "Language"},
     {.key = "font",
      .member = &Recipe::font,
      .option = "--font",
      .shape = "FAMILY",
      .help = "the family of words and numbers, in place of the theme's",
      .label = "Font",
      .allowed = "a family of fonts, in quotes",
      .files = of_own_fonts},
     {.key = "math_font",
      .member = &Recipe::math_font,
      .option = "--math-font",
      .shape = "FAMILY",
      .help = "the family of formulas, one with a MATH table",
      .label = "Font of formulas",
      .allowed = "a family of mathematical fonts, in quotes",
      .files = of_own_fonts}}};

constexpr std::array<MotionField, 3> motions{
    {{.key = "loop",
      .member = &Animation::loop,
      .option = "--loop",
      .shape = "NAME",
      .help = "what the animation does at its end: round (anew), back-and-forth or once (round)"},
     {.key = "frames",
      .member = &Animation::frames,
      .option = "--frames",
      .shape = "NUMBER",
      .help = "of the animation (48)",
      .least = 2,
      .most = most_frames},
     {.key = "fps",
      .member = &Animation::fps,
      .option = "--fps",
      .shape = "NUMBER",
      .help = "frames a second (24); of a .webp at most 90 are shown",
      .least = 1,
      .most = most_fps}}};

[[noreturn]] void refuse(std::string_view option, std::string_view text, const Phrase& allowed) {
  throw InvalidArgument(about(Subject::Kind::option, option).found_text(text).allowed(allowed));
}

Phrase range_phrase(double least, double most) {
  return words("a number from {} to {}", parameter::shortest(least), parameter::shortest(most));
}

std::optional<double> number_within(std::string_view text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// What an option says, by what its field is.
struct PageReading {
  const PageField& field;
  Recipe& recipe;
  const std::string& text;

  void operator()(figure::Size Recipe::*size) const { recipe.*size = figure::parse_size(text); }
  void operator()(bool Recipe::*on) const { recipe.*on = true; }
  void operator()(double Recipe::*value) const {
    const auto number = number_within(text, field.least, field.most);
    if (!number) refuse(field.option, text, range_phrase(field.least, field.most));
    recipe.*value = *number;
  }
  void operator()(std::string Recipe::*words) const {
    if (field.names != nullptr) {
      const auto names = field.names();
      if (std::ranges::find(names, text) == names.end())
        throw InvalidArgument(about(Subject::Kind::option, field.option)
                                  .found_text(text)
                                  .near(parameter::nearest(text, names))
                                  .allowed(names));
    }
    recipe.*words = text;
  }
  void operator()(language::Language Recipe::*spoken) const {
    try {
      recipe.*spoken = language::language_of(text);
    } catch (const InvalidArgument&) {
      refuse(field.option, text, name_phrase(language::codes()));
    }
  }
};

struct Text {
  std::string operator()(figure::Size size) const { return size.width > 0 ? figure::size_text(size) : ""; }
  std::string operator()(bool on) const { return on ? "on" : ""; }
  std::string operator()(double value) const { return parameter::shortest(value); }
  std::string operator()(const std::string& words) const { return words; }
  std::string operator()(language::Language spoken) const { return std::string(language::code(spoken)); }
  std::string operator()(int count) const { return std::to_string(count); }
  std::string operator()(Loop loop) const { return std::string(loop_names[static_cast<std::size_t>(loop)]); }
};

template <class Field, class Value>
std::string text_where_unusual(const Field& field, const Value& value) {
  return std::visit(
      [&](auto member) { return value.*member == Value().*member ? std::string() : Text{}(value.*member); },
      field.member);
}

}  // namespace

std::span<const PageField> page_fields() {
  return fields;
}

std::span<const MotionField> motion_fields() {
  return motions;
}

Phrase MotionField::allowed() const {
  if (std::holds_alternative<Loop Animation::*>(member)) return names_phrase(loop_names);
  const bool whole = std::holds_alternative<int Animation::*>(member);
  return whole ? words("a whole number from {} to {}", parameter::shortest(least), parameter::shortest(most))
               : range_phrase(least, most);
}

bool is_shown_in(const PageField& field, std::string_view ending) {
  std::string_view rest = field.files;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    if (rest.substr(0, comma) == ending) return true;
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return field.files.empty();
}

std::string option_text(const PageField& field, const Recipe& recipe) {
  return text_where_unusual(field, recipe);
}

std::string option_text(const MotionField& field, const Animation& animation) {
  return text_where_unusual(field, animation);
}

void set_by_option(const PageField& field, Recipe& recipe, const std::string& text) {
  std::visit(PageReading{field, recipe, text}, field.member);
}

void leave_out(const PageField& field, Recipe& recipe) {
  recipe.*std::get<bool Recipe::*>(field.member) = false;
  if (field.instead) (recipe.*field.instead).clear();
}

void suit_page(Recipe& recipe) {
  if (figure::stands_alone(recipe.size)) recipe.title = true;
}

void set_by_option(const MotionField& field, Animation& animation, const std::string& text) {
  if (const auto* loop = std::get_if<Loop Animation::*>(&field.member)) {
    animation.*(*loop) = parse_loop(field.option, text);
    return;
  }
  const auto* const count = std::get_if<int Animation::*>(&field.member);
  const auto value = number_within(text, field.least, field.most);
  if (!value || (count != nullptr && std::floor(*value) != *value))
    refuse(field.option, text, field.allowed());
  if (count != nullptr)
    animation.*(*count) = static_cast<int>(*value);
  else
    animation.*std::get<double Animation::*>(field.member) = *value;
}

}  // namespace orrery::recipe
