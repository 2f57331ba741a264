// Written family by family from the configuration classes; in alphabetical order.
#include <algorithm>
#include <array>

#include "core/model/class_defaults.h"

namespace orrery::model {
namespace {

constexpr std::string_view apertus_rope =
    R"({"rope_type":"llama3","rope_theta":12000000.0,"factor":8.0,"original_max_position_embeddin)"
    R"(gs":8192,"low_freq_factor":1.0,"high_freq_factor":4.0})";
constexpr std::string_view cwm_rope =
    R"({"rope_type":"llama3","rope_theta":1000000.0,"factor":16.0,"original_max_position_embeddin)"
    R"(gs":8192,"low_freq_factor":1.0,"high_freq_factor":4.0})";
constexpr std::string_view gemma4_rope =
    R"({"full_attention":{"rope_type":"proportional","partial_rotary_factor":0.25,"rope_theta":10)"
    R"(00000.0},"sliding_attention":{"rope_type":"default","rope_theta":10000.0}})";
constexpr std::string_view gpt_oss_rope =
    R"({"rope_type":"yarn","rope_theta":150000.0,"factor":32.0,"beta_fast":32.0,"beta_slow":1.0,")"
    R"(truncate":false,"original_max_position_embeddings":4096})";
constexpr std::string_view ministral3_rope =
    R"({"rope_type":"yarn","rope_theta":1000000.0,"factor":16.0,"original_max_position_embeddings)"
    R"(":16384,"beta_fast":32.0,"beta_slow":1.0,"mscale":1.0,"mscale_all_dim":1.0,"llama_4_scalin)"
    R"(g_beta":0.1})";

// A family is a line.
// clang-format off
constexpr auto class_table = std::to_array<ClassDefaults>({
    {.model_type = "afmoe", .hidden = 2048, .heads = 16, .head_dim = 128, .longest = 16384, .window = 1024, .full_every = 4, .without = WithoutRope::full_layers},
    {.model_type = "apertus", .base = 1.2e7, .longest = 65536, .rope = apertus_rope},
    {.model_type = "aquila"},
    {.model_type = "arcee", .hidden = 2560, .longest = 4096},
    {.model_type = "aria_text", .longest = 2048},
    {.model_type = "baichuan"},
    {.model_type = "bamba", .partial = 0.5, .longest = 262144},
    {.model_type = "bitnet", .base = 5e5, .hidden = 2560, .heads = 20, .longest = 2048},
    {.model_type = "bluelm"},
    {.model_type = "chameleon", .longest = 4096},
    {.model_type = "chatglm", .partial = 0.5, .head_dim = 128},
    {.model_type = "codegen", .rotary_dim = 64, .heads = 16, .longest = 2048},
    {.model_type = "codeshell"},
    {.model_type = "cohere", .base_v5 = 5e5, .hidden = 8192, .heads = 64, .longest = 8192},
    {.model_type = "cohere2", .hidden = 8192, .heads = 64, .longest = 8192, .window = 4096, .full_every = 4, .without = WithoutRope::full_layers},
    {.model_type = "csm", .base = 5e5, .hidden = 2048, .longest = 2048},
    {.model_type = "cwm", .base = 1e6, .hidden = 6144, .heads = 48, .head_dim = 128, .longest = 131072, .window = 8192, .full_every = 4, .rope = cwm_rope},
    {.model_type = "dbrx", .hidden = 2048, .heads = 16, .longest = 2048},
    {.model_type = "deepseek", .longest = 2048},
    {.model_type = "deepseek_v2", .nope_dim = 128, .rope_dim = 64, .longest = 2048},
    {.model_type = "deepseek_v3", .hidden = 7168, .heads = 128, .nope_dim = 128, .rope_dim = 64, .longest = 4096},
    {.model_type = "deepseek_v32", .hidden = 7168, .heads = 128, .nope_dim = 128, .rope_dim = 64, .longest = 4096},
    {.model_type = "deepseek_vl_v2"},
    {.model_type = "dia", .stacks = Stacks::both, .hidden = 2048, .heads = 16, .head_dim = 128},
    {.model_type = "diffllama", .hidden = 2048, .longest = 2048},
    {.model_type = "doge", .hidden = 1024, .heads = 8, .longest = 2048},
    {.model_type = "dots1", .hidden = 4608, .longest = 2048},
    {.model_type = "emu3_text_model", .base = 1e6, .longest = 9216},
    {.model_type = "ernie4_5", .base = 5e5, .hidden = 1024, .heads = 16, .head_dim = 128, .longest = 131072},
    {.model_type = "ernie4_5_moe", .base = 5e5, .hidden = 2560, .heads = 20, .longest = 131072},
    {.model_type = "esm", .stacks = Stacks::encoder, .hidden = 768, .heads = 12, .longest = 1026},
    {.model_type = "eurobert", .stacks = Stacks::encoder, .base = 250000, .hidden = 768, .heads = 12, .longest = 8192},
    {.model_type = "exaone", .longest = 2048},
    {.model_type = "exaone4", .longest = 2048, .window = 4096, .full_every = 4, .without = WithoutRope::full_layers},
    {.model_type = "exaone_moe", .base = 1e6, .longest = 2048, .window = 4096, .full_every = 4, .without = WithoutRope::full_layers},
    {.model_type = "falcon", .hidden = 4544, .heads = 71, .longest = 2048},
    {.model_type = "falcon_h1", .base = 1e5, .longest = 8192},
    {.model_type = "flex_olmo", .base = 5e5, .longest = 4096},
    {.model_type = "fuyu", .base = 25000, .partial = 0.5, .heads = 64, .longest = 16384},
    {.model_type = "gemma", .hidden = 3072, .heads = 16, .head_dim = 256, .longest = 8192},
    {.model_type = "gemma2", .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 8192, .window = 4096, .full_every = 2, .query_scalar = 256},
    {.model_type = "gemma3", .base = 1e6, .local_base = 10000, .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 131072, .window = 4096, .full_every = 6, .query_scalar = 256},
    {.model_type = "gemma3_text", .base = 1e6, .local_base = 10000, .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 131072, .window = 4096, .full_every = 6, .query_scalar = 256},
    {.model_type = "gemma3n", .base = 1e6, .local_base = 10000, .hidden = 2048, .heads = 8, .head_dim = 256, .longest = 32768, .window = 512, .full_every = 5, .unscaled = true},
    {.model_type = "gemma3n_text", .base = 1e6, .local_base = 10000, .hidden = 2048, .heads = 8, .head_dim = 256, .longest = 32768, .window = 512, .full_every = 5, .unscaled = true},
    {.model_type = "gemma4", .base = 1e6, .local_base = 10000, .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 131072, .window = 512, .full_every = 6, .unscaled = true, .rope = gemma4_rope},
    {.model_type = "gemma4_text", .base = 1e6, .local_base = 10000, .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 131072, .window = 512, .full_every = 6, .unscaled = true, .rope = gemma4_rope},
    {.model_type = "glm", .partial = 0.5, .head_dim = 128, .longest = 131072},
    {.model_type = "glm4", .partial = 0.5, .head_dim = 128, .longest = 131072},
    {.model_type = "glm4_moe", .partial = 0.5, .heads = 96, .longest = 131072},
    {.model_type = "glm4_moe_lite", .hidden = 2048, .heads = 20, .nope_dim = 192, .rope_dim = 64, .longest = 202752},
    {.model_type = "glm_moe_dsa", .hidden = 6144, .heads = 64, .nope_dim = 192, .rope_dim = 64, .longest = 202752},
    {.model_type = "gpt_neox", .partial = 0.25, .hidden = 6144, .heads = 64, .longest = 2048},
    {.model_type = "gpt_neox_japanese", .hidden = 2560, .longest = 2048},
    {.model_type = "gpt_oss", .base = 150000, .hidden = 2880, .heads = 64, .head_dim = 64, .longest = 131072, .window = 128, .full_every = 2, .rope = gpt_oss_rope},
    {.model_type = "gptj", .rotary_dim = 64, .heads = 16, .longest = 2048},
    {.model_type = "granite", .longest = 2048, .multiplier = 1},
    {.model_type = "granitemoe", .longest = 2048, .multiplier = 1},
    {.model_type = "granitemoehybrid", .longest = 2048, .multiplier = 1},
    {.model_type = "granitemoeshared", .longest = 2048, .multiplier = 1},
    {.model_type = "helium", .base = 1e5, .hidden = 2560, .heads = 20, .head_dim = 128, .longest = 4096},
    {.model_type = "hf_olmo", .longest = 2048},
    {.model_type = "hunyuan", .longest = 2048},
    {.model_type = "hunyuan_v1_dense", .longest = 2048},
    {.model_type = "hunyuan_v1_moe", .longest = 2048},
    {.model_type = "idefics2", .longest = 131072},
    {.model_type = "idefics3", .longest = 2048},
    {.model_type = "internlm"},
    {.model_type = "internlm2", .longest = 32768},
    {.model_type = "internlm3"},
    {.model_type = "jetmoe", .hidden = 2048, .head_dim = 128, .longest = 4096},
    {.model_type = "kimi_k2", .hidden = 7168, .heads = 128, .nope_dim = 128, .rope_dim = 64, .longest = 4096},
    {.model_type = "kimi_k25", .hidden = 7168, .heads = 128, .nope_dim = 128, .rope_dim = 64, .longest = 4096},
    {.model_type = "kimi_linear"},
    {.model_type = "lfm2", .base = 1e6, .hidden = 2560, .longest = 128000},
    {.model_type = "lfm2_moe", .base = 1e6, .hidden = 2048, .longest = 128000},
    {.model_type = "llama", .longest = 2048},
    {.model_type = "llama4", .base = 5e5, .hidden = 5120, .heads = 40, .head_dim = 128, .longest = 131072, .chunk = 8192, .full_every = 4, .without = WithoutRope::every_fourth},
    {.model_type = "llama4_text", .base = 5e5, .hidden = 5120, .heads = 40, .head_dim = 128, .longest = 131072, .chunk = 8192, .full_every = 4, .without = WithoutRope::every_fourth},
    {.model_type = "llava", .longest = 2048},
    {.model_type = "llava_next", .longest = 2048},
    {.model_type = "longcat_flash", .base = 1e7, .hidden = 6144, .heads = 64, .nope_dim = 128, .rope_dim = 64, .longest = 131072},
    {.model_type = "minicpm", .longest = 2048},
    {.model_type = "minicpm3", .hidden = 2560, .heads = 40, .nope_dim = 64, .rope_dim = 32, .longest = 32768},
    {.model_type = "minimax", .base = 1e6, .longest = 131072},
    {.model_type = "minimax_m1", .base = 1e6, .rotary_dim = 64, .head_dim = 128},
    {.model_type = "minimax_m2", .base_v5 = 5e6, .rotary_dim = 64, .hidden = 3072, .heads = 48, .head_dim = 128},
    {.model_type = "minimax_text_01", .base = 1e6, .rotary_dim = 64, .head_dim = 128},
    {.model_type = "ministral", .longest = 131072, .window = 4096},
    {.model_type = "ministral3", .base = 1e6, .head_dim = 128, .longest = 262144, .rope = ministral3_rope},
    {.model_type = "mistral", .longest = 131072, .window = 4096},
    {.model_type = "mistral3", .longest = 131072},
    {.model_type = "mixformer_sequential", .rotary_dim = 32, .hidden = 2048},
    {.model_type = "mixtral", .base = 1e6, .longest = 131072},
    {.model_type = "mllama", .base = 5e5, .longest = 131072},
    {.model_type = "mllama_text_model", .base = 5e5, .longest = 131072},
    {.model_type = "modernbert", .stacks = Stacks::encoder, .base = 160000, .local_base = 10000, .hidden = 768, .heads = 12, .longest = 8192, .window = 128, .full_every = 3},
    {.model_type = "modernbert_decoder", .base = 160000, .local_base = 10000, .hidden = 768, .heads = 12, .longest = 8192, .window = 128, .full_every = 3},
    {.model_type = "moonshine", .stacks = Stacks::both, .partial = 0.9, .hidden = 288, .heads = 8, .longest = 512},
    {.model_type = "nemotron", .partial = 0.5, .hidden = 6144, .heads = 48, .longest = 4096},
    {.model_type = "new", .stacks = Stacks::encoder, .hidden = 768, .heads = 12, .longest = 2048},
    {.model_type = "nomic_bert", .stacks = Stacks::encoder, .base_v5 = 1000, .hidden = 768, .heads = 12},
    {.model_type = "olmo", .longest = 2048},
    {.model_type = "olmo2", .longest = 2048},
    {.model_type = "olmo3", .base_v5 = 5e5, .longest = 2048, .window = 4096, .full_every = 4},
    {.model_type = "olmoe", .hidden = 2048, .heads = 16, .longest = 4096},
    {.model_type = "open_llama", .longest = 2048},
    {.model_type = "orion"},
    {.model_type = "paligemma", .hidden = 3072, .heads = 16, .head_dim = 256, .longest = 8192},
    {.model_type = "persimmon", .base = 25000, .partial = 0.5, .heads = 64, .longest = 16384},
    {.model_type = "phi", .partial = 0.5, .hidden = 2048, .longest = 2048},
    {.model_type = "phi3", .hidden = 3072, .longest = 4096},
    {.model_type = "phi3small", .base = 1e6, .longest = 8192},
    {.model_type = "phi4_multimodal", .hidden = 3072, .longest = 131072},
    {.model_type = "phi_msft", .rotary_dim = 32, .hidden = 2048},
    {.model_type = "phimoe", .base = 1e6, .longest = 131072},
    {.model_type = "pixtral_text", .longest = 131072},
    {.model_type = "plamo"},
    {.model_type = "qwen", .head_dim = 128, .longest = 8192},
    {.model_type = "qwen2", .longest = 32768},
    {.model_type = "qwen2_5_omni_text", .base = 1e6, .hidden = 3584, .heads = 28, .longest = 32768},
    {.model_type = "qwen2_5_vl", .base = 1e6, .hidden = 8192, .heads = 64, .longest = 32768},
    {.model_type = "qwen2_5_vl_text", .base = 1e6, .hidden = 8192, .heads = 64, .longest = 32768},
    {.model_type = "qwen2_audio", .longest = 32768},
    {.model_type = "qwen2_moe", .hidden = 2048, .heads = 16, .longest = 32768},
    {.model_type = "qwen2_vl", .base = 1e6, .hidden = 8192, .heads = 64, .longest = 32768},
    {.model_type = "qwen2_vl_text", .base = 1e6, .hidden = 8192, .heads = 64, .longest = 32768},
    {.model_type = "qwen3", .head_dim = 128, .longest = 32768},
    {.model_type = "qwen3_5", .partial = 0.25, .heads = 16, .head_dim = 256, .longest = 32768},
    {.model_type = "qwen3_5_moe", .partial = 0.25, .hidden = 2048, .heads = 16, .head_dim = 256, .longest = 32768},
    {.model_type = "qwen3_5_moe_text", .partial = 0.25, .hidden = 2048, .heads = 16, .head_dim = 256, .longest = 32768},
    {.model_type = "qwen3_5_text", .partial = 0.25, .heads = 16, .head_dim = 256, .longest = 32768},
    {.model_type = "qwen3_moe", .hidden = 2048, .longest = 32768},
    {.model_type = "qwen3_next", .partial = 0.25, .hidden = 2048, .heads = 16, .head_dim = 256, .longest = 32768},
    {.model_type = "qwen3_omni_moe_text", .base = 1e6, .hidden = 2048, .heads = 28, .longest = 32768},
    {.model_type = "qwen3_vl", .base = 5e6, .base_v5 = 5e5, .head_dim = 128, .longest = 128000},
    {.model_type = "qwen3_vl_moe", .base = 5e6, .base_v5 = 5e5, .hidden = 2048, .heads = 16, .longest = 128000},
    {.model_type = "qwen3_vl_moe_text", .base = 5e6, .base_v5 = 5e5, .hidden = 2048, .heads = 16, .longest = 128000},
    {.model_type = "qwen3_vl_text", .base = 5e6, .base_v5 = 5e5, .head_dim = 128, .longest = 128000},
    {.model_type = "recurrent_gemma", .partial = 0.5, .hidden = 2560, .heads = 10},
    {.model_type = "refinedweb", .hidden = 4544, .heads = 71, .longest = 2048},
    {.model_type = "refinedwebmodel", .hidden = 4544, .heads = 71, .longest = 2048},
    {.model_type = "roformer", .stacks = Stacks::encoder, .hidden = 768, .heads = 12, .longest = 1536},
    {.model_type = "seed_oss", .head_dim = 128, .longest = 524288},
    {.model_type = "skywork"},
    {.model_type = "smollm3", .base = 2e6, .hidden = 2048, .heads = 16, .longest = 32768, .without = WithoutRope::every_fourth},
    {.model_type = "smolvlm", .longest = 2048},
    {.model_type = "stablelm", .partial = 0.25, .hidden = 2560, .longest = 4096},
    {.model_type = "stablelm_epoch", .partial = 0.25, .hidden = 2560, .longest = 4096},
    {.model_type = "starcoder2", .hidden = 3072, .heads = 24, .longest = 4096},
    {.model_type = "t5_gemma_module", .stacks = Stacks::both, .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 8192, .window = 4096, .full_every = 2, .query_scalar = 256},
    {.model_type = "t5gemma", .stacks = Stacks::both, .hidden = 2304, .heads = 8, .head_dim = 256, .longest = 8192, .window = 4096, .full_every = 2, .query_scalar = 256},
    {.model_type = "telechat"},
    {.model_type = "vaultgemma", .hidden = 2304, .heads = 4, .head_dim = 256, .longest = 8192, .window = 4096, .full_every = 2, .query_scalar = 256},
    {.model_type = "video_llava", .longest = 2048},
    {.model_type = "vipllava", .longest = 2048},
    {.model_type = "xverse"},
    {.model_type = "yayi"},
    {.model_type = "yi"},
    {.model_type = "yuan"},
    {.model_type = "zamba2", .longest = 4096},
});
// clang-format on
static_assert(std::ranges::is_sorted(class_table, {}, &ClassDefaults::model_type));

}  // namespace

std::span<const ClassDefaults> all_class_defaults() {
  return class_table;
}

const ClassDefaults* class_defaults(std::string_view plain_type) {
  const auto found = std::ranges::lower_bound(class_table, plain_type, {}, &ClassDefaults::model_type);
  return found == class_table.end() || found->model_type != plain_type ? nullptr : &*found;
}

}  // namespace orrery::model
