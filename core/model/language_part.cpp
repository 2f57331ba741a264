#include "core/model/language_part.h"

namespace orrery::model {
namespace {

using nlohmann::json;

constexpr int deepest = 4;  // thinker_config.text_config is two deep; no published file is four

/// What stands in the object counts before what stands beside it.
void lift(json& merged, const char* key) {
  const auto part = merged.find(key);
  if (part == merged.end() || !part->is_object()) return;
  const json inner = *part;
  merged.erase(key);
  for (const auto& [name, value] : inner.items()) {
    if (!value.is_null() || !merged.contains(name)) merged[name] = value;
  }
}

/// MPT and DBRX: what it says of positions and of queries and keys, where the top does not say it.
void lift_attention(json& merged) {
  const auto part = merged.find("attn_config");
  if (part == merged.end() || !part->is_object()) return;
  const json inner = *part;
  for (const char* key : {"alibi", "rope", "rope_theta", "softmax_scale", "qk_ln"}) {
    const auto value = inner.find(key);
    if (value != inner.end() && !value->is_null() && !merged.contains(key)) merged[key] = *value;
  }
  if (const auto kv = inner.find("kv_n_heads"); kv != inner.end() && !merged.contains("num_key_value_heads"))
    merged["num_key_value_heads"] = *kv;
  const auto rule = inner.find("rope_hf_config");  // llm-foundry's name for the dictionary
  if (rule != inner.end() && rule->is_object() && !merged.contains("rope_scaling")) {
    json scaling = *rule;
    if (scaling.value("type", json()) == "no_scaling") scaling = nullptr;
    merged["rope_scaling"] = scaling;
  }
}

/// InternLM's first files: {"base": 10000, "type": "dynamic"}; its dynamic rule has no factor but the length itself.
void lift_rotary(json& merged) {
  const auto part = merged.find("rotary");
  if (part == merged.end() || !part->is_object()) return;
  const json inner = *part;
  merged.erase("rotary");
  if (const auto base = inner.find("base"); base != inner.end() && !merged.contains("rope_theta"))
    merged["rope_theta"] = *base;
  if (inner.value("type", json()) == "dynamic" && !merged.contains("rope_scaling"))
    merged["rope_scaling"] = {{"type", "dynamic"}, {"factor", inner.value("scaling_factor", 1.0)}};
}

json flattened(json merged) {
  for (int i = 0; i < deepest; ++i) {
    for (const char* key : {"thinker_config", "text_config", "llm_config", "language_config"})
      lift(merged, key);
  }
  lift_attention(merged);
  lift_rotary(merged);
  return merged;
}

}  // namespace

LanguagePart language_part(const json& root) {
  const auto encoder = root.find("encoder"), decoder = root.find("decoder");
  if (encoder == root.end() || decoder == root.end() || !encoder->is_object() || !decoder->is_object())
    return {flattened(root), {}};
  json merged = root;
  merged.erase("encoder");
  lift(merged, "decoder");
  return {flattened(std::move(merged)), flattened(*encoder)};
}

}  // namespace orrery::model
