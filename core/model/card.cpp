#include "core/model/card.h"

#include <algorithm>

#include "core/file/bytes.h"
#include "core/model/card_reader.h"
#include "core/model/class_defaults.h"
#include "core/model/language_part.h"
#include "core/model/longest_length.h"
#include "core/model/other_positions.h"
#include "core/model/said_defaults.h"
#include "core/position/rope_rules.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using tensor::Index;

constexpr std::uint64_t max_file = 16 << 20;

/// One name for each function, of those that transformers' table of activations has: gelu_new is the tanh form, and so is
/// every other that is called an approximation.
std::string plain_activation(std::string_view text) {
  struct Other {
    std::string_view said, meant;
  };
  constexpr auto others = std::to_array<Other>({{"gelu_new", "gelu_tanh"},
                                                {"gelu_fast", "gelu_tanh"},
                                                {"gelu_accurate", "gelu_tanh"},
                                                {"gelu_pytorch_tanh", "gelu_tanh"},
                                                {"gelu_python_tanh", "gelu_tanh"},
                                                {"gelu_python", "gelu"},
                                                {"quick_gelu", "gelu_quick"},
                                                {"swish", "silu"},
                                                {"hardswish", "hard_swish"},
                                                {"linear", "identity"}});
  const std::string name = plain_type(text);
  const auto found = std::ranges::find(others, name, &Other::said);
  return found == others.end() ? name : std::string(found->meant);
}

/// Whether the file says it, in a key that the family reads.
bool read_said_activation(CardReader& reader, Card& card) {
  Fields& top = reader.top;
  if (reader.is("bloom")) return false;
  bool said = false;
  const auto take = [&](std::string_view text) {
    card.activation = plain_activation(text);
    said = true;
  };
  const bool elsewhere = reader.type.starts_with("gemma");  // what its hidden_act says is not used
  for (const char* key : {"hidden_act", "activation_function", "activation", "dense_act_fn"})
    if (!elsewhere && (reader.family != nullptr ? top.has(key) : top.is_text(key))) take(*top.text(key));
  if (elsewhere && top.has("hidden_activation")) take(*top.text("hidden_activation"));
  if (top.is_text("feed_forward_proj")) {  // T5: "gated-gelu", of which the gelu is the tanh form
    const std::string text = plain_type(*top.text("feed_forward_proj"));
    card.gated = text.starts_with("gated_");
    take(*card.gated ? text.substr(6) : text);
    if (text == "gated_gelu") card.activation = "gelu_tanh";
  }
  return said;
}

void read_activation(CardReader& reader, Card& card) {
  const CardFamily* family = reader.family;
  if (family != nullptr) {
    card.activation = family->activation;
    card.gated = family->gated;
  }
  if (reader.is(
          "gpt_oss")) {  // its hidden_act says silu: the slope stands in its code alone, and no key has it
    card.activation_slope = 1.702;
    card.activation_limit = reader.number({"swiglu_limit"}, 1e6).value_or(7);
    return;
  }
  if (!read_said_activation(reader, card) && family != nullptr) reader.take_from_family("activation");
}

void read_norm(CardReader& reader, Card& card) {
  Fields& top = reader.top;
  const CardFamily* family = reader.family;
  CardNorm& norm = card.norm;
  const std::initializer_list<std::string_view> keys{"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon",
                                                     "norm_epsilon", "norm_eps"};
  norm.eps = reader.number(keys, 1);
  if (family == nullptr) {
    if (top.has("rms_norm_eps")) norm.kind = NormKind::rms_norm;
    return;
  }
  const bool null = std::ranges::any_of(keys, [&](auto key) { return top.stands(key); });
  if (!norm.eps && !null && family->eps > 0) {
    norm.eps = family->eps;
    reader.take_from_family("epsilon");
  }
  norm.kind = family->norm;
  norm.place = family->place;
  norm.bias = family->norm_bias;
  norm.weight_offset = family->weight_offset;
  norm.final = family->final_norm;
  norm.embedding = family->embedding_norm;
  norm.query_key = family->query_key;
  if (reader.is("llama4_text") && !reader.flag("use_qk_norm", true)) norm.query_key = QueryKeyNorm::none;
  if (reader.is("opt") && !reader.flag("do_layer_norm_before", true)) {
    norm.place = NormPlace::post;
    norm.final = false;
  }
  if (reader.is("mpt")) {
    if (!reader.flag("no_bias", true)) norm.bias = true;
    if (reader.flag("qk_ln", false)) norm.query_key = QueryKeyNorm::all;
  }
  card.parallel = family->parallel;
  card.norms_in_parallel = reader.is("palm") ? 1 : 2;
}

/// A flag that some classes read and others have in their files for nothing, which is said where it makes a difference.
std::optional<bool> heeded(CardReader& reader, const char* key, bool by_class,
                           std::initializer_list<std::string_view> readers) {
  const std::optional<bool> said = reader.top.flag(key);
  if (!said || std::ranges::find(readers, reader.type) != readers.end()) return said;
  if (*said != by_class) reader.warnings.push_back({key, "is not read by this model's class"});
  return {};
}

void read_bias(CardReader& reader, Card& card) {
  const CardFamily& family = *reader.family;
  card.query_bias = family.query_bias;
  card.output_bias = family.output_bias;
  card.feed_forward_bias = family.feed_forward_bias;
  const auto all = [&](bool on) { card.query_bias = card.output_bias = card.feed_forward_bias = on; };
  if (const auto said =
          heeded(reader, "attention_bias", family.query_bias,
                 {"llama", "qwen3", "qwen3_moe", "olmo2", "olmo3", "gemma", "gemma2", "gemma3", "gemma3_text",
                  "gpt_oss", "gpt_neox", "llama4", "llama4_text", "deepseek_v2", "deepseek_v3"}))
    card.query_bias = card.output_bias = *said;
  if (const auto said = heeded(reader, "mlp_bias", family.feed_forward_bias, {"llama"}))
    card.feed_forward_bias = *said;
  if (reader.is("falcon")) all(reader.flag("bias", false));
  if (reader.is("opt")) all(reader.flag("enable_bias", true));
  if (reader.is("mpt")) all(!reader.flag("no_bias", true));
  if (reader.is("llama4_text")) card.feed_forward_bias = false;
  card.bias = card.query_bias || card.output_bias || card.feed_forward_bias;
}

/// Falcon says it in flags: one head of keys for all, its new files a few; attention and feed-forward side by side.
void read_falcon(CardReader& reader, Card& card) {
  const bool renewed = reader.flag("new_decoder_architecture", false);
  if (!renewed) card.kv_heads = reader.flag("multi_query", true) ? 1 : *card.heads;
  card.parallel = renewed || reader.flag("parallel_attn", true);
  card.norms_in_parallel =
      static_cast<int>(reader.top.whole("num_ln_in_parallel_attn", 1, 2).value_or(renewed ? 2 : 1));
}

void read_latent(CardReader& reader, Card& card) {
  const bool third = reader.is("deepseek_v3");
  if (!third && !reader.is("deepseek_v2")) return;
  CardLatent latent{.key_value_rank = *reader.size({"kv_lora_rank"}, 512),
                    .rope_width = *reader.size({"qk_rope_head_dim"}, 64),
                    .still_width = *reader.size({"qk_nope_head_dim"}, 128)};
  const bool null = reader.top.stands("q_lora_rank") && !reader.top.has("q_lora_rank");
  if (!null) latent.query_rank = *reader.size({"q_lora_rank"}, 1536);
  card.value_width = *reader.size({"v_head_dim"}, 128);
  card.head_width = latent.still_width + latent.rope_width;
  card.latent = latent;
}

void read_sizes(CardReader& reader, Card& card) {
  const CardFamily none, &family = reader.family != nullptr ? *reader.family : none;
  card.width = reader.size({"hidden_size", "n_embd", "d_model", "n_embed"}, family.width, 1 << 20);
  card.heads = reader.size({"num_attention_heads", "n_head", "n_heads", "num_heads"}, family.heads, 1 << 14);
  card.vocabulary = reader.size({"vocab_size"}, family.vocabulary, 1 << 26);
  const auto kv =
      reader.top.whole({"num_key_value_heads", "num_kv_heads", "multi_query_group_num"}, 1, 1 << 14);
  if (kv)
    card.kv_heads = *kv;
  else if (family.kv_heads > 0)
    card.kv_heads = reader.size({"num_key_value_heads"}, family.kv_heads);
  else if (reader.family != nullptr)
    card.kv_heads = card.heads;
  const auto head = reader.top.whole({"head_dim", "d_kv", "kv_channels"}, 1, 1 << 16);
  if (head)
    card.head_width = *head;
  else if (family.head_width > 0)
    card.head_width = reader.size({"head_dim"}, family.head_width);
  else if (card.width && card.heads)
    card.head_width = *card.width / *card.heads;
  // Llama 4 keeps this name for its experts.
  const bool experts_first = reader.is("llama4_text") || reader.is("llama4");
  const auto hidden =
      experts_first ? reader.top.whole("intermediate_size_mlp", 1, 1 << 22)
                    : reader.top.whole({"intermediate_size", "n_inner", "ffn_dim", "d_ff", "ffn_hidden_size"},
                                       1, 1 << 22);
  const double times = reader.top.number("expansion_ratio").value_or(4);
  if (hidden)
    card.hidden_width = reader.is("qwen") ? *hidden / 2 : *hidden;  // there it is of gate and up together
  else if (family.hidden > 0)
    card.hidden_width =
        reader.size({experts_first ? "intermediate_size_mlp" : "intermediate_size"}, family.hidden);
  else if (reader.family != nullptr && card.width && times >= 1 && times <= 64)
    card.hidden_width = static_cast<Index>(times * static_cast<double>(*card.width));
}

/// As the rotary positions of the same file are resolved.
void assume_longest(CardReader& reader, Card& card) {
  const ClassDefaults* defaults = class_defaults(reader.type);
  card.longest = longest_length(reader.top, defaults).tokens;
  if (card.longest > 0)
    reader.warnings.push_back(assumed("max_position_embeddings", card.longest, defaults->model_type));
}

void read_positions(CardReader& reader, Card& card) {
  const int by_class = reader.family != nullptr ? reader.family->longest : 0;
  // A table for distances does not take that for places out of BERT's weights.
  const bool distances =
      card.positions.kind == Positions::relative && (reader.is("bert") || reader.is("roberta"));
  const bool table = card.positions.kind == Positions::learned || distances;
  if (const auto longest = reader.top.whole(longest_keys, 1, 1'000'000'000'000))
    card.longest = static_cast<double>(*longest);
  if (card.longest == 0 && card.positions.kind == Positions::rotary) assume_longest(reader, card);
  if (card.longest == 0 && table && by_class > 0)
    card.longest = static_cast<double>(*reader.size({"max_position_embeddings"}, by_class));
  if (reader.family == nullptr) return;
  if (distances) {
    card.relative_rows = 2 * static_cast<Index>(card.longest) - 1;
    card.relative_products =
        plain_type(*reader.top.text("position_embedding_type")) == "relative_key_query" ? 2 : 1;
    reader.warnings.push_back(
        {"position_embedding_type", "the table of places is among the weights, though nothing adds it"});
  }
  if (table && reader.is("roberta")) card.longest -= 2;  // its positions begin behind that of padding
  if (table)
    card.position_rows = static_cast<Index>(card.longest) +
                         (reader.is("opt") || reader.is("roberta") ? 2 : 0);  // two for padding
  if (reader.family->stacks == Stacks::encoder) {
    card.token_types = reader.size({"type_vocab_size"}, 2).value();
    card.pooler = true;
  }
  if (card.positions.kind == Positions::t5) {
    card.buckets = static_cast<double>(*reader.size({"relative_attention_num_buckets"}, 32));
    card.far_bucket = static_cast<double>(*reader.size({"relative_attention_max_distance"}, 128));
  }
  if (card.positions.kind == Positions::sinusoidal) card.sinusoid_base = 10000;
}

}  // namespace

std::optional<Index> CardReader::size(std::initializer_list<std::string_view> keys, int by_class,
                                      Index most) {
  if (const auto said = top.whole(keys, 1, most)) return *said;
  if (by_class == 0) return {};
  assumed(*keys.begin(), by_class);
  return by_class;
}

std::optional<double> CardReader::number(std::initializer_list<std::string_view> keys, double most) {
  for (const auto key : keys) {
    const std::optional<double> said = top.number(key);
    if (!said) continue;
    if (!(*said >= 0 && *said <= most)) {
      const std::string found = position::rules::text(*said);
      top.fail(key, Complaint()
                        .found(found)
                        .fault("{}", found)
                        .allowed("a number from {} to {}", 0, position::rules::text(most)));
    }
    return said;
  }
  return {};
}

bool CardReader::flag(std::string_view key, bool by_class) {
  return top.flag(key).value_or(by_class);
}

void CardReader::take_from_family(std::string_view what) {
  if (std::ranges::find(by_family, what) == by_family.end()) by_family.emplace_back(what);
}

void CardReader::assumed(std::string_view key, double value) {
  std::string message = "missing: " + position::rules::text(value) + " is assumed";
  if (family != nullptr) message += ", the default of “" + std::string(family->model_type) + "”";
  const position::RopeWarning warning{std::string(key), std::move(message)};
  if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
}

std::string_view name(NormKind kind) {
  constexpr std::array<std::string_view, 3> names{"layer_norm", "rms_norm", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(NormPlace place) {
  constexpr std::array<std::string_view, 5> names{"pre", "post", "both", "output", "unknown"};
  return names[static_cast<std::size_t>(place)];
}

bool Card::countable() const {
  return known && width && heads && kv_heads && head_width && hidden_width && vocabulary && gated && tied &&
         !layers.empty();
}

bool Card::counts_at_most() const {
  return std::ranges::any_of(layers, [](const CardLayer& layer) { return layer.banded; });
}

std::vector<position::RopeWarning> warnings_at(const Card& card, double length) {
  if (card.longest <= 0 || length <= card.longest) return {};
  const auto whole = [](double n) { return std::to_string(static_cast<std::int64_t>(n)); };
  return {{"length", whole(length) + " tokens are more than its longest text, " + whole(card.longest)}};
}

Card parse_card(std::string_view text, std::string_view card_name, std::string_view origin) {
  const RopeConfig rope = parse_rope_config(text, origin);
  std::vector<std::string> repeated;
  const LanguagePart part = language_part(parse_json(text, origin, repeated));
  Fields top(part.decoder, "", origin);
  Card card{.name = std::string(card_name), .source = top.text("_source").value_or(std::string(origin))};
  card.model_type = rope.model_type;
  card.positions = rope.positions;
  card.rope = rope.layers;
  for (const std::string& key : repeated)
    card.warnings.push_back({key, "stands there twice; the last one counts"});
  const std::string type = plain_type(card.model_type);
  CardReader reader{top, card_family(type), type, card.warnings, card.by_family};
  const CardFamily* family = reader.family;
  card.stacks = family != nullptr ? family->stacks : rope.positions.stacks;

  read_sizes(reader, card);
  const auto layers = reader.size({"num_hidden_layers", "n_layer", "n_layers", "num_layers"},
                                  family != nullptr ? family->layers : 0, 1 << 12);
  bool regular = true;
  if (layers) {
    Index decoder = *layers;
    if (card.stacks == Stacks::both) {
      card.encoder_layers = *layers;
      decoder = top.whole({"num_decoder_layers", "decoder_layers"}, 1, 1 << 12).value_or(*layers);
    }
    regular = read_layers(reader, decoder, card);
  }
  read_activation(reader, card);
  read_norm(reader, card);
  read_positions(reader, card);
  if (const auto said = top.flag("tie_word_embeddings")) {
    card.tied = *said;
  } else if (family != nullptr) {
    card.tied = family->tied;
    reader.take_from_family("tied");
  }
  if (family == nullptr) {
    const bool by_positions = class_defaults(type) != nullptr || other_positions(type) != nullptr;
    card.warnings.push_back(
        {"model_type", by_positions ? "is known by its positions alone, so its weights are not counted"
                                    : "is not known, so its weights are not counted"});
    return card;
  }
  read_bias(reader, card);
  if (reader.is("falcon") && card.heads) read_falcon(reader, card);
  if (reader.is("gpt_neox")) card.parallel = reader.flag("use_parallel_residual", true);
  if (reader.is("opt")) card.embedding_width = top.whole("word_embed_proj_dim", 1, 1 << 20).value_or(0);
  card.sinks = reader.is("gpt_oss");
  read_latent(reader, card);
  if (card.hidden_width) read_experts(reader, card);
  card.known = agrees_with_itself(reader, card) && regular;
  return card;
}

Card read_card(const std::filesystem::path& path, file::Accept accept) {
  const std::string text = file::read_bytes(path, max_file, accept);
  const std::string origin = path.string();
  return parse_card(text, path.filename().string(), origin);
}

}  // namespace orrery::model
