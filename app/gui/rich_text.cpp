#include "app/gui/rich_text.h"

#include <cmath>
#include <vector>

#include "app/figure/line_breaks.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

using figure::Chunk;

float em_of(const Ui& ui, const Face& face) {
  return &face == &ui.faces.words ? 13 : face.cap / ui.faces.words.cap * 13;
}

const Picture& picture_of(Ui& ui, const Face& face, std::string_view text) {
  figure::TextStyle style;
  style.size = em_of(ui, face);
  style.voice = &face == &ui.faces.numbers || &face == &ui.faces.small_numbers ? figure::Voice::numbers
                                                                               : figure::Voice::words;
  return ui.pictures.label(ui.theme->fonts, text, style, ui.scale * ui.raster);
}

float line_step(const Ui& ui, const Face& face) {
  return std::round(em_of(ui, face) * ui.scale * 1.46f);
}

float width_of(Ui& ui, const Face& face, const Chunk& chunk) {
  if (!chunk.math) return face.width(chunk.text);
  return static_cast<float>(picture_of(ui, face, chunk.text).extent.width) * ui.scale;
}

}  // namespace

void draw_picture(const Ui& ui, ImDrawList& draw, const Picture& picture, float x, float baseline,
                  figure::Color ink) {
  const auto snap = [&](float v) { return std::round(v * ui.raster) / ui.raster; };
  const ImVec2 low(snap(x) - picture.origin_x / ui.raster, snap(baseline) - picture.origin_y / ui.raster);
  const ImVec2 high(low.x + static_cast<float>(picture.width) / ui.raster,
                    low.y + static_cast<float>(picture.height) / ui.raster);
  draw.AddImage(picture.texture, low, high, {0, 0}, {1, 1}, color(ink));
  if (picture.warning)
    draw.AddImage(picture.warning, low, high, {0, 0}, {1, 1}, color(exporter::warning_color(ink)));
}

namespace {

/// As many bytes of it, whole characters and at least one, as a line holds.
std::size_t fitting_bytes(const Face& face, std::string_view text, float wrap) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;
    if (end > 0 && face.width(text.substr(0, next)) > wrap) break;
    end = next;
  }
  return end;
}

/// What cannot be broken, but for words that are longer than a line: they are, anywhere.
std::vector<Chunk> chunks_within(Ui& ui, const Face& face, std::string_view text, float wrap) {
  std::vector<Chunk> chunks;
  for (Chunk chunk : figure::unbreakable_chunks(text)) {
    while (wrap > 0 && !chunk.math && width_of(ui, face, chunk) > wrap) {
      const std::size_t bytes = fitting_bytes(face, chunk.text, wrap);
      if (bytes >= chunk.text.size()) break;
      Chunk part = chunk;
      part.text = chunk.text.substr(0, bytes);
      chunks.push_back(part);
      chunk.text.remove_prefix(bytes);
      chunk.spaced = false;
    }
    chunks.push_back(chunk);
  }
  return chunks;
}

/// Walks through the lines; `paint(piece, x, line)` is given what is drawn as one: words between two formulas, whose
/// spaces are the typeface's own. `x` counts from the left.
template <class Paint>
TextBlock set_in_lines(Ui& ui, float wrap, const Face& face, std::string_view text, const Paint& paint) {
  const float line = line_step(ui, face), space = face.width(" ");
  Chunk piece;
  float x = 0, top = 0, piece_x = 0;
  const auto flush = [&] {
    if (!piece.text.empty()) paint(piece, piece_x, top);
    piece = {};
  };
  for (const Chunk& chunk : chunks_within(ui, face, text, wrap)) {
    const float width = width_of(ui, face, chunk), gap = chunk.spaced ? space : 0;
    if (x > 0 && wrap > 0 && x + gap + width > wrap) {
      flush();
      x = 0;
      top += line;
    } else if (x > 0) {
      x += gap;
    }
    if (!piece.text.empty() && !piece.math && !chunk.math) {
      piece.text = {piece.text.data(), static_cast<std::size_t>(chunk.text.end() - piece.text.begin())};
    } else {
      flush();
      piece = chunk;
      piece_x = x;
    }
    x += width;
  }
  flush();
  return {top + line, x};
}

}  // namespace

TextBlock rich_text(Ui& ui, ImDrawList& draw, ImVec2 at, float wrap, const Face& face, figure::Color ink,
                    std::string_view text) {
  const float line = line_step(ui, face);
  return set_in_lines(ui, wrap, face, text, [&](const Chunk& piece, float x, float top) {
    const float baseline = baseline_in(face, at.y + top, line);
    if (piece.math)
      draw_picture(ui, draw, picture_of(ui, face, piece.text), at.x + x, baseline, ink);
    else
      put(draw, face, at.x + x, baseline, color(ink), piece.text);
  });
}

float rich_height(Ui& ui, float wrap, const Face& face, std::string_view text) {
  return set_in_lines(ui, wrap, face, text, [](const Chunk&, float, float) {}).height;
}

float rich_width(Ui& ui, const Face& face, std::string_view text) {
  float width = 0;
  for (const Chunk& chunk : figure::unbreakable_chunks(text))
    width += (chunk.spaced ? face.width(" ") : 0) + width_of(ui, face, chunk);
  return width;
}

void rich_line(Ui& ui, ImDrawList& draw, float x, float baseline, const Face& face, figure::Color ink,
               std::string_view text) {
  if (text.find_first_of("$\\") == text.npos) return put(draw, face, x, baseline, color(ink), text);
  for (const Chunk& chunk : figure::unbreakable_chunks(text)) {
    if (chunk.spaced) x += face.width(" ");
    if (chunk.math)
      draw_picture(ui, draw, picture_of(ui, face, chunk.text), x, baseline, ink);
    else
      put(draw, face, x, baseline, color(ink), chunk.text);
    x += width_of(ui, face, chunk);
  }
}

}  // namespace orrery::gui
