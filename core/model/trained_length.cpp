#include "core/model/trained_length.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/model/rope_config.h"

namespace orrery::model {
namespace {

using nlohmann::json;
using position::RopeType;

constexpr std::string_view original_key = "original_max_position_embeddings";
/// No model whose positions are divided was trained on less: a file that seems to say so gives L as its longest length.
constexpr double least_trained = 1024;

constexpr auto known_table = std::to_array<KnownLength>({
    // Gemma 3 report, section 2.1: 32K, then stretched to 128K with a factor of 8 (1B: not at all).
    {.model_type = "gemma3", .tokens = 32768},
    {.model_type = "gemma3_text", .tokens = 32768},
    // Meta's model card: pre-trained and post-trained with 256K.
    {.model_type = "llama4", .tokens = 262144},
    {.model_type = "llama4_text", .tokens = 262144},
    // Mistral 7B, arXiv 2310.06825, table 1: context 8192, window 4096.
    {.model_type = "mistral", .longest = 32768, .window = 4096, .tokens = 8192},
    // Qwen2.5 report, section 3.3: 32768; YaRN carries it to 131072. Its base models' files say the latter.
    {.model_type = "qwen2", .longest = 131072, .tokens = 32768},
    {.model_type = "qwen2_5_vl", .longest = 128000, .tokens = 32768},
    {.model_type = "qwen2_5_vl_text", .longest = 128000, .tokens = 32768},
    // Qwen3 report, section 3.2: 32768, and 8192 for an answer besides in the files.
    {.model_type = "qwen3", .longest = 40960, .tokens = 32768},
    {.model_type = "qwen3_moe", .longest = 40960, .tokens = 32768},
});

std::optional<double> length_in(const json& object) {
  const auto found = object.find(original_key);
  if (found != object.end() && found->is_number() && found->get<double>() >= 1) return found->get<double>();
  return {};
}

std::optional<double> original(Fields& top, const json* rope) {
  if (top.is_number(original_key)) return top.number(original_key);
  if (rope == nullptr) return {};
  if (const auto own = length_in(*rope)) return own;
  for (const json& each : *rope) {
    if (!each.is_object()) continue;
    if (const auto nested = length_in(each)) return nested;
  }
  return {};
}

std::optional<double> known(std::string_view type, double longest, double window) {
  const auto found = std::ranges::find_if(known_table, [&](const KnownLength& k) {
    return k.model_type == type && (longest == 0 || k.tokens <= longest) &&
           (k.longest == 0 || k.longest == longest) && (k.window == 0 || k.window == window);
  });
  return found == known_table.end() ? std::nullopt : std::optional(found->tokens);
}

}  // namespace

std::string words_of(const TrainedLength& trained) {
  const std::string longest = trained.key.empty() ? "the default of its class" : trained.key;
  switch (trained.by) {
    case TrainedBy::nobody:
      return "said by nobody";
    case TrainedBy::original:
      return std::string(original_key);
    case TrainedBy::known:
      return trained.key.empty() ? "what is known of the model" : trained.key;
    case TrainedBy::linear:
      return longest + " over factor";
    case TrainedBy::longest:
      break;
  }
  return longest;
}

double TrainedLength::seen(double window) const {
  return window > 0 && tokens > 0 ? std::min(tokens, window) : tokens;
}

std::span<const KnownLength> known_lengths() {
  return known_table;
}

TrainedLength trained_length(Fields& top, const json* rope, std::string_view plain_type,
                             std::span<const RopeLayer> layers, const LongestLength& longest) {
  if (const auto length = original(top, rope))
    return {*length, TrainedBy::original, std::string(original_key)};
  double most = 0, factor = 1, window = 0;
  for (const RopeLayer& layer : layers) {
    if (layer.inv_freq.empty()) continue;
    most = std::max(most, layer.rule.max_length);
    if (layer.rule.type == RopeType::linear) factor = std::max(factor, layer.rule.factor);
    for (const RopeSpan& span : layer.spans) window = std::max(window, span.window);
  }
  if (const auto length = known(plain_type, most, window)) return {*length, TrainedBy::known, {}};
  // Qwen's first files, and those of models that were stretched twice, say it beside the longest length; Command R's
  // max_position_embeddings is only as long as the class once kept its table.
  for (const auto& [type, key] : {std::pair{"qwen", "seq_length"},
                                  {"nomic_bert", "max_trained_positions"},
                                  {"cohere", "model_max_length"}})
    if (plain_type == type && top.is_number(key)) return {*top.number(key), TrainedBy::known, key};
  if (factor > 1 && most / factor >= least_trained) return {most / factor, TrainedBy::linear, longest.key};
  if (most == 0) return {};
  return {most, TrainedBy::longest, longest.key};
}

}  // namespace orrery::model
