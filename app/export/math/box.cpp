#include "app/export/math/box.h"

#include <algorithm>

#include "app/export/utf8.h"

namespace orrery::exporter::math {
namespace {

void set_font(cairo_t* cr, const MathFont& font, double size) {
  cairo_set_font_face(cr, font.face());
  cairo_set_font_size(cr, size);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cr, options);
  cairo_font_options_destroy(options);
}

void add_rules(const Box& box, cairo_t* cr, double x, double y) {
  for (const Box::Rule& rule : box.rules) cairo_rectangle(cr, x + rule.x, y + rule.y, rule.w, rule.h);
}

/// One glyph with the character it stands for.
void show_glyph(cairo_t* cr, const Box::PlacedGlyph& placed, double x, double y) {
  const std::string text = placed.code ? utf8(placed.code) : std::string();
  const int bytes = static_cast<int>(text.size());
  const cairo_glyph_t glyph{placed.glyph, x + placed.x, y + placed.y};
  const cairo_text_cluster_t cluster{bytes, 1};
  cairo_show_text_glyphs(cr, text.data(), bytes, &glyph, 1, &cluster, 1, cairo_text_cluster_flags_t{});
}

}  // namespace

void Box::place(const Box& other, double x, double y) {
  ascent = std::max(ascent, other.ascent - y);
  descent = std::max(descent, other.descent + y);
  for (PlacedGlyph glyph : other.glyphs) {
    glyph.x += x;
    glyph.y += y;
    glyphs.push_back(glyph);
  }
  for (const Rule& rule : other.rules) rules.push_back({rule.x + x, rule.y + y, rule.w, rule.h});
  for (PlacedWords placed : other.words) {
    placed.x += x;
    placed.y += y;
    words.push_back(std::move(placed));
  }
}

bool Box::warns() const {
  return std::ranges::any_of(words, &PlacedWords::warning);
}

void set_color(cairo_t* cr, figure::Color c) {
  cairo_set_source_rgba(cr, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

void show(const Box& box, const MathFont& font, const Words& words, cairo_t* cr, double x, double y,
          figure::Color warning) {
  cairo_save(cr);
  double size = 0;
  for (const Box::PlacedGlyph& glyph : box.glyphs) {
    if (glyph.size != size) set_font(cr, font, size = glyph.size);
    show_glyph(cr, glyph, x, y);
  }
  cairo_new_path(cr);
  add_rules(box, cr, x, y);
  cairo_fill(cr);
  for (const Box::PlacedWords& placed : box.words) {
    cairo_save(cr);
    if (placed.warning) set_color(cr, warning);
    words.show(cr, x + placed.x, y + placed.y, placed.text, placed.size);
    cairo_restore(cr);
  }
  cairo_restore(cr);
}

void outline(const Box& box, const MathFont& font, const Words& words, cairo_t* cr, double x, double y,
             Part part) {
  if (part == Part::plain) {
    cairo_matrix_t matrix;
    cairo_get_font_matrix(cr, &matrix);
    double size = 0;
    for (const Box::PlacedGlyph& glyph : box.glyphs) {
      if (glyph.size != size) set_font(cr, font, size = glyph.size);
      const cairo_glyph_t at{glyph.glyph, x + glyph.x, y + glyph.y};
      cairo_glyph_path(cr, &at, 1);
    }
    cairo_set_font_matrix(cr, &matrix);
    add_rules(box, cr, x, y);
  }
  for (const Box::PlacedWords& placed : box.words) {
    if (placed.warning == (part == Part::warning)) {
      words.outline(cr, x + placed.x, y + placed.y, placed.text, placed.size);
    }
  }
}

}  // namespace orrery::exporter::math
