#include "app/cli/rope_report.h"

#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/warnings.h"
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
  return say("{} tokens", shortest(tokens));
}

/// What the rule of this type has besides base and width.
void rule_rows(TextTable& table, const RopeLayer& layer) {
  const RopeRule& r = layer.rule;
  const auto row = [&](const std::string& what, const std::string& value) { table.row({what, value}); };
  const bool stretched = r.type != RopeType::standard;
  if (stretched) row(say("factor"), shortest(r.factor));
  if (r.original_length > 0) row(say("original length"), length_text(r.original_length));
  if (r.max_length > 0) row(say("longest length"), length_text(r.max_length));
  if (r.length > 0) row(say("length asked for"), length_text(r.length));
  if (layer.base != r.base) row(say("base in the file"), shortest(r.base));
  if (r.type == RopeType::llama3) {
    row(say("low, high freq factor"), shortest(r.low_freq_factor) + ", " + shortest(r.high_freq_factor));
  }
  if (r.type == RopeType::yarn) {
    row(say("beta fast, slow"), shortest(r.beta_fast) + ", " + shortest(r.beta_slow));
    const std::string low = short_number(layer.frequencies.ramp_low),
                      high = short_number(layer.frequencies.ramp_high);
    row(say("ramp over pairs"),
        r.truncate ? say("{} to {}", low, high) : say("{} to {}, not rounded", low, high));
  }
  if (r.type == RopeType::longrope)
    row(say("list of divisors"), r.length > r.original_length ? "long_factor" : "short_factor");
  if (r.type == RopeType::proportional) row(say("turning part"), shortest(r.partial));
}

std::string pairs_text(const RopeLayer& layer) {
  const auto n = position::count_pairs(layer.rule, layer.frequencies);
  // Only these two rules keep some pairs and divide others; the rest treat every pair alike, or each in its
  // own way.
  const bool bands = layer.rule.type == RopeType::yarn || layer.rule.type == RopeType::llama3;
  std::string text = say("{} kept", n.kept);
  if (bands) text += say(", ") + say("{} blended", n.blended);
  if (!bands && n.blended > 0) text += say(", ") + say("{} changed", n.blended);
  if (n.divided > 0 || bands)
    text += say(", ") + say("{} divided by {}", n.divided, shortest(layer.rule.factor));
  if (n.still > 0) text += say(", ") + say("{} standing still", n.still);
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
  table.row({say("pair"), say("frequency (rad/token)"), say("wavelength (tokens)")});
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
    text += (text.empty() ? "" : say(", ")) + (layer.spans.size() > 1 ? span.name + " " : std::string()) +
            (span.window > 0 ? length_text(span.window) : say("the whole text"));
  }
  return text;
}

std::string to_text(const RopeLayer& layer) {
  std::string text = "\n" + say("{} layers: {}", translated(layer.name), layer.rope_type) + "\n";
  if (layer.rope_type == "none") return text + "    " + say("no rotary positions") + "\n";
  TextTable table("    ");
  table.row({say("base"), shortest(layer.base)});
  const bool whole = layer.rotary_dim == layer.head_dim;
  table.row({say("head width"), whole ? say("{}, all of it rotated", layer.head_dim)
                                : layer.rotary_last
                                    ? say("{}, the last {} of it rotated", layer.head_dim, layer.rotary_dim)
                                    : say("{}, {} of it rotated", layer.head_dim, layer.rotary_dim)});
  const bool halves = layer.layout == position::RopeLayout::half;
  table.row({say("layout"),
             halves ? say("{}: pair i is (i, i + {})", layout_name(layer.layout), layer.rotary_dim / 2)
                    : say("{}: pair i is (2i, 2i + 1)", layout_name(layer.layout))});
  rule_rows(table, layer);
  if (const std::string spans = spans_text(layer); !spans.empty()) table.row({say("sees"), spans});
  table.row({say("attention factor"), say("{} on cos and sin", short_number(layer.attention_factor))});
  table.row({say("softmax factor"), short_number(layer.softmax_factor)});
  if (!layer.sections.empty()) {
    std::string sections;
    for (const int n : layer.sections) sections += (sections.empty() ? "" : ", ") + std::to_string(n);
    table.row({say("sections"), say("{} pairs", sections)});
  }
  table.row({say("pairs"), pairs_text(layer)});
  return text + table.text() + "\n" + frequencies_text(layer);
}

}  // namespace

ordered_json rope_json(const model::RopeConfig& config) {
  ordered_json layers = ordered_json::array();
  for (const RopeLayer& layer : config.layers) layers.push_back(to_json(layer));
  return {{"model_type", config.model_type},
          {"positions", model::name(config.positions.kind)},
          {"layers", layers},
          {"warnings", warnings_json(config.warnings)}};
}

std::string rope_text(const model::RopeConfig& config) {
  // Words of the file go through single_line: a terminal obeys what control characters say.
  std::string text =
      (config.model_type.empty() ? say("model type not said") : single_line(config.model_type)) + "\n";
  for (const auto& [stack, kind] : model::by_stack(config.positions)) {
    const bool known = kind != model::Positions::unknown;
    const std::string words(model::words_of(kind));
    text += translated(known ? std::string(stack) + ": " + words : words) + "\n";
  }
  if (config.trained.tokens > 0)
    text += say("trained length: {}, by {}", length_text(config.trained.tokens),
                translated(model::words_of(config.trained))) +
            "\n";
  for (const RopeLayer& layer : config.layers) text += to_text(layer);
  if (config.warnings.empty()) return text;
  text += "\n" + say("warnings") + "\n";
  for (const auto& w : config.warnings) text += "    " + warning_text(w) + "\n";
  return text;
}

}  // namespace orrery::cli
