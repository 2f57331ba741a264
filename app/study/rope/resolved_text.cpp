#include "app/study/rope/resolved_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/study/rope/known_rules.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

/// Lines of at most so many letters, broken at spaces.
std::vector<std::string> wrapped(std::string_view text, std::size_t letters) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > letters) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Words of a file are shown, never set as mathematics.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '$') safe += '\\';
    safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return safe;
}

struct TextLine {
  std::string text;
  figure::Ink ink;
};

constexpr figure::Ink words{figure::Role::text, 0, 1}, quiet{figure::Role::secondary, 0, 1},
    loud{figure::Role::accent, 0, 1};

void add_layer(std::vector<TextLine>& lines, const model::RopeLayer& layer, std::size_t letters) {
  std::string name = layer.name == "all" ? "All layers" : plain(layer.name);
  std::ranges::replace(name, '_', ' ');
  lines.push_back({name + ": " + layer.rope_type, words});
  if (layer.rope_type == "none") return lines.push_back({"no rotary positions", quiet});
  std::string text = "head width " + std::to_string(layer.head_dim) + ", " +
                     std::to_string(layer.rotary_dim) + " rotated, " +
                     (layer.layout == position::RopeLayout::half ? "half" : "interleaved") + "; " +
                     rule_text(layer.rule);
  if (layer.base != layer.rule.base) text += ", base grown to " + rounded_text(layer.base, 8);
  text += "; attention factor " + rounded_text(layer.attention_factor, 6);
  if (layer.softmax_factor != 1) text += ", softmax factor " + rounded_text(layer.softmax_factor, 7);
  if (!layer.sections.empty()) {
    text += "; sections";
    for (const int n : layer.sections) text += " " + std::to_string(n);
  }
  for (std::string& line : wrapped(text, letters)) lines.push_back({std::move(line), quiet});
}

}  // namespace

figure::Panel resolved_panel(const model::RopeConfig& config, bool alone) {
  // Letters that fit the width of a column of text when alone, of a page otherwise; lines that fit the panel's height.
  const std::size_t letters = alone ? 58 : 74, most = alone ? 200 : 10;
  std::vector<TextLine> lines;
  for (const model::RopeLayer& layer : config.layers) add_layer(lines, layer, letters);
  for (const auto& warning : config.warnings) {
    lines.push_back({plain(warning.field), loud});
    for (std::string& line : wrapped(plain(warning.message), letters))
      lines.push_back({std::move(line), quiet});
  }
  if (config.warnings.empty()) lines.push_back({"Nothing in it is contradictory or missing.", quiet});
  if (lines.size() > most) {
    const std::size_t left = lines.size() - most + 1;
    lines.resize(most - 1);
    lines.push_back({"and " + std::to_string(left) + " lines more: show the words alone", words});
  }

  figure::Panel panel;
  panel.x = {.range = figure::Range{0, 1}, .visible = false};
  panel.y = {.range = figure::Range{0, 1}, .visible = false};
  panel.legend = figure::LegendPlace::none;
  const double rows = static_cast<double>(std::max(lines.size(), most < 200 ? most : std::size_t{16}));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    figure::Note note{
        .x = 0, .y = 1 - (static_cast<double>(i) + 0.5) / rows, .text = lines[i].text, .ink = lines[i].ink};
    note.h = figure::HAlign::left;
    note.size = 0.92;
    panel.marks.push_back(std::move(note));
  }
  return panel;
}

}  // namespace orrery::study
