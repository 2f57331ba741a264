#include "app/study/model_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "app/study/model/cards.h"
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

/// Those among which studies of rotary positions choose.
std::vector<std::string_view> names_with_rules() {
  parameter::Parameter choice;
  choice.choices = own_or_published;
  std::vector<std::string_view> all = parameter::choices_of(choice);
  all.erase(all.begin());  // "own"
  return all;
}

/// Read once: a list of presets asks for a dozen facts of each.
const RopeConfig& config_of(std::string_view model) {
  static std::mutex one_at_a_time;
  static std::map<std::string, RopeConfig, std::less<>> read;
  const std::lock_guard lock(one_at_a_time);
  const auto known = read.find(model);
  if (known != read.end()) return known->second;
  return read.emplace(std::string(model), published_model(model)).first->second;
}

/// What other names of the same fact say: "n_embd".
Texts card_fact(std::string_view model, std::string_view fact) {
  if (std::ranges::find(card_names(), model) == card_names().end()) return {};
  const model::Card card = published_card(model);
  if (fact == "hidden_size") return fact_of(static_cast<double>(*card.width));
  if (fact == "num_attention_heads") return fact_of(static_cast<double>(*card.heads));
  if (fact == "rms_norm_eps" && card.norm.eps) return fact_of(*card.norm.eps);
  return {};
}

struct TaughtSettings {
  std::string_view name;
  int width;
};
constexpr auto courses =
    std::to_array<TaughtSettings>({{"course-d4", 4}, {"course-d64", 64}, {"course-d128", 128}});

Texts course_fact(const TaughtSettings& course, std::string_view fact) {
  if (fact == "name") return {"own"};
  if (fact == "rope_theta") return fact_of(10000);
  if (fact == "rotary_dim" || fact == "head_dim") return fact_of(course.width);
  if (fact == "layout") return {"interleaved"};  // as the papers write it
  if (fact == "rule") return {"default", "none"};
  if (fact == "trained_length" || fact == "max_position_embeddings") return fact_of(4096);
  return {};
}

/// A study of rotary positions that does not have this name among its choices takes the numbers as its own.
Texts names_of(std::string_view model) {
  const auto ruled = names_with_rules();
  const bool turns = turning_layer(config_of(model)) != nullptr;
  if (std::ranges::find(ruled, model) != ruled.end() || !turns) return {std::string(model)};
  return {std::string(model), "own"};
}

/// A number that stands in the file itself, at its top or in the part about language.
Texts plain_fact(std::string_view model, std::string_view fact) {
  std::vector<std::string> repeated;
  const std::string origin = std::string(model) + ".json";
  const nlohmann::json root = model::parse_json(published_config(model), origin, repeated);
  model::Fields top(root, "", origin);
  if (const auto x = top.number(fact)) return fact_of(*x);
  if (const nlohmann::json* text = top.object("text_config"))
    if (const auto x = model::Fields(*text, "text_config", origin).number(fact)) return fact_of(*x);
  return card_fact(model, fact);
}

}  // namespace

std::span<const std::string_view> course_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const TaughtSettings& course : courses) all.push_back(course.name);
    return all;
  }();
  return names;
}

std::span<const std::string_view> published_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = names_with_rules();
    all.insert(all.end(), card_names().begin(), card_names().end());
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }();
  return names;
}

std::string_view model_title(std::string_view model) {
  struct Title {
    std::string_view name, title;
  };
  static constexpr auto titles = std::to_array<Title>({
      {"bert-base", "BERT base"},
      {"bert-large", "BERT large"},
      {"bloom", "BLOOM"},
      {"bloom-560m", "BLOOM 560M"},
      {"course-d4", "Course, d = 4"},
      {"course-d64", "Course, d = 64"},
      {"course-d128", "Course, d = 128"},
      {"deepseek-v2-lite", "DeepSeek V2 Lite"},
      {"deepseek-v3", "DeepSeek V3"},
      {"falcon-40b", "Falcon 40B"},
      {"falcon-7b", "Falcon 7B"},
      {"flan-t5-base", "Flan-T5 base"},
      {"gemma-2-9b", "Gemma 2 9B"},
      {"gemma-2b", "Gemma 2B"},
      {"gemma-3-1b", "Gemma 3 1B"},
      {"gemma-3-4b-v5", "Gemma 3 4B"},
      {"gemma-4-shape-v5", "Gemma 4, its shape"},
      {"gemma-7b", "Gemma 7B"},
      {"gpt-neox-20b", "GPT-NeoX 20B"},
      {"gpt-oss-20b", "gpt-oss 20B"},
      {"gpt2", "GPT-2"},
      {"gpt2-large", "GPT-2 large"},
      {"gpt2-medium", "GPT-2 medium"},
      {"gpt2-xl", "GPT-2 XL"},
      {"gpt3", "GPT-3"},
      {"internvl2.5-llm-dynamic", "InternVL 2.5, dynamic"},
      {"llama-13b", "LLaMA 13B"},
      {"llama-2-70b", "Llama 2 70B"},
      {"llama-2-7b", "Llama 2 7B"},
      {"llama-3-8b", "Llama 3 8B"},
      {"llama-3.1-405b", "Llama 3.1 405B"},
      {"llama-3.1-70b", "Llama 3.1 70B"},
      {"llama-3.1-8b", "Llama 3.1 8B"},
      {"llama-3.2-1b", "Llama 3.2 1B"},
      {"llama-3.2-3b", "Llama 3.2 3B"},
      {"llama-4-scout", "Llama 4 Scout"},
      {"llama-65b", "LLaMA 65B"},
      {"llama-7b", "LLaMA 7B"},
      {"ministral-3-8b", "Ministral 3 8B"},
      {"mistral-7b", "Mistral 7B"},
      {"mixtral-8x7b", "Mixtral 8×7B"},
      {"mpt-7b", "MPT 7B"},
      {"olmo-3-7b", "OLMo 3 7B"},
      {"opt-1.3b", "OPT 1.3B"},
      {"opt-125m", "OPT 125M"},
      {"opt-6.7b", "OPT 6.7B"},
      {"palm-540b", "PaLM 540B"},
      {"phi-4-mini", "Phi 4 Mini"},
      {"qwen-7b", "Qwen 7B"},
      {"qwen2-vl-7b", "Qwen2 VL 7B"},
      {"qwen2.5-0.5b", "Qwen2.5 0.5B"},
      {"qwen2.5-7b", "Qwen2.5 7B"},
      {"qwen2.5-7b-yarn4", "Qwen2.5 7B, YaRN 4×"},
      {"qwen3-30b-a3b", "Qwen3 30B A3B"},
      {"qwen3-8b", "Qwen3 8B"},
      {"roberta-base", "RoBERTa base"},
      {"smollm2-135m", "SmolLM2 135M"},
      {"t5-base", "T5 base"},
      {"t5-small", "T5 small"},
      {"transformer-base", "Transformer base"},
      {"transformer-big", "Transformer big"},
  });
  const auto found = std::ranges::find(titles, model, &Title::name);
  return found == titles.end() ? model : found->title;
}

std::vector<std::string> model_fact(std::string_view model, std::string_view fact) {
  const auto course = std::ranges::find(courses, model, &TaughtSettings::name);
  if (course != courses.end()) return course_fact(*course, fact);
  if (std::ranges::find(published_names(), model) == published_names().end())
    throw InvalidArgument(
        about("model").found(model).fault("{} is not one of the published ones", in_apostrophes(model)));
  if (fact == "name") return names_of(model);
  if (std::ranges::find(plain_facts, fact) != plain_facts.end()) return plain_fact(model, fact);
  const auto known = std::ranges::find(rope_facts, fact, &RopeFact::name);
  if (known == rope_facts.end() && fact != "trained_length")
    throw InvalidArgument(
        about(words("model fact")).found(fact).fault("{} is not known", in_apostrophes(fact)));
  const RopeConfig& config = config_of(model);
  const RopeLayer* layer = turning_layer(config);
  if (fact == "trained_length") return trained(config, layer);
  return layer ? known->of(*layer) : Texts{};
}

}  // namespace orrery::study
