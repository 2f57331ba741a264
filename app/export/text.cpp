#include "app/export/text.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <variant>
#include <vector>

#include "app/export/math/layout.h"
#include "app/export/math/parse.h"
#include "app/export/prose.h"
#include "app/export/text_runs.h"

namespace orrery::exporter {
namespace {

using figure::Extent;
using figure::TextStyle;

TextStyle words_style(double size) {
  return {figure::Voice::words, size, false};
}

/// Words inside formulas speak with the face of the prose around them.
class FormulaWords final : public math::Words {
 public:
  explicit FormulaWords(const Prose& prose) : prose_(prose) {}
  double width(const std::string& text, double size) const override {
    return prose_.width(text, words_style(size));
  }
  void show(cairo_t* cr, double x, double y, const std::string& text, double size) const override {
    prose_.show(cr, x, y, text, words_style(size));
  }
  void outline(cairo_t* cr, double x, double y, const std::string& text, double size) const override {
    prose_.outline(cr, x, y, text, words_style(size));
  }

 private:
  const Prose& prose_;
};

/// A label set: runs of prose and boxes of mathematics side by side on one baseline.
struct SetLine {
  struct Piece {
    double x = 0;
    std::variant<std::string, math::Box> content;
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

/// Pixels want outlines: Cairo 1.16 moves every glyph of an image to a whole pixel, which spoils the spacing
/// at small sizes. Paper wants text, which a reader can select.
bool wants_outlines(cairo_t* cr) {
  return cairo_surface_get_type(cairo_get_group_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE;
}

}  // namespace

struct TextSetter::State {
  explicit State(const figure::Fonts& fonts) : prose(fonts), words(prose), font(fonts.math) {}

  Prose prose;
  FormulaWords words;
  math::MathFont font;
  std::map<Key, SetLine> lines;  // what was set before: a figure is laid out often, its words change rarely
  std::map<Key, StyleMeasures> styles;
  static constexpr std::size_t most_lines = 4096;

  const StyleMeasures& measures(const TextStyle& style) {
    const Key key{{}, static_cast<int>(style.voice), style.size, style.bold};
    if (const auto known = styles.find(key); known != styles.end()) return known->second;
    if (styles.size() >= most_lines) styles.clear();
    const double capital = prose.cap_height(style);
    const double below = 0.25 * style.size;
    return styles[key] = {{0, capital + below, below}, math_size(style, capital, prose.x_height(style))};
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

  const SetLine& set(std::string_view text, const TextStyle& style) {
    const Key key{std::string(text), static_cast<int>(style.voice), style.size, style.bold};
    if (const auto known = lines.find(key); known != lines.end()) return known->second;
    if (lines.size() >= most_lines) lines.clear();
    SetLine line;
    line.extent = measures(style).line;
    for (TextRun& run : split_text(text)) {
      const double x = line.extent.width;
      if (run.math) {
        math::Box box = formula(run.text, measures(style).math_size, false);
        line.extent.width += box.width;
        line.extent.ascent = std::max(line.extent.ascent, box.ascent);
        line.extent.descent = std::max(line.extent.descent, box.descent);
        line.pieces.push_back({x, std::move(box)});
      } else {
        line.extent.width += prose.width(run.text, style);
        line.pieces.push_back({x, std::move(run.text)});
      }
    }
    return lines[key] = std::move(line);
  }

  void outline_box(cairo_t* cr, const math::Box& box, double x, double y) const {
    cairo_new_path(cr);
    math::outline(box, font, words, cr, x, y, math::Part::plain);
    cairo_fill(cr);
    cairo_save(cr);
    math::set_warning_color(cr);
    math::outline(box, font, words, cr, x, y, math::Part::warning);
    cairo_fill(cr);
    cairo_restore(cr);
  }

  void paint_box(cairo_t* cr, const math::Box& box, double x, double y) const {
    if (wants_outlines(cr)) {
      outline_box(cr, box, x, y);
    } else {
      math::show(box, font, words, cr, x, y);
    }
  }
};

TextSetter::TextSetter(const figure::Fonts& fonts) : state_(std::make_unique<State>(fonts)) {}
TextSetter::~TextSetter() = default;

Extent TextSetter::measure(std::string_view text, const TextStyle& style) const {
  return state_->set(text, style).extent;
}

void TextSetter::paint(cairo_t* cr, double x, double y, std::string_view text, const TextStyle& style) const {
  for (const SetLine::Piece& piece : state_->set(text, style).pieces) {
    if (const auto* box = std::get_if<math::Box>(&piece.content)) {
      state_->paint_box(cr, *box, x + piece.x, y);
      continue;
    }
    const auto& prose = std::get<std::string>(piece.content);
    if (wants_outlines(cr)) {
      cairo_new_path(cr);
      state_->prose.outline(cr, x + piece.x, y, prose, style);
      cairo_fill(cr);
    } else {
      state_->prose.show(cr, x + piece.x, y, prose, style);
    }
  }
}

void TextSetter::outline(cairo_t* cr, double x, double y, std::string_view text,
                         const TextStyle& style) const {
  for (const SetLine::Piece& piece : state_->set(text, style).pieces) {
    if (const auto* box = std::get_if<math::Box>(&piece.content)) {
      math::outline(*box, state_->font, state_->words, cr, x + piece.x, y, math::Part::plain);
      math::outline(*box, state_->font, state_->words, cr, x + piece.x, y, math::Part::warning);
    } else {
      state_->prose.outline(cr, x + piece.x, y, std::get<std::string>(piece.content), style);
    }
  }
}

Extent TextSetter::measure_formula(std::string_view tex, double size) const {
  const math::Box box = state_->formula(tex, size, true);
  return {box.width, box.ascent, box.descent};
}

void TextSetter::paint_formula(cairo_t* cr, double x, double y, std::string_view tex, double size) const {
  state_->paint_box(cr, state_->formula(tex, size, true), x, y);
}

std::string missing_fonts_note(const figure::Fonts& fonts) {
  std::string missing;
  for (const std::string& family : {fonts.words, fonts.numbers, fonts.math}) {
    FcPattern* wanted = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family.c_str(), nullptr);
    FcObjectSet* nothing = FcObjectSetBuild(FC_FAMILY, nullptr);
    FcFontSet* found = FcFontList(nullptr, wanted, nothing);
    const bool here = found && found->nfont > 0;
    if (found) FcFontSetDestroy(found);
    FcObjectSetDestroy(nothing);
    FcPatternDestroy(wanted);
    if (!here && missing.find(family) == std::string::npos) missing += (missing.empty() ? "" : ", ") + family;
  }
  return missing.empty() ? missing : "not installed, replaced by another typeface: " + missing;
}

}  // namespace orrery::exporter
