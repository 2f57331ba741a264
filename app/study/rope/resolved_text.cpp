#include "app/study/rope/resolved_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/kit/paragraphs.h"
#include "app/study/rope/known_rules.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

constexpr std::string_view thin_space = "\u2009";

/// Words of a file are shown, never set as mathematics.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '$') safe += '\\';
    safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return safe;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whole parts of numbers in groups of three, as grouped() writes them, also where a message of the reader has them plain. What
/// stands in a name (transformers#29285, bf16) is no number.
std::string with_groups(std::string text) {
  constexpr std::size_t longest_plain = 4;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    const bool ends =
        end == text.size() || std::string_view(" ,;:.)").find(text[end]) != std::string_view::npos;
    std::size_t added = 0;
    if (begins && ends && end - at > longest_plain)
      for (std::size_t group = end; group > at + 3;) {
        group -= 3;
        text.insert(group, thin_space);
        added += thin_space.size();
      }
    // A fraction has no groups.
    at = std::min(text.find_first_not_of("0123456789.", end + added), text.size());
  }
  return text;
}

constexpr figure::Ink words{figure::Role::text, 0, 1}, aside{figure::Role::secondary, 0, 1},
    loud{figure::Role::accent, 0, 1};

void add_layer(std::vector<Paragraph>& paragraphs, const model::RopeLayer& layer) {
  std::string name = layer.name == "all" ? "All layers" : plain(layer.name);
  std::ranges::replace(name, '_', ' ');
  paragraphs.push_back({name + ": " + layer.rope_type, words});
  if (layer.rope_type == "none") return paragraphs.push_back({"no rotary positions", aside});
  std::string text = "head width " + std::to_string(layer.head_dim) + ", " +
                     (layer.rotary_last ? "the last " : "") + std::to_string(layer.rotary_dim) +
                     " rotated, " + (layer.layout == position::RopeLayout::half ? "half" : "interleaved") +
                     "; " + rule_text(layer.rule);
  if (layer.base != layer.rule.base) text += ", base grown to " + rounded_text(layer.base, 8);
  text += "; attention factor " + rounded_text(layer.attention_factor, 6);
  if (layer.softmax_factor != 1) text += ", softmax factor " + rounded_text(layer.softmax_factor, 7);
  if (!layer.sections.empty()) {
    text += "; sections";
    for (const int n : layer.sections) text += " " + std::to_string(n);
  }
  paragraphs.push_back({with_groups(std::move(text)), aside});
}

/// What kind of positions each stack has, unless it is one decoder that rotates: then the layers say it.
void add_positions(std::vector<Paragraph>& paragraphs, const model::PositionKinds& kinds) {
  if (kinds.kind == model::Positions::rotary && kinds.stacks == model::Stacks::decoder) return;
  for (const auto& [stack, kind] : model::by_stack(kinds)) {
    const bool known = kind != model::Positions::unknown;
    paragraphs.push_back(
        {(known ? std::string(stack) + ": " : std::string()) + std::string(words_of(kind)), words});
  }
}

/// What the training has shown, and who says so.
void add_trained(std::vector<Paragraph>& paragraphs, const model::TrainedLength& trained) {
  if (trained.by == model::TrainedBy::nobody) return;
  paragraphs.push_back(
      {"trained length " + grouped(trained.tokens) + ", by " + plain(words_of(trained)), aside});
}

/// "sliding attention sees 1 024 tokens"
void add_spans(std::vector<Paragraph>& paragraphs, const model::RopeLayer& layer) {
  for (const model::RopeSpan& span : layer.spans) {
    if (span.window == 0) continue;
    std::string name = span.name;
    std::ranges::replace(name, '_', ' ');
    paragraphs.push_back({plain(name) + " sees " + grouped(span.window) + " tokens", aside});
  }
}

}  // namespace

figure::Panel resolved_panel(const model::RopeConfig& config) {
  std::vector<Paragraph> paragraphs;
  add_positions(paragraphs, config.positions);
  for (const model::RopeLayer& layer : config.layers) {
    add_layer(paragraphs, layer);
    if (!layer.inv_freq.empty()) add_spans(paragraphs, layer);
  }
  add_trained(paragraphs, config.trained);
  for (const auto& warning : config.warnings) {
    paragraphs.push_back({plain(warning.field), loud});
    paragraphs.push_back({with_groups(plain(warning.message)), aside});
  }
  if (config.warnings.empty()) paragraphs.push_back({"Nothing in it is contradictory or missing.", aside});

  return paragraph_panel(std::move(paragraphs));
}

}  // namespace orrery::study
