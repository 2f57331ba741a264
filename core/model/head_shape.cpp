#include "core/model/head_shape.h"

#include <algorithm>
#include <array>

namespace orrery::model {
namespace {

using tensor::Index;

constexpr std::int64_t widest = 65536;

std::optional<std::int64_t> hidden_over_heads(Fields& top, std::vector<position::RopeWarning>& warnings) {
  const auto hidden = top.whole({"hidden_size", "n_embd", "d_model"}, 1, 1 << 24);
  const auto heads = top.whole({"num_attention_heads", "n_head", "n_heads"}, 1, 1 << 20);
  if (!hidden || !heads) return {};
  const bool needed = !top.has("head_dim");
  if (needed && *hidden % *heads != 0) {
    warnings.push_back({"num_attention_heads", std::to_string(*heads) + " does not divide hidden_size, " +
                                                   std::to_string(*hidden) + ": the rest is dropped"});
  }
  return *hidden / *heads;
}

std::int64_t head_width(Fields& top, std::string_view layer_name,
                        std::vector<position::RopeWarning>& warnings) {
  const auto derived = hidden_over_heads(top, warnings);
  const auto global = top.whole("global_head_dim", 1, widest);
  const auto given = top.whole({"head_dim", "kv_channels", "attention_head_dim"}, 1, widest);
  if (global && layer_name == "full_attention") return *global;
  if (given && derived && *given != *derived) {
    warnings.push_back({"head_dim", std::to_string(*given) + ", not hidden_size / num_attention_heads = " +
                                        std::to_string(*derived) +
                                        ": programs that compute it get another width"});
  }
  if (given) return *given;
  if (!derived) {
    top.fail("head_dim",
             wrong("missing, and so is {} to work it out from", words("hidden_size or num_attention_heads")));
  }
  if (*derived < 1) top.fail("hidden_size", wrong("smaller than num_attention_heads"));
  return *derived;
}

}  // namespace

HeadShape head_shape(Fields& top, std::string_view layer_name, std::optional<double> partial,
                     std::vector<position::RopeWarning>& warnings) {
  HeadShape shape;
  if (const auto rope_part = top.whole("qk_rope_head_dim", 1, widest)) {
    shape.latent = true;
    shape.rotary_dim = *rope_part;
    shape.head_dim = *rope_part + top.whole("qk_nope_head_dim", 0, widest).value_or(0);
  } else {
    shape.head_dim = head_width(top, layer_name, warnings);
    const auto top_partial =
        top.number({"partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percentage"});
    const auto absolute = top.whole("rotary_dim", 1, widest);
    if (!partial) partial = top_partial;
    if (partial && !(*partial > 0 && *partial <= 1)) {
      top.fail("partial_rotary_factor", Complaint().allowed("a number above {}, up to {}", 0, 1));
    }
    const auto whole = static_cast<double>(shape.head_dim);
    shape.rotary_dim = partial    ? static_cast<Index>(whole * *partial)
                       : absolute ? Index{*absolute}
                                  : shape.head_dim;
  }
  if (shape.rotary_dim > shape.head_dim) {
    top.fail("rotary_dim",
             Complaint()
                 .found(shape.rotary_dim)
                 .fault("{} is more than the head width, {}", shape.rotary_dim, shape.head_dim));
  }
  if (shape.rotary_dim % 2 != 0 || shape.rotary_dim == 0) {
    top.fail(shape.latent ? "qk_rope_head_dim" : "head_dim",
             Complaint()
                 .found(shape.rotary_dim)
                 .fault("the rotary width is {}", shape.rotary_dim)
                 .allowed("an even number, for pairs to turn"));
  }
  return shape;
}

position::RopeLayout rope_layout(Fields& top, std::string_view model_type) {
  constexpr std::array<std::string_view, 15> neighbours{
      "chatglm", "codegen", "cohere", "cohere2", "deepseek_v2", "deepseek_v3", "ernie4_5",   "ernie4_5_moe",
      "glm",     "glm4",    "gptj",   "kimi_k2", "kimi_k25",    "llama4",      "llama4_text"};
  const bool interleaved =
      top.flag("rope_interleave").value_or(std::ranges::find(neighbours, model_type) != neighbours.end());
  return interleaved ? position::RopeLayout::interleaved : position::RopeLayout::half;
}

}  // namespace orrery::model
