#include "core/model/head_shape.h"

#include <algorithm>
#include <cmath>

#include "core/model/class_defaults.h"
#include "core/model/said_defaults.h"
#include "core/position/rope_rules.h"

namespace orrery::model {
namespace {

using tensor::Index;
using Warnings = std::vector<position::RopeWarning>;

constexpr std::int64_t widest = 65536;
const std::initializer_list<std::string_view> partial_keys{
    "partial_rotary_factor", "rotary_pct",          "rope_pct",
    "rotary_percentage",     "rotary_emb_fraction", "rotary_percent"};

/// What the file says by any of these names, or its class, which is then said under the first of them.
std::optional<std::int64_t> found_or_assumed(RopeContext& context,
                                             std::initializer_list<std::string_view> keys, std::int64_t most,
                                             int by_class, bool needed, Warnings& warnings) {
  if (const auto found = context.top.whole(keys, 1, most)) return found;
  if (context.defaults == nullptr || by_class == 0) return {};
  if (needed) warnings.push_back(assumed(*keys.begin(), by_class, context));
  return by_class;
}

std::optional<std::int64_t> hidden_over_heads(RopeContext& context, bool needed, Warnings& warnings) {
  const ClassDefaults none, &defaults = context.defaults != nullptr ? *context.defaults : none;
  const auto hidden = found_or_assumed(context, {"hidden_size", "n_embd", "d_model", "dim"}, 1 << 24,
                                       defaults.hidden, needed, warnings);
  const auto heads = found_or_assumed(context, {"num_attention_heads", "n_head", "n_heads", "num_heads"},
                                      1 << 20, defaults.heads, needed, warnings);
  if (!hidden || !heads) return {};
  if (needed && *hidden % *heads != 0) {
    warnings.push_back({"num_attention_heads", std::to_string(*heads) + " does not divide hidden_size, " +
                                                   std::to_string(*hidden) + ": the rest is dropped"});
  }
  return *hidden / *heads;
}

/// The class's, unless the file writes null: that asks for hidden_size / num_attention_heads.
int width_of_class(const RopeContext& context) {
  return context.defaults == nullptr || context.top.stands("head_dim") ? 0 : context.defaults->head_dim;
}

std::int64_t head_width(RopeContext& context, std::string_view layer_name, Warnings& warnings) {
  Fields& top = context.top;
  const auto global = top.whole("global_head_dim", 1, widest);
  const auto given = top.whole({"head_dim", "kv_channels", "attention_head_dim"}, 1, widest);
  const int by_class = width_of_class(context);
  const auto derived = hidden_over_heads(context, !given && by_class == 0, warnings);
  if (layer_name == "full_attention") {
    if (global) return *global;
    if (context.model_type.starts_with("gemma4") && !given) {
      warnings.push_back(assumed("global_head_dim", 512, context));
      return 512;
    }
  }
  if (given && derived && *given != *derived && top.has("hidden_size")) {
    warnings.push_back({"head_dim", std::to_string(*given) + ", not hidden_size / num_attention_heads = " +
                                        std::to_string(*derived) +
                                        ": programs that compute it get another width"});
  }
  if (given) return *given;
  if (by_class > 0) {
    warnings.push_back(assumed("head_dim", by_class, context));
    return by_class;
  }
  if (!derived) {
    top.fail("head_dim",
             wrong("missing, and so is {} to work it out from", words("hidden_size or num_attention_heads")));
  }
  if (*derived < 1) top.fail("hidden_size", wrong("smaller than num_attention_heads"));
  return *derived;
}

HeadShape latent_shape(RopeContext& context, Warnings& warnings) {
  const ClassDefaults none, &defaults = context.defaults != nullptr ? *context.defaults : none;
  HeadShape shape{.latent = true};
  const auto part =
      found_or_assumed(context, {"qk_rope_head_dim"}, widest, defaults.rope_dim, true, warnings);
  const auto still = context.top.whole("qk_nope_head_dim", 0, widest);
  shape.rotary_dim = *part;
  if (!still && defaults.nope_dim > 0)
    warnings.push_back(assumed("qk_nope_head_dim", defaults.nope_dim, context));
  shape.head_dim = *part + still.value_or(defaults.nope_dim);
  return shape;
}

/// Under which of its names the file says the rotated part of a head; empty: under none.
std::string_view key_of_part(const Fields& top) {
  for (const std::string_view key : partial_keys)
    if (top.has(key)) return key;
  return {};
}

/// Who says how many columns turn.
std::string_view key_of_rotary_width(const Fields& top, const HeadShape& shape, bool partial) {
  if (shape.latent) return "qk_rope_head_dim";
  if (shape.rotary_dim == shape.head_dim) return "head_dim";
  if (const std::string_view key = key_of_part(top); !key.empty()) return key;
  return !partial && top.has("rotary_dim") ? "rotary_dim" : "partial_rotary_factor";
}

/// How many columns turn of a head: by the layer's rule, the file, the class.
Index rotary_width(RopeContext& context, std::int64_t head, std::optional<double> partial,
                   Warnings& warnings) {
  Fields& top = context.top;
  const auto top_partial = top.number(partial_keys);
  const auto absolute = top.whole("rotary_dim", 1, widest);
  const std::string_view key = partial ? "partial_rotary_factor" : key_of_part(top);
  if (!partial) partial = top_partial;
  if (partial && !(*partial > 0 && *partial <= 1)) {
    const std::string found = position::rules::text(*partial);
    top.fail(key, Complaint().found(found).fault("{}", found).allowed("a number above {}, up to {}", 0, 1));
  }
  if (!partial && absolute) return *absolute;
  const ClassDefaults* defaults = context.defaults;
  if (!partial && defaults != nullptr && defaults->rotary_dim > 0 && !top.stands("rotary_dim")) {
    warnings.push_back(assumed("rotary_dim", defaults->rotary_dim, context));
    return defaults->rotary_dim;
  }
  if (!partial && defaults != nullptr && defaults->partial != 1) {
    warnings.push_back(assumed("partial_rotary_factor", defaults->partial, context));
    partial = defaults->partial;
  }
  return partial ? static_cast<Index>(static_cast<double>(head) * *partial) : Index{head};
}

}  // namespace

HeadShape head_shape(RopeContext& context, std::string_view layer_name, std::optional<double> partial,
                     Warnings& warnings) {
  Fields& top = context.top;
  HeadShape shape;
  // DeepSeek's small models of the same type have ordinary heads, and say so.
  const bool latent =
      top.flag("use_mla").value_or(true) &&
      (top.has("qk_rope_head_dim") || (context.defaults != nullptr && context.defaults->rope_dim > 0));
  static_cast<void>(top.number("qk_rope_head_dim"));
  if (latent) {
    shape = latent_shape(context, warnings);
  } else {
    shape.head_dim = head_width(context, layer_name, warnings);
    shape.rotary_dim = rotary_width(context, shape.head_dim, partial, warnings);
  }
  if (shape.rotary_dim > shape.head_dim) {
    top.fail("rotary_dim",
             Complaint()
                 .found(shape.rotary_dim)
                 .fault("{} is more than the head width, {}", shape.rotary_dim, shape.head_dim));
  }
  if (shape.rotary_dim % 2 != 0 || shape.rotary_dim == 0) {
    top.fail(key_of_rotary_width(top, shape, partial.has_value()),
             Complaint()
                 .found(shape.rotary_dim)
                 .fault("the rotary width is {}", shape.rotary_dim)
                 .allowed("an even number, for pairs to turn"));
  }
  return shape;
}

}  // namespace orrery::model
