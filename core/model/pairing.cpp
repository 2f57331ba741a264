#include "core/model/pairing.h"

#include <algorithm>
#include <array>
#include <optional>

namespace orrery::model {
namespace {

constexpr auto neighbours = std::to_array<std::string_view>({
    "blt",
    "blt_global_transformer",
    "blt_local_decoder",
    "blt_local_encoder",
    "blt_patcher",
    "chatglm",
    "codegen",
    "cohere",
    "cohere2",
    "deepseek_v2",
    "deepseek_v3",
    "deepseek_v32",
    "ernie4_5",
    "ernie4_5_moe",
    "ernie4_5_moe_vl",
    "ernie4_5_vl_moe",
    "ernie4_5_vl_moe_text",
    "glm",
    "glm4",
    "glm4_moe_lite",
    "glm4v",
    "glm4v_text",
    "glm_moe_dsa",
    "gptj",
    "helium",
    "kimi_k2",
    "kimi_k25",
    "llama4",
    "llama4_text",
    "longcat_flash",
    "moonshine",
    "roformer",
});
/// Besides those that have a class in class_defaults.h: Jina's XLM-RoBERTa and Grok-2 (“git”) are not what their types say.
constexpr auto halves = std::to_array<std::string_view>({
    "dinov3_vit",
    "git",
    "glm4v_moe",
    "glm4v_moe_text",
    "mimo_v2_flash",
    "mpt",
    "openelm",
    "xlm_roberta",
});
static_assert(std::ranges::is_sorted(neighbours) && std::ranges::is_sorted(halves));

}  // namespace

bool has_two_streams(RopeContext& context) {
  return context.model_type == "chatglm" && context.top.is_flag("position_encoding_2d") &&
         *context.top.flag("position_encoding_2d");
}

position::RopeLayout pairing_of(RopeContext& context, std::vector<position::RopeWarning>& warnings) {
  using enum position::RopeLayout;
  std::optional<bool> neighbouring;
  for (const char* key : {"rope_interleave", "rope_interleaved", "rotary_emb_interleaved"})
    if (const auto said = context.top.flag(key)) neighbouring = *said;
  if (neighbouring) return *neighbouring ? interleaved : half;
  const std::string& type = context.model_type;
  if (has_two_streams(context)) return half;
  // DeepSeek's small models of the same type are built as Llama is, and say so.
  if (std::ranges::binary_search(neighbours, type))
    return context.top.flag("use_mla").value_or(true) ? interleaved : half;
  if (context.defaults == nullptr && !std::ranges::binary_search(halves, type)) {
    const std::string who = type.empty() ? "missing, and no key says which columns turn together"
                                         : "does not say which columns turn together, and no key does";
    warnings.push_back({"model_type", who + ": half is taken, as most models have it"});
  }
  return half;
}

}  // namespace orrery::model
