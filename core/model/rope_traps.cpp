#include "core/model/rope_traps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/model/pairing.h"

namespace orrery::model {
namespace {

using position::RopeRule;
using position::RopeType;
using Warnings = std::vector<position::RopeWarning>;

std::string text(double x) {
  std::array<char, 32> buffer;
  const int n = std::snprintf(buffer.data(), buffer.size(), "%.7g", x);
  return {buffer.data(), static_cast<std::size_t>(n)};
}

/// Keys that some rule reads, to tell a key of another rule from one that nobody knows.
bool known_to_some_rule(std::string_view key) {
  constexpr std::array<std::string_view, 14> known{"factor",
                                                   "original_max_position_embeddings",
                                                   "attention_factor",
                                                   "beta_fast",
                                                   "beta_slow",
                                                   "mscale",
                                                   "truncate",
                                                   "mscale_all_dim",
                                                   "short_factor",
                                                   "long_factor",
                                                   "low_freq_factor",
                                                   "high_freq_factor",
                                                   "alpha",
                                                   "partial_rotary_factor"};
  return std::ranges::find(known, key) != known.end();
}

void factor_trap(Fields& rope, const RopeRule& rule, Warnings& warnings) {
  const double implied = rule.max_length / rule.original_length;
  if (!(rule.max_length > 0 && std::abs(implied - rule.factor) > 1e-9 * rule.factor)) return;
  warnings.push_back({rope.path("factor"), text(rule.factor) + " counts, but the two lengths imply " +
                                               text(implied) +
                                               ": older copies of the rule take that instead"});
}

/// Before version 5 transformers passed over the factor where the original length stands at the top, as Phi-3 has it. It is
/// about the attention factor alone.
void longrope_traps(RopeContext& context, Fields& rope, const RopeRule& rule, Warnings& warnings) {
  if (!rule.attention_factor && context.top.has("original_max_position_embeddings"))
    factor_trap(rope, rule, warnings);
}

void yarn_traps(const RopeContext& context, Fields& rope, const RopeLayer& layer, Warnings& warnings) {
  const RopeRule& rule = layer.rule;
  factor_trap(rope, rule, warnings);
  if (rule.attention_factor && (rule.mscale || rule.mscale_all_dim)) {
    warnings.push_back({rope.path("mscale"), "not used: attention_factor is given, and counts"});
  } else if ((rule.mscale.value_or(0) != 0) != (rule.mscale_all_dim.value_or(0) != 0)) {
    warnings.push_back({rope.path(rule.mscale.value_or(0) != 0 ? "mscale" : "mscale_all_dim"),
                        "changes the attention factor only beside the other of mscale and mscale_all_dim"});
  }
  if (context.nested && !rule.truncate) {
    warnings.push_back({rope.path("truncate"),
                        "false counts here, but transformers reads it at the top only and would "
                        "round the ramp's ends"});
  }
  if (layer.softmax_factor != 1) {
    warnings.push_back(
        {rope.path("mscale_all_dim"),
         "a second correction besides the attention factor: the softmax scale is multiplied by " +
             text(layer.softmax_factor)});
  }
}

void length_traps(Fields& rope, const RopeLayer& layer, Warnings& warnings) {
  const RopeRule& rule = layer.rule;
  if (rule.factor < 1) {
    warnings.push_back(
        {rope.path("factor"), text(rule.factor) + " is below 1: tokens are moved apart, for shorter texts"});
  }
  if (rule.max_length > 0 && rule.original_length > rule.max_length) {
    warnings.push_back({rope.path("original_max_position_embeddings"),
                        text(rule.original_length) + " is more than max_position_embeddings, " +
                            text(rule.max_length) + ": the model would be shorter than it was trained"});
  }
  if (rule.type == RopeType::dynamic) {
    warnings.push_back({rope.path("rope_type"), "the base grows with every token beyond " +
                                                    text(rule.max_length) +
                                                    ": keys that were cached rotated keep the old one"});
    if (rope.has("original_max_position_embeddings")) {
      static_cast<void>(rope.number("original_max_position_embeddings"));
      warnings.push_back({rope.path("original_max_position_embeddings"),
                          "not used: dynamic counts from max_position_embeddings"});
    }
  }
  if (rule.type == RopeType::longrope && rule.short_factor != rule.long_factor) {
    warnings.push_back(
        {rope.path("long_factor"), "taken beyond " + text(rule.original_length) +
                                       " tokens, short_factor up to there: keys that were cached rotated "
                                       "by the other do not fit"});
  }
}

/// Which layers of a hybrid attend: the others are recurrences or convolutions, and have no positions.
void say_who_attends(Fields& top, Warnings& warnings) {
  const auto said = [&](std::string_view key, std::int64_t attending, std::int64_t all) {
    if (attending >= all) return;
    warnings.push_back({std::string(key), std::to_string(attending) + " of " + std::to_string(all) +
                                              " layers attend; only these have rotary positions"});
  };
  const auto attends = [](const std::string& type) {
    return type != "linear_attention" && type.find("attention") != std::string::npos;
  };
  if (top.is_list("layer_types")) {
    if (const auto types = top.texts("layer_types"))
      said("layer_types", std::ranges::count_if(*types, attends), std::ssize(*types));
    return;
  }
  if (top.is_list("attn_type_list")) {  // MiniMax: 1 attends, 0 is lightning attention
    if (const auto types = top.numbers("attn_type_list"))
      said("attn_type_list", std::ranges::count(*types, 1.0), std::ssize(*types));
    return;
  }
  const auto all = top.whole("num_hidden_layers", 1, 1 << 20);
  const auto every = top.whole("full_attention_interval", 1, 1 << 20);  // Qwen3-Next
  if (all && every) said("full_attention_interval", *all / *every, *all);
}

}  // namespace

void add_traps(RopeContext& context, Fields& rope, const RopeLayer& layer, Warnings& warnings) {
  if (layer.rule.type == RopeType::yarn) yarn_traps(context, rope, layer, warnings);
  if (layer.rule.type == RopeType::longrope) longrope_traps(context, rope, layer.rule, warnings);
  length_traps(rope, layer, warnings);
  if (const auto beta = rope.number("llama_4_scaling_beta"); beta && *beta != 0) {
    warnings.push_back({rope.path("llama_4_scaling_beta"),
                        "a temperature that grows with the position multiplies the "
                        "queries besides; it is not part of these frequencies"});
  }
  for (const std::string& key : rope.unread()) {
    const bool known = known_to_some_rule(key);
    warnings.push_back({rope.path(key), known ? "ignored: rope_type " + layer.rope_type + " does not use it"
                                              : "ignored: no such key is known"});
  }
}

void add_model_traps(RopeContext& context, Warnings& warnings) {
  Fields& top = context.top;
  const bool llama4 = context.model_type == "llama4" || context.model_type == "llama4_text";
  if (llama4 || top.has("attn_temperature_tuning")) {
    warnings.push_back({"attn_temperature_tuning",
                        "a temperature that grows with the position multiplies the queries of "
                        "layers without rotary positions; it is not part of these frequencies"});
  }
  say_who_attends(top, warnings);
  if (has_two_streams(context)) {
    warnings.push_back({"position_encoding_2d",
                        "the second half of a head turns by positions inside a block; what is resolved is "
                        "the first half alone"});
  }
  const bool image = top.has("image_size") && top.has("patch_size") && !top.has("vocab_size");
  if (image) warnings.push_back({"patch_size", "an image has two axes; these frequencies are of one"});
  if (const auto length = top.number("attn_temperature_len"); length && *length > 0) {
    warnings.push_back(
        {"attn_temperature_len", "queries are multiplied by the logarithm of the length beyond " +
                                     text(*length) + " tokens; it is not part of these frequencies"});
  }
  static_cast<void>(top.has("rope_max_length") && top.number("rope_max_length"));  // OpenELM's table: no rule
  for (const std::string& key : top.unread()) {
    const bool rotary = key.starts_with("rope") || key.starts_with("rotary") ||
                        key.find("_rope") != std::string::npos || key.find("_rotary") != std::string::npos ||
                        key.find("mrope") != std::string::npos;
    const bool layers_said = key == "no_rope_layers" || key == "no_rope_layer_interval";
    if (rotary && !layers_said) warnings.push_back({key, "ignored: no such key is known"});
  }
}

}  // namespace orrery::model
