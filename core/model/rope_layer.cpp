#include "core/model/rope_layer.h"

#include <cmath>
#include <numeric>
#include <string_view>

#include "core/model/head_shape.h"
#include "core/model/rope_traps.h"
#include "core/position/rope_rules.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using position::RopeRule;
using position::RopeType;
using Warnings = std::vector<position::RopeWarning>;

/// Older and unregistered names of the same rules.
std::string canonical_type(std::string type) {
  if (type == "su") return "longrope";
  if (type == "mrope" || type == "xdrope") return "default";
  return type;
}

std::string type_of(Fields& rope, Warnings& warnings) {
  const auto now = rope.text("rope_type"), before = rope.text("type");
  if (now && before && canonical_type(*now) != canonical_type(*before)) {
    warnings.push_back(
        {rope.path("rope_type"), "'" + *now + "', but type says '" + *before + "': rope_type counts"});
  }
  if (!now && !before && rope.has("factor")) {
    warnings.push_back({rope.path("rope_type"), "missing, so that factor has no effect: default is assumed"});
  }
  const std::string type = canonical_type(now ? *now : before.value_or("default"));
  if (!position::rope_type_from_name(type)) {
    const std::string found = type.substr(0, 40);
    rope.fail(
        now ? "rope_type" : "type",
        Complaint()
            .found(found)
            .fault("{} is unknown", in_apostrophes(found))
            .allowed(name_phrase("default, linear, ntk, dynamic, yarn, longrope, su, llama3, proportional, "
                                 "by_parts, resonance, mrope, xdrope")));
  }
  return type;
}

double base_of(RopeContext& context, Fields& rope, std::optional<double> layer_base, Warnings& warnings) {
  const auto own = rope.number("rope_theta");
  const auto general = context.top.number({"rope_theta", "rotary_emb_base"});
  if (own && general && *own != *general && !context.nested) {
    warnings.push_back(
        {rope.path("rope_theta"), "is not the rope_theta beside it; the one in the dictionary counts"});
  }
  if (own) return *own;
  if (layer_base) return *layer_base;
  if (general) return *general;
  warnings.push_back({"rope_theta", "missing: 10000 is assumed"});
  return 10000;
}

double required(Fields& rope, std::string_view key, std::string_view type) {
  const auto v = rope.number(key);
  if (!v) rope.fail(key, wrong("missing; rope_type {} needs it", type));
  return *v;
}

/// L: Phi-3's place at the top counts before the one in the dictionary; M where neither is there.
double original_length(RopeContext& context, Fields& rope, std::optional<double> longest,
                       Warnings& warnings) {
  constexpr std::string_view key = "original_max_position_embeddings";
  const auto top = context.top.number(key), own = rope.number(key);
  if (top && own && *top != *own) {
    warnings.push_back({rope.path(key), "is not the one beside it at the top, which counts"});
  }
  if (top) return *top;
  if (own) return *own;
  if (!longest) rope.fail(key, wrong("missing, and so is {} to stand in for it", "max_position_embeddings"));
  warnings.push_back({rope.path(key), "missing: max_position_embeddings is taken"});
  return *longest;
}

void read_rule(RopeContext& context, Fields& rope, RopeRule& rule, Warnings& warnings) {
  const auto longest = context.top.number(
      {"max_position_embeddings", "n_positions", "max_sequence_length", "seq_length", "n_ctx"});
  const std::string_view type = name(rule.type);
  if (longest && !(*longest >= 1))
    context.top.fail("max_position_embeddings", Complaint().allowed("a number of tokens, {} or more", 1));
  rule.length = context.length;
  rule.max_length = longest.value_or(0);
  const auto stretch = [&] {  // the factor that the two lengths imply
    if (!longest)
      rope.fail("factor", wrong("missing, and so is {} to work it out from", "max_position_embeddings"));
    const double implied = *longest / rule.original_length;
    warnings.push_back({rope.path("factor"), "missing: " + position::rules::text(implied) +
                                                 ", the longest length over the original one, is taken"});
    return implied;
  };
  switch (rule.type) {
    case RopeType::standard:
      break;
    case RopeType::linear:
    case RopeType::ntk:
      rule.factor = required(rope, "factor", type);
      break;
    case RopeType::dynamic:
      // Hunyuan's dynamic has an alpha and is not dynamic: the base grows once, by alpha^(R/(R − 2)).
      if (const auto alpha = rope.number("alpha"); alpha && *alpha != 0) {
        static_cast<void>(rope.number("factor"));
        rule.type = RopeType::ntk;
        rule.factor = *alpha;
        warnings.push_back({rope.path("alpha"),
                            "Hunyuan's rule: a fixed base, multiplied by alpha^(R/(R − 2)); "
                            "factor and length change nothing"});
        break;
      }
      rule.factor = required(rope, "factor", type);
      if (!longest)
        context.top.fail("max_position_embeddings", wrong("missing; rope_type {} needs it", "dynamic"));
      break;
    case RopeType::yarn:
      rule.original_length = original_length(context, rope, longest, warnings);
      rule.factor = rope.has("factor") ? required(rope, "factor", type) : stretch();
      rule.attention_factor = rope.number("attention_factor");
      rule.beta_fast = rope.number("beta_fast").value_or(32);
      rule.beta_slow = rope.number("beta_slow").value_or(1);
      rule.truncate = rope.flag("truncate").value_or(true);
      rule.mscale = rope.number("mscale");
      rule.mscale_all_dim = rope.number("mscale_all_dim");
      break;
    case RopeType::longrope:
      rule.original_length = original_length(context, rope, longest, warnings);
      rule.factor = rope.has("factor") ? required(rope, "factor", type) : stretch();
      rule.attention_factor = rope.number("attention_factor");
      for (const auto& [key, list] :
           {std::pair{"short_factor", &rule.short_factor}, std::pair{"long_factor", &rule.long_factor}}) {
        auto numbers = rope.numbers(key);
        if (!numbers) rope.fail(key, wrong("missing; rope_type {} needs it", "longrope"));
        *list = std::move(*numbers);
      }
      break;
    case RopeType::llama3:
      rule.original_length = original_length(context, rope, longest, warnings);
      rule.factor = required(rope, "factor", type);
      rule.low_freq_factor = required(rope, "low_freq_factor", type);
      rule.high_freq_factor = required(rope, "high_freq_factor", type);
      break;
    case RopeType::proportional:
      rule.factor = rope.number("factor").value_or(1);
      break;
    case RopeType::by_parts:
      rule.original_length = original_length(context, rope, longest, warnings);
      rule.factor = required(rope, "factor", type);
      rule.beta_fast = rope.number("beta_fast").value_or(32);
      rule.beta_slow = rope.number("beta_slow").value_or(1);
      break;
    case RopeType::resonance:
      break;
  }
}

/// How many pairs belong to each axis of a position in time, height and width.
std::vector<int> sections_of(Fields& rope, tensor::Index pairs, Warnings& warnings) {
  const char* const key = rope.has("mrope_section") ? "mrope_section" : "xdrope_section";
  const auto numbers = rope.numbers(key);
  if (!numbers) return {};
  std::vector<int> sections;
  for (const double n : *numbers) {
    if (!(n >= 0 && n <= 65536 && std::floor(n) == n))
      rope.fail(key, Complaint().allowed("whole numbers of pairs, 0 or more"));
    sections.push_back(static_cast<int>(n));
  }
  const auto sum = std::accumulate(sections.begin(), sections.end(), tensor::Index{0});
  if (sum != pairs) {
    warnings.push_back({rope.path(key), "adds up to " + std::to_string(sum) + ", but there are " +
                                            std::to_string(pairs) + " pairs"});
  }
  if (rope.flag("mrope_interleaved").value_or(false)) {
    warnings.push_back({rope.path("mrope_interleaved"),
                        "the axes take turns pair by pair (t h w t h w …), not in blocks: "
                        "text looks right either way, images do not"});
  }
  return sections;
}

}  // namespace

RopeLayer resolve_layer(RopeContext& context, Fields& rope, std::string layer_name,
                        std::optional<double> base, Warnings& warnings) {
  RopeLayer layer;
  layer.rope_type = type_of(rope, warnings);
  layer.layout = rope_layout(context.top, context.model_type);

  RopeRule& rule = layer.rule;
  rule.type = *position::rope_type_from_name(layer.rope_type);
  rule.base = base_of(context, rope, base, warnings);
  const auto own_partial = rope.number("partial_rotary_factor");
  const auto top_partial = context.top.number("partial_rotary_factor");
  const auto partial = own_partial ? own_partial : top_partial;
  if (own_partial && top_partial && *own_partial != *top_partial && !context.nested) {
    warnings.push_back({rope.path("partial_rotary_factor"),
                        "is not the one beside it at the top; the one in the dictionary counts"});
  }
  // p-RoPE lets the slow pairs stand still instead of leaving dimensions out: it is about the whole head.
  const bool whole_head = rule.type == RopeType::proportional;
  const HeadShape shape =
      head_shape(context.top, layer_name, whole_head ? std::optional(1.0) : partial, warnings);
  layer.head_dim = shape.head_dim;
  layer.rotary_dim = rule.rotary_dim = shape.rotary_dim;
  if (whole_head) {
    if (!partial) {
      warnings.push_back(
          {rope.path("partial_rotary_factor"), "missing: every pair turns, as rope_type linear has it"});
    }
    rule.partial = partial.value_or(1);
  }

  read_rule(context, rope, rule, warnings);
  try {
    layer.frequencies = rope_frequencies(rule);
  } catch (const InvalidArgument& e) {  // here the file is to blame, not what was asked
    throw Failure(e.complaint().within(in_file(rope.origin())));
  }
  layer.sections = sections_of(rope, rule.rotary_dim / 2, warnings);
  layer.sections_interleaved = !layer.sections.empty() && rope.flag("mrope_interleaved").value_or(false);
  layer.base = layer.frequencies.base;
  layer.inv_freq = layer.frequencies.inv_freq;
  layer.attention_factor = layer.frequencies.attention_factor;
  const double all_dim = rule.mscale_all_dim.value_or(0);
  if (shape.latent && rule.type == RopeType::yarn && all_dim != 0) {
    layer.softmax_factor = std::pow(position::yarn_mscale(rule.factor, all_dim), 2);
  }
  for (const auto& w : layer.frequencies.warnings) warnings.push_back({rope.path(w.field), w.message});
  add_traps(context, rope, layer, warnings);
  layer.name = std::move(layer_name);
  return layer;
}

}  // namespace orrery::model
