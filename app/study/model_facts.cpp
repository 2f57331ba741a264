#include "app/study/model_facts.h"

#include <algorithm>
#include <array>

#include "app/study/rope/published.h"
#include "core/model/json.h"
#include "core/parameter/parameter.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

using model::RopeConfig;
using model::RopeLayer;
using position::RopeRule;
using position::RopeType;
using Texts = std::vector<std::string>;

Texts fact_of(double x) {
  return {parameter::shortest(x)};
}
/// Zero is how a rule says that the file has none.
Texts positive(double x) {
  return x > 0 ? fact_of(x) : Texts{};
}

/// The first kind of layer that turns at all; nullptr for a model without one.
const RopeLayer* turning_layer(const RopeConfig& config) {
  const auto found =
      std::ranges::find_if(config.layers, [](const RopeLayer& l) { return !l.inv_freq.empty(); });
  return found == config.layers.end() ? nullptr : &*found;
}

Texts rule_names(RopeType type) {
  if (type == RopeType::standard) return {"default", "none"};
  return {std::string(name(type))};
}

/// Of its layers that see furthest.
Texts trained(const RopeConfig& config, const RopeLayer* layer) {
  double seen = 0;
  if (layer != nullptr)
    for (const model::RopeSpan& span : layer->spans) seen = std::max(seen, config.trained.seen(span.window));
  return positive(seen);
}

struct RopeFact {
  std::string_view name;
  Texts (*of)(const RopeLayer&);
};
constexpr std::array rope_facts{
    RopeFact{"rope_theta", [](const RopeLayer& l) { return fact_of(l.rule.base); }},
    RopeFact{"rotary_dim", [](const RopeLayer& l) { return fact_of(static_cast<double>(l.rotary_dim)); }},
    RopeFact{"head_dim", [](const RopeLayer& l) { return fact_of(static_cast<double>(l.head_dim)); }},
    RopeFact{"layout",
             [](const RopeLayer& l) {
               return Texts{l.layout == position::RopeLayout::half ? "half" : "interleaved"};
             }},
    RopeFact{"rule", [](const RopeLayer& l) { return rule_names(l.rule.type); }},
    RopeFact{"factor",
             [](const RopeLayer& l) { return l.rule.factor > 1 ? fact_of(l.rule.factor) : Texts{}; }},
    RopeFact{"max_position_embeddings", [](const RopeLayer& l) { return positive(l.rule.max_length); }},
};

constexpr std::array<std::string_view, 4> plain_facts{"hidden_size", "num_attention_heads", "sliding_window",
                                                      "rms_norm_eps"};

/// A number that stands in the file itself, at its top or in the part about language.
Texts plain_fact(std::string_view model, std::string_view fact) {
  std::vector<std::string> repeated;
  const std::string origin = std::string(model) + ".json";
  const nlohmann::json root = model::parse_json(published_config(model), origin, repeated);
  model::Fields top(root, "", origin);
  if (const auto x = top.number(fact)) return fact_of(*x);
  if (const nlohmann::json* text = top.object("text_config"))
    if (const auto x = model::Fields(*text, "text_config", origin).number(fact)) return fact_of(*x);
  return {};
}

}  // namespace

std::span<const std::string_view> published_names() {
  static const std::vector<std::string_view> names = [] {
    parameter::Parameter choice;
    choice.choices = own_or_published;
    std::vector<std::string_view> all = parameter::choices_of(choice);
    all.erase(all.begin());  // "own"
    return all;
  }();
  return names;
}

std::string_view model_title(std::string_view model) {
  struct Title {
    std::string_view name, title;
  };
  static constexpr auto titles = std::to_array<Title>({
      {"deepseek-v2-lite", "DeepSeek V2 Lite"},
      {"deepseek-v3", "DeepSeek V3"},
      {"gemma-3-4b-v5", "Gemma 3 4B"},
      {"gemma-4-shape-v5", "Gemma 4, its shape"},
      {"gpt-oss-20b", "gpt-oss 20B"},
      {"internvl2.5-llm-dynamic", "InternVL 2.5, dynamic"},
      {"llama-3.1-8b", "Llama 3.1 8B"},
      {"llama-3.2-1b", "Llama 3.2 1B"},
      {"llama-4-scout", "Llama 4 Scout"},
      {"ministral-3-8b", "Ministral 3 8B"},
      {"olmo-3-7b", "OLMo 3 7B"},
      {"phi-4-mini", "Phi 4 Mini"},
      {"qwen2-vl-7b", "Qwen2 VL 7B"},
      {"qwen2.5-7b-yarn4", "Qwen2.5 7B, YaRN 4×"},
      {"smollm2-135m", "SmolLM2 135M"},
  });
  const auto found = std::ranges::find(titles, model, &Title::name);
  return found == titles.end() ? model : found->title;
}

std::vector<std::string> model_fact(std::string_view model, std::string_view fact) {
  if (std::ranges::find(published_names(), model) == published_names().end())
    throw InvalidArgument(
        about("model").found(model).fault("{} is not one of the published ones", in_apostrophes(model)));
  if (fact == "name") return {std::string(model)};
  if (std::ranges::find(plain_facts, fact) != plain_facts.end()) return plain_fact(model, fact);
  const auto known = std::ranges::find(rope_facts, fact, &RopeFact::name);
  if (known == rope_facts.end() && fact != "trained_length")
    throw InvalidArgument(
        about(words("model fact")).found(fact).fault("{} is not known", in_apostrophes(fact)));
  const RopeConfig config = published_model(model);
  const RopeLayer* layer = turning_layer(config);
  if (fact == "trained_length") return trained(config, layer);
  return layer ? known->of(*layer) : Texts{};
}

}  // namespace orrery::study
