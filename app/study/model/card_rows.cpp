#include "app/study/model/card_rows.h"

#include <algorithm>
#include <array>

#include "app/study/rope/known_rules.h"
#include "app/study/text.h"
#include "core/parameter/parameter.h"

namespace orrery::study {
namespace {

using model::Card;
using model::RopeLayer;
using parameter::shortest;
using tensor::Index;

const std::string nobody_says = "unknown";

std::string number_text(const std::optional<Index>& n) {
  return n ? grouped(static_cast<double>(*n)) : nobody_says;
}

std::string yes_or_no(const std::optional<bool>& said) {
  return !said ? nobody_says : *said ? "yes" : "no";
}

std::string layers_text(const Card& card) {
  if (card.layers.empty()) return nobody_says;
  const std::string own = std::to_string(card.depth());
  return card.encoder_layers > 0 ? std::to_string(card.encoder_layers) + " + " + own : own;
}

std::string heads_text(const Card& card) {
  if (!card.heads || !card.head_width) return nobody_says;
  return std::to_string(*card.heads) + " × " + std::to_string(*card.head_width);
}

std::string kept_text(const Card& card) {
  if (!card.latent) return number_text(card.kv_heads);
  return "latent, " + std::to_string(card.latent->key_value_rank) + " + " +
         std::to_string(card.latent->rope_width);
}

std::string experts_text(const Card& card) {
  if (!card.known) return nobody_says;
  if (card.experts.total == 0) return "none";
  const std::string chosen =
      std::to_string(card.experts.active) + " of " + std::to_string(card.experts.total);
  return card.experts.shared > 0 ? chosen + ", " + std::to_string(card.experts.shared) + " shared" : chosen;
}

/// Of dense layers; where all have experts, of one of those.
std::string hidden_text(const Card& card) {
  const bool all = !card.layers.empty() &&
                   std::ranges::all_of(card.layers, [](const auto& layer) { return layer.experts; });
  return all ? grouped(static_cast<double>(card.experts.hidden_width)) : number_text(card.hidden_width);
}

/// The layers whose numbers are shown first: those that turn, of several the ones that see the whole text.
const RopeLayer* first_turning(const Card& card) {
  const auto found =
      std::ranges::find_if(card.rope, [](const auto& layer) { return !layer.inv_freq.empty(); });
  return found == card.rope.end() ? nullptr : &*found;
}

std::string rotary_numbers(const RopeLayer& layer) {
  return "base " + grouped(layer.rule.base) + ", " + std::to_string(layer.rotary_dim) + " of " +
         std::to_string(layer.head_dim);
}

/// "default", "yarn × 8"
std::string rule_text(const RopeLayer& layer) {
  return layer.rope_type + (layer.rule.factor > 1 ? " × " + shortest(layer.rule.factor) : "");
}

/// "full_attention" as people write it.
std::string kind_text(const RopeLayer& layer) {
  constexpr auto kinds =
      std::to_array<std::pair<std::string_view, const char*>>({{"full_attention", "full attention"},
                                                               {"sliding_attention", "with a window"},
                                                               {"chunked_attention", "in chunks"},
                                                               {"rope_layers", "most"},
                                                               {"no_rope_layers", "some"}});
  const auto found = std::ranges::find(kinds, layer.name, &std::pair<std::string_view, const char*>::first);
  return found == kinds.end() ? "all" : found->second;
}

std::string layers_of_positions(const Card& card) {
  const RopeLayer* turning = first_turning(card);
  return card.positions.kind == model::Positions::unknown ? nobody_says
         : turning == nullptr                             ? "all"
                                                          : kind_text(*turning);
}

/// The rules of the layers that have another: of each its numbers and its rule, or briefly its base.
std::string other_positions_text(const Card& card, bool brief) {
  const RopeLayer* first = first_turning(card);
  std::string text;
  for (const RopeLayer& layer : card.rope) {
    if (&layer == first || first == nullptr) continue;
    text += text.empty() ? "" : "; ";
    if (layer.inv_freq.empty())
      text += "no positions";
    else if (brief)
      text += "base " + grouped(layer.rule.base) + ", " + rule_text(layer);
    else
      text += rotary_numbers(layer) + ", " + rule_text(layer);
  }
  return text.empty() ? "no others" : text;
}

std::string numbers_of_positions(const Card& card) {
  using enum model::Positions;
  switch (card.positions.kind) {
    case rotary: {
      const RopeLayer* turning = first_turning(card);
      return turning == nullptr ? nobody_says : rotary_numbers(*turning);
    }
    case relative:
      return card.relative_rows > 0 ? std::to_string(card.relative_rows) + " rows in each layer"
                                    : nobody_says;
    case learned:
      return card.position_rows > 0 ? grouped(static_cast<double>(card.position_rows)) + " rows"
                                    : nobody_says;
    case sinusoidal:
      return card.sinusoid_base > 0 ? "base " + grouped(card.sinusoid_base) : nobody_says;
    case alibi:
      return card.heads ? std::to_string(*card.heads) + " slopes" : nobody_says;
    case t5:
      if (card.buckets <= 0) return nobody_says;
      return shortest(card.buckets) + " buckets to " + shortest(card.far_bucket);
    default:
      return card.positions.kind == none ? "none" : nobody_says;
  }
}

/// The rule that stretches them.
std::string rule_of_positions(const Card& card) {
  const RopeLayer* turning = first_turning(card);
  return turning == nullptr || turning->rope_type == "default" ? "none" : rule_text(*turning);
}

std::string window_text(const Card& card) {
  if (card.layers.empty() || !card.known) return nobody_says;
  double window = 0;
  Index narrow = 0;
  for (const auto& layer : card.layers)
    if (layer.window > 0) window = layer.window, ++narrow;
  if (card.counts_at_most()) return "alternating dense and locally banded, width unknown";
  if (narrow == 0) return "none";
  if (narrow == card.depth()) return grouped(window);
  return grouped(window) + " in " + std::to_string(narrow) + " of " + std::to_string(card.depth());
}

std::string bias_text(const Card& card) {
  if (!card.bias) return nobody_says;
  if (!*card.bias) return "none";
  if (card.query_bias && card.output_bias && card.feed_forward_bias) return "all";
  if (card.query_bias && !card.output_bias && !card.feed_forward_bias) return "query, key, value";
  if (card.query_bias && card.output_bias) return "attention";
  return "feed-forward";
}

std::string query_key_text(const Card& card) {
  if (!card.known) return nobody_says;
  constexpr std::array<const char*, 4> texts{"none", "each head", "all heads", "without weight"};
  return texts[static_cast<std::size_t>(card.norm.query_key)];
}

}  // namespace

std::string family_text(const Card& card) {
  struct Name {
    const char *key, *plain, *gated;
  };
  constexpr auto names = std::to_array<Name>({{"relu", "ReLU", "ReGLU"},
                                              {"gelu", "GELU", "GEGLU"},
                                              {"gelu_tanh", "GELU, tanh", "GEGLU, tanh"},
                                              {"gelu_quick", "GELU, quick", "GEGLU, quick"},
                                              {"gelu_10", "GELU, clipped at 10", "GEGLU, clipped at 10"},
                                              {"silu", "SiLU", "SwiGLU"},
                                              {"swish", "Swish", "SwiGLU"},
                                              {"identity", "no function", "bilinear"},
                                              {"sigmoid", "sigmoid", "GLU"},
                                              {"tanh", "tanh", "tanh, gated"},
                                              {"relu2", "ReLU²", "ReLU², gated"},
                                              {"relu6", "ReLU6", "ReLU6, gated"},
                                              {"leaky_relu", "leaky ReLU", "leaky ReLU, gated"},
                                              {"prelu", "PReLU", "PReLU, gated"},
                                              {"elu", "ELU", "ELU, gated"},
                                              {"selu", "SELU", "SELU, gated"},
                                              {"mish", "Mish", "Mish, gated"},
                                              {"laplace", "Laplace", "Laplace, gated"},
                                              {"hard_swish", "hard swish", "hard swish, gated"}});
  const auto found = std::ranges::find(names, card.activation, &Name::key);
  if (card.activation.empty()) return nobody_says;
  if (found == names.end()) return "“" + card.activation + "”";
  return card.gated && *card.gated ? found->gated : found->plain;
}

namespace {

/// The function without where it is clamped.
std::string function_text(const Card& card) {
  const std::string text = family_text(card);
  return card.activation_slope == 1 ? text : text + ", α " + shortest(card.activation_slope);
}

}  // namespace

std::string short_count(double n) {
  struct Unit {
    double size;
    const char* letter;
  };
  for (const Unit& unit : {Unit{1e12, "T"}, Unit{1e9, "B"}, Unit{1e6, "M"}, Unit{1e3, "k"}})
    if (n >= unit.size) return rounded_text(n / unit.size, 4) + " " + unit.letter;
  return grouped(n);
}

std::string norm_text(const Card& card) {
  constexpr std::array<const char*, 3> texts{"LayerNorm", "RMSNorm", "unknown"};
  return texts[static_cast<std::size_t>(card.norm.kind)];
}

std::string place_text(const Card& card) {
  constexpr std::array<const char*, 5> texts{"before", "after the sum", "before and after", "on the output",
                                             "unknown"};
  if (card.known && card.parallel) return "before, parallel";
  return texts[static_cast<std::size_t>(card.norm.place)];
}

std::string positions_text(const Card& card) {
  constexpr std::array<const char*, 9> texts{"rotary",        "learned",      "sinusoidal",
                                             "ALiBi",         "T5 buckets",   "relative",
                                             "convolutional", "no positions", "unknown"};
  return texts[static_cast<std::size_t>(card.positions.kind)];
}

std::string activation_text(const Card& card) {
  std::string text = function_text(card);
  if (card.activation_limit > 0) text += ", clamped at " + shortest(card.activation_limit);
  return text;
}

std::vector<CardRow> card_rows(const Card& card) {
  return {
      {"layers", layers_text(card)},
      {"width", number_text(card.width)},
      {"heads", heads_text(card)},
      {"key and value heads", kept_text(card)},
      {"hidden width", hidden_text(card)},
      {"experts", experts_text(card)},
      {"vocabulary", number_text(card.vocabulary)},
      {"tied", yes_or_no(card.tied)},
      {"norm", norm_text(card)},
      {"its place", place_text(card)},
      {"final norm", yes_or_no(card.norm.final)},
      {"epsilon", card.norm.eps ? shortest(*card.norm.eps) : nobody_says},
      {"weight", !card.norm.weight_offset   ? nobody_says
                 : *card.norm.weight_offset ? "1 + w"
                                            : "w"},
      {"norm of queries and keys", query_key_text(card)},
      {"positions", positions_text(card)},
      {"their numbers", numbers_of_positions(card)},
      {"stretched by", rule_of_positions(card)},
      {"in which layers", layers_of_positions(card)},
      {"in the other layers", other_positions_text(card, false), other_positions_text(card, true)},
      {"longest text", card.longest > 0 ? grouped(card.longest) : nobody_says},
      {"window", window_text(card), card.counts_at_most() ? "dense, banded in turn" : ""},
      {"activation", activation_text(card), function_text(card)},
      {"bias", bias_text(card)},
  };
}

}  // namespace orrery::study
