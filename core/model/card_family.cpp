// In alphabetical order.
#include "core/model/card_family.h"

#include <algorithm>

namespace orrery::model {
namespace {

constexpr NormKind layer_norm = NormKind::layer_norm;
constexpr NormPlace post = NormPlace::post, both = NormPlace::both, output = NormPlace::output;

// A family is a paragraph: stack and norms; activation and biases; sizes.
// clang-format off
constexpr auto families = std::to_array<CardFamily>({
    {.model_type = "bert", .stacks = Stacks::encoder, .norm = layer_norm, .place = post, .eps = 1e-12, .norm_bias = true, .final_norm = false, .embedding_norm = true,
     .activation = "gelu", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true, .tied = true,
     .layers = 12, .width = 768, .heads = 12, .hidden = 3072, .vocabulary = 30522, .longest = 512},
    {.model_type = "bloom", .norm = layer_norm, .eps = 1e-5, .norm_bias = true, .embedding_norm = true,
     .activation = "gelu_tanh", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true, .tied = true,
     .layers = 2, .width = 64, .heads = 8, .vocabulary = 250880},
    {.model_type = "deepseek_v2",
     .layers = 32, .width = 4096, .heads = 32, .hidden = 11008, .vocabulary = 32000, .longest = 2048},
    {.model_type = "deepseek_v3",
     .layers = 61, .width = 7168, .heads = 128, .hidden = 18432, .vocabulary = 129280, .longest = 4096},
    {.model_type = "falcon", .norm = layer_norm, .eps = 1e-5, .norm_bias = true, .parallel = true,
     .activation = "gelu", .gated = false, .tied = true,
     .layers = 32, .width = 4544, .heads = 71, .vocabulary = 65024, .longest = 2048},
    {.model_type = "gemma", .weight_offset = true,
     .activation = "gelu_tanh", .tied = true,
     .layers = 28, .width = 3072, .heads = 16, .kv_heads = 16, .head_width = 256, .hidden = 24576, .vocabulary = 256000, .longest = 8192},
    {.model_type = "gemma2", .place = both, .weight_offset = true,
     .activation = "gelu_tanh", .tied = true,
     .layers = 26, .width = 2304, .heads = 8, .kv_heads = 4, .head_width = 256, .hidden = 9216, .vocabulary = 256000, .longest = 8192},
    {.model_type = "gemma3_text", .place = both, .weight_offset = true, .query_key = QueryKeyNorm::head,
     .activation = "gelu_tanh", .tied = true,
     .layers = 26, .width = 2304, .heads = 8, .kv_heads = 4, .head_width = 256, .hidden = 9216, .vocabulary = 262208, .longest = 131072},
    {.model_type = "gpt2", .norm = layer_norm, .eps = 1e-5, .norm_bias = true,
     .activation = "gelu_tanh", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true, .tied = true,
     .layers = 12, .width = 768, .heads = 12, .vocabulary = 50257, .longest = 1024},
    {.model_type = "gpt3", .norm = layer_norm, .eps = 0, .norm_bias = true,
     .activation = "gelu_tanh", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true, .tied = true},
    {.model_type = "gpt_neox", .norm = layer_norm, .eps = 1e-5, .norm_bias = true, .parallel = true,
     .activation = "gelu", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true,
     .layers = 44, .width = 6144, .heads = 64, .hidden = 24576, .vocabulary = 50432, .longest = 2048},
    {.model_type = "gpt_oss", .eps = 1e-5,
     .activation = "swish", .query_bias = true, .output_bias = true, .feed_forward_bias = true,
     .layers = 36, .width = 2880, .heads = 64, .kv_heads = 8, .head_width = 64, .hidden = 2880, .vocabulary = 201088, .longest = 131072},
    {.model_type = "llama",
     .layers = 32, .width = 4096, .heads = 32, .hidden = 11008, .vocabulary = 32000, .longest = 2048},
    {.model_type = "llama4_text", .eps = 1e-5, .query_key = QueryKeyNorm::plain,
     .layers = 48, .width = 5120, .heads = 40, .kv_heads = 8, .head_width = 128, .hidden = 16384, .vocabulary = 202048, .longest = 131072},
    {.model_type = "mistral",
     .layers = 32, .width = 4096, .heads = 32, .kv_heads = 8, .hidden = 14336, .vocabulary = 32000, .longest = 131072},
    {.model_type = "mixtral", .eps = 1e-5,
     .layers = 32, .width = 4096, .heads = 32, .kv_heads = 8, .hidden = 14336, .vocabulary = 32000, .longest = 131072},
    {.model_type = "mpt", .norm = layer_norm, .eps = 1e-5,
     .activation = "gelu", .gated = false, .tied = true,
     .layers = 24, .width = 2048, .heads = 16, .vocabulary = 50368, .longest = 2048},
    {.model_type = "olmo2", .place = output, .eps = 1e-5, .query_key = QueryKeyNorm::all,
     .layers = 32, .width = 4096, .heads = 32, .hidden = 11008, .vocabulary = 50304, .longest = 2048},
    {.model_type = "olmo3", .place = output, .eps = 1e-5, .query_key = QueryKeyNorm::all,
     .layers = 32, .width = 4096, .heads = 32, .hidden = 11008, .vocabulary = 50304, .longest = 2048},
    {.model_type = "opt", .norm = layer_norm, .eps = 1e-5, .norm_bias = true,
     .activation = "relu", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true, .tied = true,
     .layers = 12, .width = 768, .heads = 12, .hidden = 3072, .vocabulary = 50272, .longest = 2048},
    {.model_type = "palm", .norm = layer_norm, .eps = 0, .parallel = true,
     .tied = true},
    {.model_type = "phi3", .eps = 1e-5,
     .layers = 32, .width = 3072, .heads = 32, .hidden = 8192, .vocabulary = 32064, .longest = 4096},
    {.model_type = "qwen", .query_bias = true,
     .layers = 32, .width = 4096, .heads = 32, .hidden = 11008, .vocabulary = 151936, .longest = 8192},
    {.model_type = "qwen2", .query_bias = true,
     .layers = 32, .width = 4096, .heads = 32, .hidden = 22016, .vocabulary = 151936, .longest = 32768},
    {.model_type = "qwen3", .query_key = QueryKeyNorm::head,
     .layers = 32, .width = 4096, .heads = 32, .head_width = 128, .hidden = 22016, .vocabulary = 151936, .longest = 32768},
    {.model_type = "qwen3_moe", .query_key = QueryKeyNorm::head,
     .layers = 24, .width = 2048, .heads = 32, .kv_heads = 4, .hidden = 6144, .vocabulary = 151936, .longest = 32768},
    {.model_type = "roberta", .stacks = Stacks::encoder, .norm = layer_norm, .place = post, .eps = 1e-12, .norm_bias = true, .final_norm = false, .embedding_norm = true,
     .activation = "gelu", .gated = false, .query_bias = true, .output_bias = true, .feed_forward_bias = true, .tied = true,
     .layers = 12, .width = 768, .heads = 12, .hidden = 3072, .vocabulary = 50265, .longest = 512},
    {.model_type = "t5", .stacks = Stacks::both,
     .activation = "relu", .gated = false, .tied = true,
     .layers = 6, .width = 512, .heads = 8, .head_width = 64, .hidden = 2048, .vocabulary = 32128},
    {.model_type = "transformer", .stacks = Stacks::both, .norm = layer_norm, .place = post, .eps = 0, .norm_bias = true, .final_norm = false,
     .activation = "relu", .gated = false, .feed_forward_bias = true, .tied = true},
});
// clang-format on

}  // namespace

std::span<const CardFamily> card_families() {
  return families;
}

const CardFamily* card_family(std::string_view plain_type) {
  if (plain_type == "gemma3") plain_type = "gemma3_text";  // the language part of the one is the other
  if (plain_type == "llama4") plain_type = "llama4_text";
  const auto found = std::ranges::find(families, plain_type, &CardFamily::model_type);
  return found == families.end() ? nullptr : &*found;
}

}  // namespace orrery::model
