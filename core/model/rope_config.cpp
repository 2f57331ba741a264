#include "core/model/rope_config.h"

#include <algorithm>

#include "core/file/bytes.h"
#include "core/model/json.h"
#include "core/model/rope_layer.h"
#include "core/model/rope_traps.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using nlohmann::json;
using Warnings = std::vector<position::RopeWarning>;

constexpr std::uint64_t max_file =
    16 << 20;  // configurations are a few kilobytes; with a vocabulary inside, a few megabytes

/// Models for several media keep their language part in an object of its own; what it says counts first.
json language_part(const json& root) {
  json merged = root;
  for (const char* key : {"text_config", "llm_config", "language_config"}) {
    const auto part = root.find(key);
    if (part == root.end() || !part->is_object()) continue;
    for (const auto& [name, value] : part->items()) {
      if (!value.is_null()) merged[name] = value;
    }
    merged.erase(key);
  }
  return merged;
}

/// v5 may hold one dictionary per layer type; no rotary key is a dictionary itself.
bool is_nested(const json& rope) {
  return std::ranges::any_of(rope, [](const json& v) { return v.is_object(); });
}

struct Source {
  const json* rope = nullptr;  ///< nullptr: the file has no dictionary
  std::string name;
};

Source find_rope(Fields& top, Warnings& warnings) {
  const json* now = top.object("rope_parameters");
  const json* before = top.object("rope_scaling");
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    if (top.has(key) && top.object(key) == nullptr) top.fail(key, wrong("is no object of keys and values"));
  }
  if (now != nullptr && before != nullptr && *now != *before) {
    warnings.push_back({"rope_scaling", "ignored: rope_parameters is there too, and counts"});
  }
  if (now != nullptr) return {now, "rope_parameters"};
  if (before != nullptr) return {before, "rope_scaling"};
  return {};
}

/// v4 files of models whose local layers have a rule of their own, which the model's code knows and the file
/// hints at.
struct LocalLayers {
  double base;
  std::string note;
};

std::optional<LocalLayers> local_layers(RopeContext& context) {
  Fields& top = context.top;
  const std::string& type = context.model_type;
  if (const auto base = top.number({"rope_local_base_freq", "local_rope_theta"}))
    return LocalLayers{*base, ""};
  if (type == "gemma3" || type == "gemma3_text") {
    return LocalLayers{10000, "rope_local_base_freq is missing: 10000 is assumed for sliding layers"};
  }
  // Olmo 3 stretches its full-attention layers only.
  if (type == "olmo3") return LocalLayers{top.number("rope_theta").value_or(10000), ""};
  return {};
}

RopeLayer without_rope(std::string name) {
  RopeLayer layer;
  layer.name = std::move(name);
  layer.rope_type = "none";
  layer.base = 0;
  return layer;
}

std::vector<RopeLayer> nested_layers(RopeContext& context, const Source& source, Warnings& warnings) {
  std::vector<RopeLayer> layers;
  json loose =
      json::object();  // values beside the dictionaries, which count for those that have none of their own
  for (const auto& [key, value] : source.rope->items()) {
    if (!value.is_object() && !value.is_null()) loose[key] = value;
  }
  for (const auto& [key, value] : source.rope->items()) {
    if (value.is_null()) layers.push_back(without_rope(key));
    if (!value.is_object()) continue;
    json filled = value;
    filled.insert(loose.begin(), loose.end());  // insert never overwrites
    Fields rope(filled, source.name + "." + key, context.top.origin());
    layers.push_back(resolve_layer(context, rope, key, {}, warnings));
  }
  return layers;
}

std::vector<RopeLayer> flat_layers(RopeContext& context, const Source& source, Warnings& warnings) {
  static const json empty = json::object();
  Fields rope(source.rope != nullptr ? *source.rope : empty, source.name, context.top.origin());
  const auto general = context.top.number("global_rope_theta");
  const auto local = local_layers(context);
  std::vector<RopeLayer> layers;
  layers.push_back(resolve_layer(context, rope, local ? "full_attention" : "all", general, warnings));
  if (local) {
    if (!local->note.empty()) warnings.push_back({"rope_local_base_freq", local->note});
    Fields none(empty, "", context.top.origin());
    Warnings said_already;
    layers.push_back(resolve_layer(context, none, "sliding_attention", local->base, said_already));
  }
  return layers;
}

bool same_rule(const RopeLayer& a, const RopeLayer& b) {
  return a.rope_type == b.rope_type && a.head_dim == b.head_dim && a.rotary_dim == b.rotary_dim &&
         a.base == b.base && a.inv_freq == b.inv_freq && a.attention_factor == b.attention_factor &&
         a.softmax_factor == b.softmax_factor && a.sections == b.sections &&
         a.sections_interleaved == b.sections_interleaved;
}

void remove_repetitions(Warnings& warnings) {
  Warnings once;
  for (const auto& w : warnings) {
    if (std::ranges::find(once, w) == once.end()) once.push_back(w);
  }
  warnings = std::move(once);
}

}  // namespace

RopeConfig parse_rope_config(std::string_view text, std::string_view origin, std::optional<double> length) {
  if (length && !(*length >= 1 && *length <= 1e12)) {
    throw InvalidArgument(about("length")
                              .found(std::to_string(*length))
                              .fault("{}", std::to_string(*length))
                              .allowed("a number of tokens from {} to {}", 1, "1e12"));
  }
  RopeConfig config;
  std::vector<std::string> repeated;
  const json root = language_part(parse_json(text, origin, repeated));
  for (const std::string& key : repeated)
    config.warnings.push_back({key, "stands there twice; the last one counts"});

  Fields top(root, "", origin);
  config.model_type = top.text("model_type").value_or("");
  const Source source = find_rope(top, config.warnings);
  RopeContext context{top, config.model_type, length.value_or(0),
                      source.rope != nullptr && is_nested(*source.rope)};
  config.layers = context.nested ? nested_layers(context, source, config.warnings)
                                 : flat_layers(context, source, config.warnings);
  if (config.layers.size() > 1 && std::ranges::all_of(config.layers, [&](const RopeLayer& layer) {
        return same_rule(layer, config.layers.front());
      })) {
    config.layers.resize(1);
  }
  if (config.layers.size() == 1) config.layers.front().name = "all";
  add_model_traps(context, config.warnings);
  remove_repetitions(config.warnings);
  return config;
}

RopeConfig read_rope_config(const std::filesystem::path& path, std::optional<double> length,
                            file::Accept accept) {
  return parse_rope_config(file::read_bytes(path, max_file, accept), path.string(), length);
}

}  // namespace orrery::model
