#include "core/model/layer_kinds.h"

#include <algorithm>
#include <cmath>

#include "core/model/class_defaults.h"
#include "core/model/said_defaults.h"

namespace orrery::model {
namespace {

using Warnings = std::vector<position::RopeWarning>;

/// Where a file leaves a window out, its class's; where it says null, none.
double window_of(RopeContext& context, bool wanted, Warnings& warnings) {
  Fields& top = context.top;
  for (const char* key : {"sliding_window", "sliding_window_size", "attention_window_size"})
    if (top.is_number(key)) {
      const double window = std::max(0.0, *top.number(key));
      // EmbeddingGemma writes the width of both sides; its class takes half of it and the token's own.
      const bool both =
          top.is_flag("use_bidirectional_attention") && *top.flag("use_bidirectional_attention");
      return both && window > 0 ? std::floor(window / 2) + 1 : window;
    }
  if (top.is_number("local_attention")) return *top.number("local_attention") / 2;  // to either side
  if (top.stands("sliding_window")) return 0;
  const ClassDefaults* defaults = context.defaults;
  if (defaults == nullptr || defaults->window == 0) return 0;
  const bool both_sides = context.model_type == "modernbert" || context.model_type == "modernbert_decoder";
  const double window = both_sides ? defaults->window / 2 : defaults->window;
  if (wanted) warnings.push_back(assumed("sliding_window", window, context));
  return window;
}

/// Qwen's classes have the window switched off.
bool window_is_on(RopeContext& context) {
  if (context.top.is_flag("use_sliding_window")) return *context.top.flag("use_sliding_window");
  return !context.model_type.starts_with("qwen");
}

/// Every n-th layer sees the whole text; 0: none does.
std::int64_t full_every(RopeContext& context) {
  Fields& top = context.top;
  for (const char* key :
       {"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"}) {
    if (top.is_number(key)) return top.whole(key, 0, 1 << 20).value_or(0);
    if (top.is_text(key)) {  // EXAONE: "LLLG"
      const std::string pattern = *top.text(key);
      return pattern.find_first_of("Gg") == pattern.npos ? 0 : static_cast<std::int64_t>(pattern.size());
    }
  }
  if (const auto below = top.whole("max_window_layers", 0, 1 << 20)) {
    const auto layers = top.whole("num_hidden_layers", 1, 1 << 20);
    if (layers && *below >= *layers) return 1;  // all of them see the whole text
    return *below > 0 ? 2 : 0;
  }
  return context.defaults != nullptr ? context.defaults->full_every : 0;
}

bool some_without(RopeContext& context, Warnings& warnings) {
  Fields& top = context.top;
  const std::vector<double> list = turning_list(top);
  const bool fourth = context.defaults != nullptr && context.defaults->without == WithoutRope::every_fourth;
  if (!list.empty()) return std::ranges::count(list, 0.0) > 0;
  if (const auto interval = top.whole("no_rope_layer_interval", 0, 1 << 20)) return *interval > 0;
  if (fourth)
    warnings.push_back(
        {"no_rope_layers", "every fourth layer of this model has no rotary positions by default"});
  return fourth;
}

}  // namespace

std::vector<double> turning_list(Fields& top) {
  if (!top.is_list("no_rope_layers")) return {};
  return top.numbers("no_rope_layers").value_or(std::vector<double>{});
}

LayerKinds layer_kinds(RopeContext& context, Warnings& warnings) {
  LayerKinds kinds;
  Fields& top = context.top;
  const ClassDefaults* defaults = context.defaults;
  const auto types = top.is_list("layer_types") ? top.texts("layer_types") : std::nullopt;
  const auto lists = [&](std::string_view name) {
    return types && std::ranges::find(*types, name) != types->end();
  };
  const bool listed = lists("full_attention") || lists("sliding_attention") || lists("chunked_attention");
  const bool sliding = listed ? lists("sliding_attention") : window_is_on(context);
  if (sliding) kinds.window = window_of(context, !context.nested || lists("sliding_attention"), warnings);
  const bool chunked = listed ? lists("chunked_attention") : true;
  if (chunked)
    kinds.chunk = top.is_number("attention_chunk_size") ? *top.number("attention_chunk_size")
                  : defaults != nullptr                 ? defaults->chunk
                                                        : 0;
  const std::int64_t every = full_every(context);
  if (listed) {
    kinds.full = lists("full_attention");
  } else if (kinds.window > 0) {
    kinds.full = every > 0;
    if (every == 1) kinds.window = 0;
  }
  if (defaults != nullptr && defaults->without == WithoutRope::full_layers) {
    kinds.without = kinds.without_by_kind = kinds.window > 0 && kinds.full;
    if (kinds.without)
      warnings.push_back({"sliding_window", "only the layers with a window have rotary positions"});
  } else {
    kinds.without = some_without(context, warnings);
    kinds.without_by_kind = kinds.without && kinds.chunk > 0;
  }
  return kinds;
}

std::vector<RopeSpan> spans_of(std::string_view layer_name, const LayerKinds& kinds) {
  const RopeSpan full{"full_attention", 0}, sliding{"sliding_attention", kinds.window},
      chunked{"chunked_attention", kinds.chunk};
  for (const RopeSpan& span : {full, sliding, chunked})
    if (layer_name == span.name) return {span};
  if (kinds.chunk > 0) return {chunked};
  std::vector<RopeSpan> spans;
  if (kinds.full || kinds.window == 0) spans.push_back(full);
  if (kinds.window > 0) spans.push_back(sliding);
  return spans;
}

}  // namespace orrery::model
