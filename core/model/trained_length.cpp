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

std::string_view words_of(TrainedBy by) {
  constexpr std::array<std::string_view, 5> words{
      "said by nobody", original_key, "what is known of the model", "max_position_embeddings over factor",
      "max_position_embeddings"};
  return words[static_cast<std::size_t>(by)];
}

double TrainedLength::seen(double window) const {
  return window > 0 && tokens > 0 ? std::min(tokens, window) : tokens;
}

std::span<const KnownLength> known_lengths() {
  return known_table;
}

TrainedLength trained_length(Fields& top, const json* rope, std::string_view plain_type,
                             std::span<const RopeLayer> layers) {
  if (const auto length = original(top, rope)) return {*length, TrainedBy::original};
  double longest = 0, factor = 1, window = 0;
  for (const RopeLayer& layer : layers) {
    if (layer.inv_freq.empty()) continue;
    longest = std::max(longest, layer.rule.max_length);
    if (layer.rule.type == RopeType::linear) factor = std::max(factor, layer.rule.factor);
    for (const RopeSpan& span : layer.spans) window = std::max(window, span.window);
  }
  if (const auto length = known(plain_type, longest, window)) return {*length, TrainedBy::known};
  // Qwen's first files, and those of models that were stretched twice, say it beside the longest length.
  if (plain_type == "qwen" && top.is_number("seq_length"))
    return {*top.number("seq_length"), TrainedBy::known};
  if (plain_type == "nomic_bert" && top.is_number("max_trained_positions"))
    return {*top.number("max_trained_positions"), TrainedBy::known};
  // Command R: max_position_embeddings is only as long as the class once kept its table.
  if (plain_type == "cohere" && top.is_number("model_max_length"))
    return {*top.number("model_max_length"), TrainedBy::known};
  if (factor > 1 && longest / factor >= least_trained) return {longest / factor, TrainedBy::linear};
  return {longest, longest > 0 ? TrainedBy::longest : TrainedBy::nobody};
}

}  // namespace orrery::model
