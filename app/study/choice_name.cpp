#include "app/study/choice_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace orrery::study {
namespace {

using Named = std::pair<std::string_view, std::string_view>;
constexpr auto proper_names = std::to_array<Named>({
    {"a100", "A100"},
    {"adam", "Adam"},
    {"alibi", "ALiBi"},
    {"batch_norm", "BatchNorm"},
    {"deep_norm", "DeepNorm"},
    {"dynamic_paper", "dynamic (paper)"},
    {"dynamic_yarn", "dynamic YaRN"},
    {"dyt", "DyT"},
    {"elu", "ELU"},
    {"encoder_decoder", "encoder-decoder"},
    {"fire", "FIRE"},
    {"gelu", "GELU"},
    {"gelu_quick", "QuickGELU"},
    {"gelu_tanh", "GELU (tanh)"},
    {"gemma", "Gemma"},
    {"glu", "GLU"},
    {"group_norm", "GroupNorm"},
    {"h100", "H100"},
    {"hard_swish", "hard-swish"},
    {"he", "He"},
    {"instance_norm", "InstanceNorm"},
    {"kerple", "KERPLE"},
    {"layer_norm", "LayerNorm"},
    {"leaky_relu", "leaky ReLU"},
    {"lecun", "LeCun"},
    {"llama", "Llama"},
    {"llama3", "Llama 3"},
    {"log_n", "log n"},
    {"longrope", "LongRoPE"},
    {"min_p", "min-p"},
    {"mish", "Mish"},
    {"ntk", "NTK"},
    {"parallel_one_norm", "parallel, one norm"},
    {"pi", "PI"},
    {"post_warm", "post, with warm-up"},
    {"pre_warm", "pre, with warm-up"},
    {"qwen2_vl", "Qwen2-VL"},
    {"qwen3_vl", "Qwen3-VL"},
    {"relu", "ReLU"},
    {"relu2", "ReLU²"},
    {"rms", "RMS"},
    {"rms_norm", "RMSNorm"},
    {"root_d", "√d"},
    {"rope", "RoPE"},
    {"rope_half", "RoPE (halves)"},
    {"scale_norm", "ScaleNorm"},
    {"self_extend", "Self-Extend"},
    {"selu", "SELU"},
    {"sgd", "SGD"},
    {"silu", "SiLU"},
    {"swiglu", "SwiGLU"},
    {"t5", "T5"},
    {"tensor2tensor", "Tensor2Tensor"},
    {"top_k", "top-k"},
    {"top_p", "top-p"},
    {"torch", "PyTorch"},
    {"xavier", "Xavier"},
    {"xavier_uniform", "Xavier, uniform"},
    {"xpos", "xPos"},
    {"yarn", "YaRN"},
    {"yarn_paper", "YaRN (paper)"},
    {"yarn_paper_32", "YaRN (paper), 32×"},
    {"yarn_paper_4", "YaRN (paper), 4×"},
});
static_assert(std::ranges::is_sorted(proper_names, {}, &Named::first));

}  // namespace

std::string choice_name(const parameter::Parameter& p, std::string_view choice) {
  if (p.name == "op") return std::string(choice);
  if (p.label == "Norm" && (choice == "layer" || choice == "rms"))
    return choice == "rms" ? "RMSNorm" : "LayerNorm";
  const auto* const found = std::ranges::lower_bound(proper_names, choice, {}, &Named::first);
  if (found != proper_names.end() && found->first == choice) return std::string(found->second);
  std::string words(choice);
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace orrery::study
