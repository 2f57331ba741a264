#include "app/figure/text_box.h"

#include <algorithm>
#include <cmath>

#include "app/figure/line_breaks.h"

namespace orrery::figure {

namespace {

double before(HAlign h, double width) {
  return h == HAlign::left ? 0 : (h == HAlign::center ? width / 2 : width);
}

double above(VAlign v, const Extent& e) {
  switch (v) {
    case VAlign::top:
      return 0;
    case VAlign::middle:
      return (e.ascent + e.descent) / 2;
    case VAlign::baseline:
      return e.ascent;
    case VAlign::bottom:
      break;
  }
  return e.ascent + e.descent;
}

void drop_last_character(std::string& text) {
  while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  text.pop_back();
}

}  // namespace

Rect label_box(const Label& label, const TextMetrics& metrics) {
  const Extent e = metrics.measure(label.text, label.style);
  const double height = e.ascent + e.descent, across = above(label.v, e), along = before(label.h, e.width);
  if (label.upright) return {label.at.x - along, label.at.y - across, e.width, height};
  return {label.at.x - across, label.at.y + along - e.width, height, e.width};
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

Rect grown(const Rect& r, double by) {
  return {r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

std::vector<std::string> wrap(std::string_view text, const TextStyle& style, double width,
                              const TextMetrics& metrics) {
  std::vector<std::string> lines;
  for (const Chunk& chunk : unbreakable_chunks(text)) {
    if (!lines.empty()) {
      const std::string longer = lines.back() + (chunk.spaced ? " " : "") + std::string(chunk.text);
      if (metrics.measure(longer, style).width <= width) {
        lines.back() = longer;
        continue;
      }
    }
    lines.emplace_back(chunk.text);
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::vector<std::string> balanced(std::string_view text, const TextStyle& style, double width,
                                  const TextMetrics& metrics) {
  const std::vector<std::string> widest = wrap(text, style, width, metrics);
  constexpr int steps = 12;
  const double least = metrics.measure(text, style).width / static_cast<double>(widest.size());
  for (int i = 0; i < steps && least < width; ++i) {
    std::vector<std::string> lines = wrap(text, style, least + (width - least) * i / steps, metrics);
    if (lines.size() == widest.size()) return lines;
  }
  return widest;
}

double stepped_size(double most) {
  constexpr double steps = 8;
  return std::max(1.0, std::floor(most * steps)) / steps;
}

FittedText fit(const std::string& text, TextStyle style, double width, const TextMetrics& metrics) {
  constexpr double least = 0.7;
  const double asked = style.size;
  double wide = metrics.measure(text, style).width;
  // Letters made for small sizes are wider than their share, and hinted widths round: once is not always enough.
  for (int tries = 0; wide > width && tries < 4; ++tries) {
    const double share = width / wide;
    if (!(share * style.size >= least * asked)) return {"", style};
    style.size = stepped_size(style.size * share * 0.995);
    wide = metrics.measure(text, style).width;
  }
  return wide > width ? FittedText{"", style} : FittedText{text, style};
}

std::string beginning_of(std::string text, const TextStyle& style, double width, const TextMetrics& metrics) {
  const auto fits = [&](const std::string& part) { return metrics.measure(part, style).width <= width; };
  if (fits(text)) return text;
  if (text.find('$') != text.npos) return {};
  if (text.ends_with("…")) drop_last_character(text);
  constexpr std::size_t with_dots = 3;
  for (std::string begin = text; begin.size() >= with_dots; drop_last_character(begin))
    if (fits(begin + "…")) return begin + "…";
  while (!text.empty() && !fits(text)) drop_last_character(text);
  return text;
}

double line_height(std::string_view text, const TextStyle& style, const TextMetrics& metrics) {
  const Extent e = metrics.measure(text, style);
  return e.ascent + e.descent;
}

}  // namespace orrery::figure
