#include "app/gui/rich_text.h"

#include <cmath>
#include <vector>

#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

/// A word, or a formula with whatever touches it; never broken.
struct Chunk {
  std::string_view text;
  bool math = false;
};

std::vector<Chunk> chunks_of(std::string_view text) {
  std::vector<Chunk> chunks;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\n') {
      ++at;
      continue;
    }
    const std::size_t from = at;
    bool formula = false, math = false;
    for (; at < text.size() && (formula || (text[at] != ' ' && text[at] != '\n')); ++at) {
      if (text[at] != '$' || (at > from && text[at - 1] == '\\')) continue;
      formula = !formula;
      math = true;
    }
    chunks.push_back(
        {text.substr(from, at - from), math || text.substr(from, at - from).find('\\') != text.npos});
  }
  return chunks;
}

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

TextBlock rich_text(Ui& ui, ImDrawList& draw, ImVec2 at, float wrap, const Face& face, figure::Color ink,
                    std::string_view text) {
  const float line = std::round(em_of(ui, face) * ui.scale * 1.46f);
  const float space = face.width(" ");
  float x = at.x, top = at.y;
  // Words between two formulas are drawn as one piece: the spaces in it are the typeface's own.
  Chunk piece;
  float piece_x = at.x;
  const auto flush = [&] {
    if (piece.text.empty()) return;
    const float baseline = baseline_in(face, top, line);
    if (piece.math)
      draw_picture(ui, draw, picture_of(ui, face, piece.text), piece_x, baseline, ink);
    else
      put(draw, face, piece_x, baseline, color(ink), piece.text);
    piece = {};
  };
  for (const Chunk& chunk : chunks_of(text)) {
    const float width = width_of(ui, face, chunk);
    const bool first = x == at.x;
    const bool broken = !first && wrap > 0 && x + space + width > at.x + wrap;
    if (broken) {
      flush();
      x = at.x;
      top += line;
    } else if (!first) {
      x += space;
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
  return {top + line - at.y, x - at.x};
}

float rich_width(Ui& ui, const Face& face, std::string_view text) {
  float width = 0;
  for (const Chunk& chunk : chunks_of(text))
    width += (width > 0 ? face.width(" ") : 0) + width_of(ui, face, chunk);
  return width;
}

void rich_line(Ui& ui, ImDrawList& draw, float x, float baseline, const Face& face, figure::Color ink,
               std::string_view text) {
  if (text.find_first_of("$\\") == text.npos) return put(draw, face, x, baseline, color(ink), text);
  for (const Chunk& chunk : chunks_of(text)) {
    if (chunk.math)
      draw_picture(ui, draw, picture_of(ui, face, chunk.text), x, baseline, ink);
    else
      put(draw, face, x, baseline, color(ink), chunk.text);
    x += width_of(ui, face, chunk) + face.width(" ");
  }
}

}  // namespace orrery::gui
