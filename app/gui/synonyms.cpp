// What else people call things: the words of papers, of other programs, of a question in class.
#include <algorithm>
#include <array>

#include "app/gui/search_index.h"

namespace orrery::gui {
namespace {

struct OtherNames {
  std::string_view id, names;
};

constexpr auto known = std::to_array<OtherNames>({
    // Studies.
    {"rope/rotation", "rope rotary roformer turning clock phasor complex positional embedding"},
    {"rope/angles", "cos sin table kv cache memory moire"},
    {"rope/wavelengths", "frequency period inv_freq theta"},
    {"rope/relative", "offset distance dot product shift invariance"},
    {"rope/cache-offset", "kv cache decode decoding position_ids wrong position off by one"},
    {"rope/xpos", "length extrapolatable decay torchscale retnet overflow"},
    {"rope/layout", "interleaved half rotate_half permutation gpt-j neox convention column order"},
    {"rope/precision", "bf16 fp16 f16 bfloat16 half rounding collision numerical error"},
    {"rope/scaling",
     "yarn ntk dynamic linear interpolation pi longrope llama3 resonance context extension "
     "long context scaling factor rope_scaling"},
    {"rope/model",
     "config config.json hugging face transformers llama qwen deepseek mistral gemma phi rope_scaling"},
    {"model/card",
     "config config.json gpt bert t5 llama qwen mistral gemma deepseek palm falcon bloom mpt opt architecture "
     "parameters count flops kv cache memory gqa mla moe experts"},
    {"embedding/tying", "tie_word_embeddings weight sharing lm_head unembedding vocabulary"},
    {"embedding/scale", "sqrt d embedding multiplier normalizer gemma initialisation std 0.02"},
    {"embedding/learned",
     "wpe position embeddings gpt2 bert absolute trained svd singular cosine similarity"},
    {"rope/identify", "inv_freq recognise reverse detect unknown which rope dump"},
    {"extrapolation/decay", "roformer bound figure 2 distance falloff"},
    {"extrapolation/base", "theta rope_theta base lower bound context length"},
    {"extrapolation/race", "train short test long length generalisation copy accuracy yarn ntk pi"},
    {"training/schedule", "adam adamw warmup cosine noam weight decay learning rate"},
    {"extrapolation/coverage", "out of distribution ood unseen angles"},
    {"extrapolation/scores", "extrapolation beyond out of distribution yarn ntk linear longer"},
    {"extrapolation/entropy", "temperature spread dilution log n scaling sink"},
    {"position/sinusoidal", "positional encoding sine cosine vaswani absolute"},
    {"position/dot-product", "similarity distance toeplitz sinusoidal"},
    {"position/shift", "rotation matrix linear translation sinusoidal"},
    {"position/sum", "token embedding scale sqrt d add"},
    {"position/alibi", "linear bias slopes press train short test long"},
    {"position/t5", "relative position bias buckets logarithmic"},
    {"position/bias-compare", "alibi t5 kerple fire sandwich relative bias"},
    {"position/compare", "absolute relative rope alibi learned which scheme comparison"},
    {"norm/compare", "layer norm normalization rms layernorm rmsnorm epsilon eps mean variance pre-norm"},
    {"attention/scores",
     "softmax attention what is attention mask causal self-attention query key value qk "
     "logits weights sliding window scaled dot product"},
    {"activation/functions", "gelu silu swish relu mish sigmoid tanh nonlinearity feed forward"},
    {"numerics/twins", "gpu cpu reference oracle error bound ulp accuracy"},
    {"figure/marks", "plot chart test page legend"},
    // Actions.
    {"open", "load file recipe figure config import"},
    {"export", "save write pdf svg png latex tex pgf webp csv npy print image animation video"},
    {"export-again", "save again overwrite"},
    {"copy-pgf", "latex tikz tex"},
    {"copy-numbers", "table csv spreadsheet excel data"},
    {"copy-command", "shell terminal command line cli render script share reproduce"},
    {"copy-recipe", "toml share settings save reproduce"},
    {"quit", "exit close end"},
    {"undo", "back revert step"},
    {"redo", "forward again repeat"},
    {"history", "steps undo list versions"},
    {"palette", "command palette search everything"},
    {"search", "find filter"},
    {"list", "sidebar left studies tree"},
    {"inspector", "sidebar right panel controls sliders"},
    {"device-cpu", "cpu processor threads simd"},
    {"device-gpu", "gpu graphics card cuda opengl shader"},
    {"device-ref", "ref reference double f64 oracle exact"},
    {"compute-again", "refresh reload run rerun"},
    {"pause-computing", "wait hold resume continue"},
    {"stop-computing", "cancel abort interrupt"},
    {"theme-dark", "theme black night mode"},
    {"theme-light", "theme white bright day mode"},
    {"language-en", "language"},
    {"language-zh", "language \u4E2D\u6587 mandarin"},
    {"larger", "zoom in font size scale bigger"},
    {"smaller", "zoom out font size scale"},
    {"natural-size", "zoom 100 % font size scale dpi"},
    {"size-125", "zoom font size scale dpi"},
    {"size-150", "zoom font size scale dpi"},
    {"size-200", "zoom font size scale dpi"},
    {"size-300", "zoom font size scale dpi"},
    {"high-contrast", "accessibility low vision bold readable"},
    {"reduced-motion", "accessibility animation still vestibular"},
    {"fit", "reset view home whole zoom all"},
    {"fit-panel", "reset view zoom"},
    {"view-back", "previous zoom"},
    {"pan-mode", "move hand"},
    {"box-mode", "zoom rectangle select"},
    {"log-x", "logarithm scale"},
    {"log-y", "logarithm scale"},
    {"figure-alone", "fullscreen presentation full screen"},
    {"copy-picture", "clipboard image screenshot png"},
    {"copy-values", "clipboard csv data crosshair"},
    {"play", "animate run start stop pause animation turn"},
    {"randomise", "random chance dice shuffle"},
    {"defaults", "reset restore initial default clear"},
    {"pin", "compare a b ab side difference overlay"},
    {"keys", "help shortcuts keyboard hotkeys gestures"},
    {"first-minute", "tour tutorial introduction getting started welcome guide walkthrough"},
    {"notation", "symbols letters glossary variables meaning"},
    {"about", "version licence license libraries credits"},
});

}  // namespace

std::string_view synonyms(std::string_view id) {
  const auto found = std::ranges::find(known, id, &OtherNames::id);
  return found == known.end() ? std::string_view() : found->names;
}

std::vector<std::string_view> ids_with_synonyms() {
  std::vector<std::string_view> ids;
  for (const OtherNames& each : known) ids.push_back(each.id);
  return ids;
}

}  // namespace orrery::gui
