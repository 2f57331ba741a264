#include "core/model/position_kinds.h"

#include <algorithm>
#include <array>

#include "core/model/class_defaults.h"
#include "core/model/other_positions.h"

namespace orrery::model {
namespace {

using enum Positions;

struct Word {
  std::string_view word;
  Positions kind;
};

/// Values of position_embedding_type and its kin.
constexpr auto spoken = std::to_array<Word>({
    {"absolute", learned},
    {"learned", learned},
    {"learned_absolute", learned},
    {"relative", relative},
    {"relative_key", relative},
    {"relative_key_query", relative},
    {"rope", rotary},
    {"rotary", rotary},
    {"rotary_embedding", rotary},
    {"alibi", alibi},
    {"sinusoidal", sinusoidal},
    {"fixed", sinusoidal},
    {"t5", t5},
    {"relative_bias", t5},
    {"nope", none},
    {"none", none},
    {"no_pe", none},
});

std::optional<Positions> kind_of_word(std::string_view text) {
  const std::string plain = plain_type(text);
  const auto found = std::ranges::find(spoken, plain, &Word::word);
  return found == spoken.end() ? std::nullopt : std::optional(found->kind);
}

struct Said {
  Positions kind;
  std::string key;
};

/// true: ALiBi. false says only that it is something else.
std::optional<Said> by_alibi(Fields& top) {
  for (const char* key : {"alibi", "use_alibi"})
    if (top.is_flag(key) && *top.flag(key)) return Said{alibi, key};
  return {};
}

/// Other keys are left over from BERT's class: ModernBERT's file says absolute, and rotates. ESM reads it.
bool means_what_it_says(Positions kind, const ClassDefaults* rotating) {
  return kind != learned || rotating == nullptr || rotating->model_type == "esm";
}

std::optional<Said> by_word(Fields& top, const ClassDefaults* rotating) {
  for (const char* key : {"position_embedding_type", "position_embeddings_type", "positional_embedding",
                          "position_embedding", "pos_emb", "pos_embd_type", "pos_encoding"}) {
    if (!top.is_text(key)) continue;
    const auto kind = kind_of_word(*top.text(key));
    if (kind && means_what_it_says(*kind, rotating)) return Said{*kind, key};
  }
  return {};
}

bool is_false(Fields& top, std::string_view key) {
  return top.is_flag(key) && !*top.flag(key);
}

/// Models whose keys switch between kinds.
std::optional<Said> by_switch(Fields& top, std::string_view type) {
  if (type == "mpt") {
    // Rotary and learned positions are for those that switch ALiBi off, which the class has on.
    const bool rotates = top.is_flag("rope") && *top.flag("rope");
    if (rotates) return Said{rotary, "attn_config.rope"};
    if (is_false(top, "alibi")) {
      if (is_false(top, "learned_pos_emb")) return Said{none, "learned_pos_emb"};
      return Said{learned, "attn_config.alibi"};
    }
  }
  if (type == "distilbert" && top.is_flag("sinusoidal_pos_embds") && *top.flag("sinusoidal_pos_embds"))
    return Said{sinusoidal, "sinusoidal_pos_embds"};
  if ((type == "xlm" || type == "flaubert") && top.is_flag("sinusoidal_embeddings") &&
      *top.flag("sinusoidal_embeddings"))
    return Said{sinusoidal, "sinusoidal_embeddings"};
  // The 13 billion ones are wider than 4096, and of another kind than the 7 billion ones of the same type.
  if (type == "baichuan" && top.whole("hidden_size", 1, 1 << 24).value_or(4096) != 4096)
    return Said{alibi, "hidden_size"};
  if (type == "zamba2") {
    const bool rotates = top.is_flag("use_mem_rope") && *top.flag("use_mem_rope");
    return Said{rotates ? rotary : none, "use_mem_rope"};
  }
  if (type == "kimi_linear" && top.is_flag("mla_use_nope") && *top.flag("mla_use_nope"))
    return Said{none, "mla_use_nope"};
  // DeBERTa's published files add nothing to the input; its class does, and has no relative positions.
  if ((type == "deberta" || type == "deberta_v2") && top.is_flag("relative_attention") &&
      *top.flag("relative_attention") && is_false(top, "position_biased_input"))
    return Said{relative, "relative_attention"};
  // Grok-2's file names the type of another model, which never had a base.
  if (type == "git" && top.is_number("rope_theta")) return Said{rotary, "rope_theta"};
  for (const char* key : {"rope", "rotary"})  // said and done: GPT-J writes the latter
    if (top.is_flag(key)) static_cast<void>(top.flag(key));
  if (is_false(top, "rope") || is_false(top, "use_rope"))
    return Said{learned, top.is_flag("rope") ? "rope" : "use_rope"};
  return {};
}

bool rotary_name(std::string_view key) {
  if (key.starts_with("no_rope")) return false;
  return key.starts_with("rope") || key.starts_with("rotary") || key.starts_with("mrope") ||
         key == "partial_rotary_factor" || key == "qk_rope_head_dim" || key.ends_with("_rope_theta") ||
         key.ends_with("rope_base_freq");
}

}  // namespace

std::string_view name(Positions kind) {
  constexpr std::array<std::string_view, 9> names{"rotary",   "learned",     "sinusoidal", "alibi",  "t5",
                                                  "relative", "convolution", "none",       "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view words_of(Positions kind) {
  constexpr std::array<std::string_view, 9> words{
      "rotary positions: pairs of a query and a key are turned",
      "learned positions: a row of a table is added at each place",
      "sinusoidal positions: fixed waves are added at each place",
      "ALiBi: a bias on the scores that falls with the distance",
      "T5's buckets: a learned bias on the scores for each range of distances",
      "relative positions: a vector for each distance takes part in the scores",
      "positions by convolution: a grouped convolution over neighbouring places is added to the input",
      "no positions at all (NoPE)",
      "positions are not known: neither the model type nor a key says what they are"};
  return words[static_cast<std::size_t>(kind)];
}

std::vector<StackPositions> by_stack(const PositionKinds& kinds) {
  if (kinds.stacks == Stacks::decoder) return {{"decoder", kinds.kind}};
  if (kinds.stacks == Stacks::encoder) return {{"encoder", kinds.kind}};
  if (kinds.encoder == kinds.kind) return {{"encoder and decoder", kinds.kind}};
  return {{"encoder", kinds.encoder}, {"decoder", kinds.kind}};
}

std::string plain_type(std::string_view model_type) {
  std::string plain(model_type);
  for (char& c : plain) c = c == '-' ? '_' : (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

bool has_rotary_key(Fields& top) {
  return std::ranges::any_of(top.keys(), rotary_name);
}

PositionKinds positions_of(Fields& top, std::string_view model_type) {
  const std::string type = plain_type(model_type);
  PositionKinds found;
  const OtherPositions* other = other_positions(type);
  const ClassDefaults* rotating = class_defaults(type);
  if (other != nullptr) {
    found = {other->decoder, other->stacks, other->encoder, "model_type " + type};
  } else if (rotating != nullptr) {
    found = {rotary, rotating->stacks, rotary, "model_type " + type};
  }
  // A key of the file counts before what its type is known for.
  std::optional<Said> said = by_alibi(top);
  if (!said) said = by_switch(top, type);
  if (!said) said = by_word(top, rotating);
  if (said) {
    found.kind = found.encoder = said->kind;
    found.said_by = said->key;
  } else if (found.kind == unknown && has_rotary_key(top)) {
    found.kind = found.encoder = rotary;
    found.said_by = "rotary keys";
  }
  return found;
}

}  // namespace orrery::model
