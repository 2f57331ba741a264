#include "app/cli/rope_report.h"

#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "app/cli/print.h"
#include "core/parameter/parameter.h"

namespace orrery::cli {
namespace {

using model::RopeLayer;
using nlohmann::ordered_json;
using parameter::shortest;
using position::RopeRule;
using position::RopeType;

const char* layout_name(position::RopeLayout layout) {
  return layout == position::RopeLayout::half ? "half" : "interleaved";
}

ordered_json to_json(const RopeLayer& layer) {
  return {{"name", layer.name},
          {"rope_type", layer.rope_type},
          {"base", layer.base},
          {"rotary_dim", layer.rotary_dim},
          {"head_dim", layer.head_dim},
          {"layout", layout_name(layer.layout)},
          {"inv_freq", layer.inv_freq},
          {"attention_factor", layer.attention_factor},
          {"softmax_factor", layer.softmax_factor},
          {"sections", layer.sections}};
}

std::string length_text(double tokens) {
  return short_number(tokens) + " tokens";
}

/// What the rule of this type has besides base and width.
void rule_rows(TextTable& table, const RopeLayer& layer) {
  const RopeRule& r = layer.rule;
  const auto row = [&](const char* what, const std::string& value) { table.row({what, value}); };
  const bool stretched = r.type != RopeType::standard;
  if (stretched) row("factor", shortest(r.factor));
  if (r.original_length > 0) row("original length", length_text(r.original_length));
  if (r.max_length > 0) row("longest length", length_text(r.max_length));
  if (r.length > 0) row("length asked for", length_text(r.length));
  if (layer.base != r.base) row("base in the file", shortest(r.base));
  if (r.type == RopeType::llama3) {
    row("low, high freq factor", shortest(r.low_freq_factor) + ", " + shortest(r.high_freq_factor));
  }
  if (r.type == RopeType::yarn) {
    row("beta fast, slow", shortest(r.beta_fast) + ", " + shortest(r.beta_slow));
    row("ramp over pairs", short_number(layer.frequencies.ramp_low) + " to " +
                               short_number(layer.frequencies.ramp_high) +
                               (r.truncate ? "" : ", not rounded"));
  }
  if (r.type == RopeType::longrope)
    row("list", r.length > r.original_length ? "long_factor" : "short_factor");
  if (r.type == RopeType::proportional) row("turning part", shortest(r.partial));
}

std::string pairs_text(const RopeLayer& layer) {
  const auto n = position::count_pairs(layer.rule, layer.frequencies);
  // Only these two rules keep some pairs and divide others; the rest treat every pair alike, or each in its
  // own way.
  const bool bands = layer.rule.type == RopeType::yarn || layer.rule.type == RopeType::llama3;
  std::string text = std::to_string(n.kept) + " kept";
  if (n.blended > 0 || bands) text += ", " + std::to_string(n.blended) + (bands ? " blended" : " changed");
  if (n.divided > 0 || bands)
    text += ", " + std::to_string(n.divided) + " divided by " + shortest(layer.rule.factor);
  if (n.still > 0) text += ", " + std::to_string(n.still) + " standing still";
  return text;
}

/// The first and last pairs, and those where the treatment changes: a rule shows at its seams.
std::set<std::size_t> telling_pairs(const RopeLayer& layer) {
  RopeRule plain = layer.rule;
  plain.type = RopeType::standard;
  const auto w = position::rope_frequencies(plain).inv_freq;
  const auto treatment = [&](std::size_t i) {
    const double now = layer.inv_freq[i];
    if (now == 0) return 3;
    if (std::abs(now - w[i]) <= 1e-12 * w[i]) return 0;
    return std::abs(now * layer.rule.factor - w[i]) <= 1e-12 * w[i] ? 2 : 1;
  };
  std::set<std::size_t> pairs{0, 1, layer.inv_freq.size() - 1};
  for (std::size_t i = 1; i < layer.inv_freq.size(); ++i) {
    if (treatment(i) != treatment(i - 1)) pairs.insert({i - 1, i});
  }
  while (!pairs.empty() && *pairs.rbegin() >= layer.inv_freq.size()) pairs.erase(std::prev(pairs.end()));
  return pairs;
}

/// Every digit, and the exponent as Python and C write it (e-07): it is what people compare with.
std::string every_digit(double x) {
  std::string text = shortest(x);
  const auto e = text.find('e');
  if (e != std::string::npos && text.size() == e + 3) text.insert(e + 2, "0");
  return text;
}

std::string frequencies_text(const RopeLayer& layer) {
  if (layer.inv_freq.empty()) return "";
  TextTable table("    ", {0, 2});
  table.row({"pair", "frequency (rad/token)", "wavelength (tokens)"});
  std::size_t before = 0;
  for (const std::size_t i : telling_pairs(layer)) {
    if (i > before + 1) table.row({"…"});
    before = i;
    const double f = layer.inv_freq[i];
    table.row({std::to_string(i), every_digit(f), f == 0 ? "∞" : short_number(2 * std::numbers::pi / f)});
  }
  return table.text();
}

/// "sliding_attention: 1024 tokens"
std::string spans_text(const RopeLayer& layer) {
  std::string text;
  for (const model::RopeSpan& span : layer.spans) {
    if (layer.spans.size() == 1 && span.window == 0) continue;
    text += (text.empty() ? "" : ", ") + (layer.spans.size() > 1 ? span.name + " " : std::string()) +
            (span.window > 0 ? length_text(span.window) : "the whole text");
  }
  return text;
}

std::string to_text(const RopeLayer& layer) {
  std::string text = "\n" + layer.name + " layers: " + layer.rope_type + "\n";
  if (layer.rope_type == "none") return text + "    no rotary positions\n";
  TextTable table("    ");
  table.row({"base", shortest(layer.base)});
  const bool whole = layer.rotary_dim == layer.head_dim;
  table.row({"head width",
             std::to_string(layer.head_dim) + ", " +
                 (whole ? "all" : (layer.rotary_last ? "the last " : "") + std::to_string(layer.rotary_dim)) +
                 " of it rotated"});
  table.row({"layout", std::string(layout_name(layer.layout)) +
                           (layer.layout == position::RopeLayout::half
                                ? ": pair i is (i, i + " + std::to_string(layer.rotary_dim / 2) + ")"
                                : ": pair i is (2i, 2i + 1)")});
  rule_rows(table, layer);
  if (const std::string spans = spans_text(layer); !spans.empty()) table.row({"sees", spans});
  table.row({"attention factor", short_number(layer.attention_factor) + " on cos and sin"});
  table.row({"softmax factor", short_number(layer.softmax_factor)});
  if (!layer.sections.empty()) {
    std::string sections;
    for (const int n : layer.sections) sections += (sections.empty() ? "" : ", ") + std::to_string(n);
    table.row({"sections", sections + " pairs"});
  }
  table.row({"pairs", pairs_text(layer)});
  return text + table.text() + "\n" + frequencies_text(layer);
}

}  // namespace

ordered_json rope_json(const model::RopeConfig& config) {
  ordered_json layers = ordered_json::array(), warnings = ordered_json::array();
  for (const RopeLayer& layer : config.layers) layers.push_back(to_json(layer));
  for (const auto& w : config.warnings) warnings.push_back({{"field", w.field}, {"message", w.message}});
  return {{"model_type", config.model_type},
          {"positions", model::name(config.positions.kind)},
          {"layers", layers},
          {"warnings", warnings}};
}

std::string rope_text(const model::RopeConfig& config) {
  // Words of the file go through single_line: a terminal obeys what control characters say.
  std::string text =
      (config.model_type.empty() ? "model type not said" : single_line(config.model_type)) + "\n";
  for (const auto& [stack, kind] : model::by_stack(config.positions)) {
    const bool known = kind != model::Positions::unknown;
    text += (known ? std::string(stack) + ": " : std::string()) + std::string(model::words_of(kind)) + "\n";
  }
  if (config.trained.tokens > 0)
    text += "trained length: " + length_text(config.trained.tokens) + ", by " +
            std::string(model::words_of(config.trained.by)) + "\n";
  for (const RopeLayer& layer : config.layers) text += to_text(layer);
  if (config.warnings.empty()) return text;
  text += "\nwarnings\n";
  for (const auto& w : config.warnings) text += "    " + single_line(w.field + ": " + w.message) + "\n";
  return text;
}

}  // namespace orrery::cli
