#include "app/export/pgf/palette.h"

#include <algorithm>

#include "app/export/pgf/numbers.h"

namespace orrery::exporter::pgf {
namespace {

figure::Color opaque(figure::Color c) {
  c.a = 255;
  return c;
}

std::string hex(figure::Color c) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (const std::uint8_t channel : {c.r, c.g, c.b}) text += {digits[channel >> 4], digits[channel & 15]};
  return text;
}

}  // namespace

Palette::Palette(const figure::Theme& theme) {
  const auto add = [&](figure::Color color, std::string name) {
    entries_.push_back({opaque(color), "orrery" + std::move(name)});
  };
  add(theme.text, "Text");
  for (std::size_t i = 0; i < theme.series.size(); ++i)
    add(theme.series[i], "Series" + std::to_string(i + 1));
  add(theme.axis, "Axis");
  add(theme.grid, "Grid");
  add(theme.secondary, "Secondary");
  add(theme.faint, "Faint");
  add(theme.outline, "Outline");
  add(theme.accent, "Accent");
  add(theme.accent_ground, "AccentGround");
  add(theme.masked, "Masked");
  add(theme.bad, "Bad");
  add(theme.background, "Ground");
}

std::string Palette::name(figure::Color color) {
  auto entry = std::ranges::find(entries_, opaque(color), &Entry::color);
  if (entry == entries_.end()) {
    entries_.push_back({opaque(color), "orreryColor" + std::to_string(++others_)});
    entry = entries_.end() - 1;
  }
  entry->used = true;
  return entry->name;
}

std::string Palette::paint(const char* what, figure::Color color) {
  std::string text = std::string(what) + "=" + name(color);
  if (color.a != 255) text += std::string(", ") + what + " opacity=" + short_text(color.a / 255.0, 3);
  return text;
}

std::string Palette::stroke(figure::Color color) {
  return paint("draw", color);
}

std::string Palette::fill(figure::Color color) {
  return paint("fill", color);
}

std::string Palette::definitions() const {
  std::string text;
  for (const Entry& entry : entries_)
    if (entry.used) text += "\\definecolor{" + entry.name + "}{HTML}{" + hex(entry.color) + "}%\n";
  return text;
}

}  // namespace orrery::exporter::pgf
