#include "core/model/rope_layer.h"

#include <cmath>
#include <numeric>
#include <string_view>

#include "core/model/head_shape.h"
#include "core/model/pairing.h"
#include "core/model/rope_traps.h"
#include "core/model/rule_fields.h"
#include "core/model/score_scale.h"
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
  if (type == "mrope" || type == "xdrope" || type == "no_scaling") return "default";
  if (type == "deepseek_yarn") return "yarn";
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

/// How many pairs belong to each axis of a position in time, height and width.
std::vector<int> sections_of(Fields& rope, tensor::Index pairs, Warnings& warnings) {
  const char* const key = rope.has("mrope_section") ? "mrope_section" : "xdrope_section";
  const auto numbers = rope.numbers(key);
  if (!numbers) return {};
  std::vector<int> sections;
  for (const double n : *numbers) {
    if (!(n >= 0 && n <= 65536 && std::floor(n) == n)) {
      const std::string found = position::rules::text(n);
      rope.fail(
          key,
          Complaint().found(found).fault("{}", found).allowed("whole numbers of pairs, {} to {}", 0, 65536));
    }
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
  layer.layout = pairing_of(context, warnings);

  RopeRule& rule = layer.rule;
  rule.type = *position::rope_type_from_name(layer.rope_type);
  rule.base = base_of(context, rope, layer_name, base, warnings);
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
      head_shape(context, layer_name, whole_head ? std::optional(1.0) : partial, warnings);
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
  if (layer.rope_type == "default") layer.rope_type = name(rule.type);  // a key at the top may stretch it
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
  layer.rotary_last = shape.latent;
  layer.softmax_factor = score_scale(context, rule, shape, warnings);
  for (const auto& w : layer.frequencies.warnings) warnings.push_back({rope.path(w.field), w.message});
  add_traps(context, rope, layer, warnings);
  layer.name = std::move(layer_name);
  return layer;
}

}  // namespace orrery::model
