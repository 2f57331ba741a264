#include "app/export/text.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "app/export/font_lock.h"
#include "app/export/math/layout.h"
#include "app/export/math/parse.h"
#include "app/export/plain_number.h"
#include "app/export/prose.h"
#include "app/export/text_runs.h"
#include "core/parameter/shown.h"
#include "core/tensor/remembered.h"

namespace orrery::exporter {
namespace {

using figure::Extent;
using figure::TextStyle;

TextStyle words_style(double size) {
  return {figure::Voice::words, size, false};
}

/// Words inside formulas speak with the face of the prose around them, at its size: mathematics may have been
/// enlarged to match it.
class FormulaWords final : public math::Words {
 public:
  explicit FormulaWords(const Prose& prose) : prose_(prose) {}
  void set_enlargement(double factor) { enlargement_ = factor; }

  double width(const std::string& text, double size) const override {
    return prose_.width(text, words_style(size / enlargement_));
  }
  void show(cairo_t* cr, double x, double y, const std::string& text, double size) const override {
    prose_.show(cr, x, y, text, words_style(size / enlargement_));
  }
  void outline(cairo_t* cr, double x, double y, const std::string& text, double size) const override {
    prose_.outline(cr, x, y, text, words_style(size / enlargement_));
  }

 private:
  const Prose& prose_;
  double enlargement_ = 1;
};

figure::Color warning_color(cairo_t* cr) {
  double red = 0, green = 0, blue = 0, alpha = 0;
  cairo_pattern_get_rgba(cairo_get_source(cr), &red, &green, &blue, &alpha);
  const auto byte = [](double channel) { return static_cast<std::uint8_t>(std::lround(255 * channel)); };
  return exporter::warning_color({byte(red), byte(green), byte(blue), 255});
}

/// A number of a formula's in the typeface that all numbers of the figure have.
struct SetNumber {
  struct Part {
    double x = 0, up = 0;
    std::string digits;
    TextStyle style;
  };
  std::vector<Part> parts;  ///< the base, and an exponent
  double width = 0, ascent = 0;
};

/// A label set: runs of prose, boxes of mathematics and numbers of its own face side by side on one baseline.
struct SetLine {
  struct Piece {
    double x = 0;
    std::variant<std::string, math::Box, SetNumber> content;
  };
  std::vector<Piece> pieces;
  Extent extent;
};

/// What all text of a style shares.
struct StyleMeasures {
  /// The line it stands in. Its middle is the middle of a capital letter, so that centring the extent centres
  /// what the eye sees.
  Extent line;
  /// Mathematics beside a face with larger small letters is enlarged part of the way, so that both look one
  /// size.
  double math_size = 0;
};

using Key = std::tuple<std::string, int, double, bool>;

/// Text on its way to a context, which keeps no font of it: it may be let go by whoever holds no lock.
class Painting {
 public:
  explicit Painting(cairo_t* cr) : cr_(cr) { cairo_save(cr_); }
  ~Painting() { cairo_restore(cr_); }
  Painting(const Painting&) = delete;

 private:
  const FontLock lock_;
  cairo_t* cr_;
};

/// Pixels want outlines: Cairo 1.16 moves every glyph of an image to a whole pixel, which spoils the spacing
/// at small sizes. Paper wants text, which a reader can select.
bool wants_outlines(cairo_t* cr) {
  return cairo_surface_get_type(cairo_get_group_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE;
}

}  // namespace

struct TextSetter::State {
  explicit State(const figure::Fonts& fonts)
      : prose(fonts), words(prose), font(fonts.math), numbers_have_a_face(fonts.numbers != fonts.words) {
    constexpr double size = 10;
    words.set_enlargement(measures(words_style(size)).math_size / size);
  }

  Prose prose;
  FormulaWords words;
  math::MathFont font;
  bool numbers_have_a_face;
  std::map<Key, SetLine> lines;  // what was set before: a figure is laid out often, its words change rarely
  std::map<Key, StyleMeasures> styles;
  std::map<std::pair<std::string, double>, math::Box> displays;
  static constexpr std::size_t most_lines = 4096;

  const StyleMeasures& measures(const TextStyle& style) {
    const Key key{{}, static_cast<int>(style.voice), style.size, style.bold};
    return tensor::remembered(styles, key, [&] {
      if (styles.size() >= most_lines) styles.clear();
      const double capital = prose.cap_height(style);
      const double below = 0.25 * style.size;
      return StyleMeasures{{0, capital + below, below}, math_size(style, capital, prose.x_height(style))};
    });
  }

  double math_size(const TextStyle& style, double capital, double small_letter) const {
    const double math_small_letter = font.ink(font.glyph(U'x', 0)).ascent * style.size;
    const double math_capital = font.ink(font.glyph(U'H', 0)).ascent * style.size;
    if (math_small_letter <= 0 || math_capital <= 0) return style.size;
    const double ratio = std::sqrt(small_letter / math_small_letter * capital / math_capital);
    return style.size * std::clamp(ratio, 1.0, 1.2);
  }

  math::Box formula(std::string_view tex, double size, bool display) const {
    return math::Setter(font, words, size)
        .set(math::parse(tex), {display ? math::Level::display : math::Level::text, false});
  }

  const math::Box& display(std::string_view tex, double size) {
    const std::pair key{std::string(tex), size};
    return tensor::remembered(displays, key, [&] {
      if (displays.size() >= most_lines) displays.clear();
      return formula(tex, size, true);
    });
  }

  /// A power of numbers alone, where the digits beside it are not mathematics' own: else one axis would have two faces.
  std::optional<SetNumber> number(std::string_view tex, const TextStyle& style) const {
    if (!numbers_have_a_face || style.voice != figure::Voice::numbers) return {};
    std::optional<PlainNumber> plain = plain_number(tex);
    if (!plain) return {};
    constexpr double smaller = 0.72, raised = 0.42, apart = 0.05;  // exponents, in text sizes
    SetNumber set;
    set.width = prose.width(plain->base, style);
    set.ascent = prose.cap_height(style);
    set.parts.push_back({0, 0, std::move(plain->base), style});
    if (plain->exponent.empty()) return set;
    TextStyle small = style;
    small.size *= smaller;
    const double x = set.width + apart * style.size, up = raised * style.size;
    set.width = x + prose.width(plain->exponent, small);
    set.ascent = std::max(set.ascent, up + prose.cap_height(small));
    set.parts.push_back({x, up, std::move(plain->exponent), small});
    return set;
  }

  const SetLine& set(std::string_view text, const TextStyle& style) {
    const Key key{std::string(text), static_cast<int>(style.voice), style.size, style.bold};
    return tensor::remembered(lines, key, [&] {
      if (lines.size() >= most_lines) lines.clear();
      return line_of(text, style);
    });
  }

  SetLine line_of(std::string_view text, const TextStyle& style) {
    SetLine line;
    line.extent = measures(style).line;
    for (TextRun& run : split_text(text)) {
      SetLine::Piece& piece = line.pieces.emplace_back();
      piece.x = line.extent.width;
      std::optional<SetNumber> own = run.math ? number(run.text, style) : std::nullopt;
      if (own) {
        line.extent.width += own->width;
        line.extent.ascent = std::max(line.extent.ascent, own->ascent);
        piece.content = std::move(*own);
      } else if (run.math) {
        math::Box box = formula(run.text, measures(style).math_size, false);
        line.extent.width += box.width;
        line.extent.ascent = std::max(line.extent.ascent, box.ascent);
        line.extent.descent = std::max(line.extent.descent, box.descent);
        piece.content = std::move(box);
      } else {
        line.extent.width += prose.width(run.text, style);
        piece.content = std::move(run.text);
      }
    }
    return line;
  }

  void fill_box(cairo_t* cr, const math::Box& box, double x, double y, TextPart part) const {
    cairo_save(cr);
    for (const auto& [asked, drawn] :
         {std::pair{TextPart::plain, math::Part::plain}, {TextPart::warning, math::Part::warning}}) {
      if (part != TextPart::all && part != asked) continue;
      if (part == TextPart::all && asked == TextPart::warning) math::set_color(cr, warning_color(cr));
      cairo_new_path(cr);
      math::outline(box, font, words, cr, x, y, drawn);
      cairo_fill(cr);
    }
    cairo_restore(cr);
  }

  void show_prose(cairo_t* cr, double x, double y, const std::string& text, const TextStyle& style) const {
    if (!wants_outlines(cr)) return prose.show(cr, x, y, text, style);
    cairo_new_path(cr);
    prose.outline(cr, x, y, text, style);
    cairo_fill(cr);
  }

  void paint_box(cairo_t* cr, const math::Box& box, double x, double y, TextPart part) const {
    if (wants_outlines(cr) || part != TextPart::all) {
      fill_box(cr, box, x, y, part);
    } else {
      math::show(box, font, words, cr, x, y, warning_color(cr));
    }
  }
};

figure::Color warning_color(figure::Color ink) {
  const double luminance = 0.2126 * ink.r + 0.7152 * ink.g + 0.0722 * ink.b;
  return (luminance > 127 ? figure::dark_theme() : figure::light_theme()).fails;
}

TextSetter::TextSetter(const figure::Fonts& fonts) {
  const FontLock lock;
  state_ = std::make_unique<State>(fonts);
}

TextSetter::~TextSetter() {
  const FontLock lock;
  state_.reset();
}

Extent TextSetter::measure(std::string_view text, const TextStyle& style) const {
  const FontLock lock;
  return state_->set(text, style).extent;
}

void TextSetter::paint(cairo_t* cr, double x, double y, std::string_view text, const TextStyle& style,
                       TextPart part) const {
  const Painting painting(cr);
  for (const SetLine::Piece& piece : state_->set(text, style).pieces) {
    if (const auto* box = std::get_if<math::Box>(&piece.content)) {
      state_->paint_box(cr, *box, x + piece.x, y, part);
      continue;
    }
    if (part == TextPart::warning) continue;
    if (const auto* number = std::get_if<SetNumber>(&piece.content)) {
      for (const SetNumber::Part& digits : number->parts)
        state_->show_prose(cr, x + piece.x + digits.x, y - digits.up, digits.digits, digits.style);
    } else if (part != TextPart::formulas) {
      state_->show_prose(cr, x + piece.x, y, std::get<std::string>(piece.content), style);
    }
  }
}

void TextSetter::outline(cairo_t* cr, double x, double y, std::string_view text, const TextStyle& style,
                         TextPart part) const {
  const Painting painting(cr);
  for (const SetLine::Piece& piece : state_->set(text, style).pieces) {
    if (const auto* box = std::get_if<math::Box>(&piece.content)) {
      if (part != TextPart::warning)
        math::outline(*box, state_->font, state_->words, cr, x + piece.x, y, math::Part::plain);
      if (part != TextPart::plain)
        math::outline(*box, state_->font, state_->words, cr, x + piece.x, y, math::Part::warning);
    } else if (const auto* number = std::get_if<SetNumber>(&piece.content)) {
      if (part == TextPart::warning) continue;
      for (const SetNumber::Part& digits : number->parts)
        state_->prose.outline(cr, x + piece.x + digits.x, y - digits.up, digits.digits, digits.style);
    } else if (part != TextPart::warning && part != TextPart::formulas) {
      state_->prose.outline(cr, x + piece.x, y, std::get<std::string>(piece.content), style);
    }
  }
}

std::vector<TextSetter::Stretch> TextSetter::prose(std::string_view text, const TextStyle& style) const {
  const FontLock lock;
  std::vector<Stretch> stretches;
  for (const SetLine::Piece& piece : state_->set(text, style).pieces)
    if (const auto* words = std::get_if<std::string>(&piece.content)) stretches.push_back({piece.x, *words});
  return stretches;
}

std::vector<std::string> TextSetter::families(const TextStyle& style) const {
  const FontLock lock;
  return state_->prose.families(style);
}

bool TextSetter::warns(std::string_view text, const TextStyle& style) const {
  const FontLock lock;
  return std::ranges::any_of(state_->set(text, style).pieces, [](const SetLine::Piece& piece) {
    const auto* box = std::get_if<math::Box>(&piece.content);
    return box && box->warns();
  });
}

Extent TextSetter::measure_formula(std::string_view tex, double size) const {
  const FontLock lock;
  const math::Box& box = state_->display(tex, size);
  return {box.width, box.ascent, box.descent};
}

void TextSetter::paint_formula(cairo_t* cr, double x, double y, std::string_view tex, double size,
                               TextPart part) const {
  const Painting painting(cr);
  state_->paint_box(cr, state_->display(tex, size), x, y, part);
}

bool TextSetter::formula_warns(std::string_view tex, double size) const {
  const FontLock lock;
  return state_->display(tex, size).warns();
}

Phrase missing_fonts_note(const figure::Fonts& fonts) {
  const FontLock lock;
  std::string missing;
  for (const std::string& family : {fonts.words, fonts.numbers, fonts.math}) {
    FcPattern* wanted = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family.c_str(), nullptr);
    FcObjectSet* nothing = FcObjectSetBuild(FC_FAMILY, nullptr);
    FcFontSet* found = FcFontList(nullptr, wanted, nothing);
    const bool here = found && found->nfont > 0;
    if (found) FcFontSetDestroy(found);
    FcObjectSetDestroy(nothing);
    FcPatternDestroy(wanted);
    if (!here && missing.find(parameter::brief(family)) == std::string::npos)
      missing += (missing.empty() ? "" : ", ") + parameter::brief(family);
  }
  const bool math_is_here = missing.find(parameter::brief(fonts.math)) == std::string::npos;
  const Phrase replaced =
      missing.empty() ? Phrase()
                      : words("not installed, replaced by another typeface: {}", name_phrase(missing));
  const math::MathFont font(fonts.math);
  // DejaVu Sans has such a table, but not the letters of formulas.
  if (font.has_math_table() && font.glyph(U'\U0001D465', 0) != 0) return replaced;
  const Phrase plain =
      math_is_here ? words("without a MATH table, for plain formulas: {}", parameter::brief(fonts.math))
                   : words("no font here can set mathematics: install fonts-lmodern (Latin Modern Math)");
  return replaced.empty() ? plain : words("{}; {}", replaced, plain);
}

}  // namespace orrery::exporter
