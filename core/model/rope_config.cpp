#include "core/model/rope_config.h"

#include <algorithm>

#include "core/file/bytes.h"
#include "core/model/class_defaults.h"
#include "core/model/head_shape.h"
#include "core/model/json.h"
#include "core/model/language_part.h"
#include "core/model/layer_kinds.h"
#include "core/model/rope_layer.h"
#include "core/model/rope_traps.h"
#include "core/model/said_defaults.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using nlohmann::json;
using Warnings = std::vector<position::RopeWarning>;

constexpr std::uint64_t max_file =
    16 << 20;  // configurations are a few kilobytes; with a vocabulary inside, a few megabytes

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
    if (!top.has(key) || top.object(key) != nullptr) continue;
    const std::string found = top.shown(key);
    top.fail(key, Complaint().found(found).fault("{} is no object of keys and values", found));
  }
  if (now != nullptr && before != nullptr && *now != *before) {
    warnings.push_back({"rope_scaling", "ignored: rope_parameters is there too, and counts"});
  }
  if (now != nullptr) return {now, "rope_parameters"};
  if (before != nullptr) return {before, "rope_scaling"};
  return {};
}

/// The base of the layers with a window, for families where it is another; 0: the same as the others'.
double local_base(RopeContext& context, Warnings& warnings) {
  if (const auto base = context.top.number({"rope_local_base_freq", "local_rope_theta", "swa_rope_theta"}))
    return *base;
  if (context.defaults == nullptr || context.defaults->local_base == 0) return 0;
  warnings.push_back(assumed("rope_local_base_freq", context.defaults->local_base, context));
  return context.defaults->local_base;
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

/// What the layers that turn are called, and those that do not.
std::pair<const char*, const char*> names_of(const LayerKinds& kinds) {
  if (!kinds.without) return {"all", ""};
  if (!kinds.without_by_kind) return {"rope_layers", "no_rope_layers"};
  return {kinds.chunk > 0 ? "chunked_attention" : "sliding_attention", "full_attention"};
}

std::vector<RopeLayer> flat_layers(RopeContext& context, const Source& source, const LayerKinds& kinds,
                                   Warnings& warnings) {
  static const json empty = json::object();
  Fields rope(source.rope != nullptr ? *source.rope : empty, source.name, context.top.origin());
  const auto general = context.top.number("global_rope_theta");
  const double local = local_base(context, warnings);
  // Olmo 3 stretches its full-attention layers only.
  const bool two_rules = local > 0 || context.model_type == "olmo3";
  const auto [turning, still] = names_of(kinds);
  std::vector<RopeLayer> layers;
  layers.push_back(resolve_layer(context, rope, two_rules ? "full_attention" : turning, general, warnings));
  if (two_rules) {
    Fields none(empty, "", context.top.origin());
    Warnings said_already;
    layers.push_back(resolve_layer(context, none, "sliding_attention",
                                   local > 0 ? local : layers.front().rule.base, said_already));
  }
  if (*still != 0) layers.push_back(without_rope(still));
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

/// Layers of one rule are one, of several kinds of attention.
void merge_equal(std::vector<RopeLayer>& layers) {
  if (layers.size() > 1 &&
      std::ranges::all_of(layers, [&](const RopeLayer& layer) { return same_rule(layer, layers.front()); })) {
    RopeLayer& first = layers.front();
    for (const RopeLayer& layer : layers)
      for (const RopeSpan& span : layer.spans)
        if (std::ranges::find(first.spans, span) == first.spans.end()) first.spans.push_back(span);
    layers.resize(1);
  }
  if (layers.size() == 1) layers.front().name = "all";
}

/// A model whose positions are of another kind, or of none that is known: what the file says of rotation is not used.
void say_what_is_not_rotary(Fields& top, const PositionKinds& kinds, Warnings& warnings) {
  if (kinds.kind == Positions::unknown) {
    const bool named = top.has("model_type");
    warnings.push_back({"model_type", named ? "is not known, and no key says what its positions are"
                                            : "missing, and no key says what the positions are"});
    warnings.push_back({"rope_theta", "missing: with it the file would be one of rotary positions"});
  }
  if (plain_type(top.text("model_type").value_or("")) == "wavlm")
    warnings.push_back(
        {"num_buckets", "a gated bias for each range of distances is added to the scores besides"});
  if (kinds.stacks == Stacks::both && kinds.encoder != kinds.kind) {
    warnings.push_back({"positions", "encoder: " + std::string(name(kinds.encoder)) +
                                         "; decoder: " + std::string(name(kinds.kind))});
  }
  for (const char* key : {"rope_theta", "rope_scaling", "rope_parameters"})
    if (top.has(key)) warnings.push_back({key, "not used: these positions do not rotate"});
}

/// The encoder of a file that keeps its two stacks apart.
void add_encoder(PositionKinds& kinds, json encoder, std::string_view origin) {
  Fields fields(encoder, "encoder", origin);
  kinds.stacks = Stacks::both;
  kinds.encoder = positions_of(fields, fields.text("model_type").value_or("")).kind;
}

/// By the library's version, or by what only version 5 writes.
bool is_version_5(Fields& top, const Source& source) {
  const std::string version =
      top.is_text("transformers_version") ? *top.text("transformers_version") : std::string();
  return version.empty() ? source.name == "rope_parameters" : version.starts_with('5');
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
  const LanguagePart part = language_part(parse_json(text, origin, repeated));
  for (const std::string& key : repeated)
    config.warnings.push_back({key, "stands there twice; the last one counts"});

  Fields top(part.decoder, "", origin);
  config.model_type = top.text("model_type").value_or("");
  const std::string type = plain_type(config.model_type);
  config.positions = positions_of(top, type);
  if (part.encoder) add_encoder(config.positions, *part.encoder, origin);
  if (config.positions.kind != Positions::rotary) {
    if (config.positions.kind == Positions::unknown &&
        config.model_type.empty()) {  // without heads: no model at all
      RopeContext context{.top = top, .model_type = type};
      static_cast<void>(head_shape(context, "all", {}, config.warnings));
    }
    say_what_is_not_rotary(top, config.positions, config.warnings);
    return config;
  }
  const ClassDefaults* defaults = class_defaults(type);
  Source source = find_rope(top, config.warnings);
  json by_class;  // null: the class has no dictionary of its own
  const bool silent = !top.stands("rope_parameters") && !top.stands("rope_scaling");
  if (silent && defaults != nullptr && !defaults->rope.empty()) {
    by_class = json::parse(defaults->rope);
    source = {&by_class, "rope_parameters"};
    config.warnings.push_back(
        {"rope_parameters", "missing: the dictionary of the class “" + type + "” is taken"});
  }
  RopeContext context{top,
                      type,
                      length.value_or(0),
                      source.rope != nullptr && is_nested(*source.rope),
                      defaults,
                      is_version_5(top, source)};
  const LayerKinds kinds = layer_kinds(context, config.warnings);
  config.layers = context.nested ? nested_layers(context, source, config.warnings)
                                 : flat_layers(context, source, kinds, config.warnings);
  for (RopeLayer& layer : config.layers) layer.spans = spans_of(layer.name, kinds);
  merge_equal(config.layers);
  config.trained = trained_length(top, source.rope, type, config.layers, longest_length(top, defaults));
  add_model_traps(context, config.warnings);
  remove_repetitions(config.warnings);
  return config;
}

RopeConfig read_rope_config(const std::filesystem::path& path, std::optional<double> length,
                            file::Accept accept) {
  return parse_rope_config(file::read_bytes(path, max_file, accept), path.string(), length);
}

}  // namespace orrery::model
