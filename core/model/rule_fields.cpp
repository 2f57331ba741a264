#include "core/model/rule_fields.h"

#include <cmath>
#include <string_view>

#include "core/model/class_defaults.h"
#include "core/model/longest_length.h"
#include "core/model/said_defaults.h"
#include "core/position/rope_rules.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using position::RopeRule;
using position::RopeType;
using Warnings = std::vector<position::RopeWarning>;

/// A class's default may have changed with the library's version, which the file says, or shows by its dictionary.
double assumed_base(const RopeContext& context, bool local, Warnings& warnings) {
  const ClassDefaults* defaults = context.defaults;
  double base = 10000;
  if (defaults != nullptr) {
    base = local                                         ? defaults->local_base
           : context.version_5 && defaults->base_v5 != 0 ? defaults->base_v5
                                                         : defaults->base;
  }
  warnings.push_back(assumed("rope_theta", base, context));
  return base;
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

/// M. A class's own where the file has none, whether or not the rule asks for it: the model is shown as made for it.
std::optional<double> longest_of(RopeContext& context, Warnings& warnings) {
  const LongestLength longest = longest_length(context.top, context.defaults);
  if (longest.by_class()) warnings.push_back(assumed("max_position_embeddings", longest.tokens, context));
  return longest.tokens > 0 ? std::optional(longest.tokens) : std::nullopt;
}

/// Qwen's first generation: the base grows with the text, by alpha^(R/(R − 2)), alpha = 2^⌈log2(n/L) + 1⌉ − 1.
void grow_as_qwen(RopeContext& context, RopeRule& rule, Warnings& warnings) {
  const double trained = context.top.number("seq_length").value_or(rule.max_length);
  const std::string beyond = " beyond " + position::rules::text(trained) + " tokens";
  if (context.top.flag("use_logn_attn").value_or(false)) {
    warnings.push_back({"use_logn_attn", "queries are multiplied by the logarithm of the length" + beyond +
                                             "; it is not part of these frequencies"});
  }
  if (!context.top.flag("use_dynamic_ntk").value_or(false)) return;
  warnings.push_back({"use_dynamic_ntk", "the base grows with the text, in steps," + beyond});
  if (!(trained > 0) || rule.length <= trained) return;
  rule.type = RopeType::ntk;
  rule.factor = std::exp2(std::ceil(std::log2(rule.length / trained) + 1)) - 1;
}

/// Nomic BERT: a dynamic rule that counts from the length it was trained on, where the file gives a factor.
void grow_as_nomic(RopeContext& context, RopeRule& rule) {
  const auto trained = context.top.number("max_trained_positions"),
             factor = context.top.number("rotary_scaling_factor");
  if (!factor || *factor == 0 || !trained) return;
  rule.type = RopeType::dynamic;
  rule.factor = *factor;
  rule.max_length = *trained;
}

/// Alibaba's GTE: the base grows by s, and every pair is divided by s^(2/R) besides: pair i by s^(2(i + 1)/R), so
/// that the slowest has the whole factor and the fastest some of it too.
void divide_as_gte(RopeRule& rule, Warnings& warnings, const Fields& rope) {
  std::vector<double> divisors;
  for (tensor::Index i = 1; i <= rule.rotary_dim / 2; ++i)
    divisors.push_back(
        std::pow(rule.factor, 2.0 * static_cast<double>(i) / static_cast<double>(rule.rotary_dim)));
  rule.type = RopeType::longrope;
  rule.short_factor = rule.long_factor = std::move(divisors);
  rule.original_length = rule.max_length;
  rule.attention_factor = 1;
  warnings.push_back(
      {rope.path("type"), "GTE's rule: pair i is divided by factor^(2(i + 1)/R), the fastest pair too"});
}

/// Phi-3-small writes an attention factor for each of its lists.
void read_list_scales(Fields& rope, RopeRule& rule) {
  const auto brief = rope.number("short_mscale"), extended = rope.number("long_mscale");
  if (rule.attention_factor) return;
  rule.attention_factor = rule.length > rule.original_length ? extended : brief;
}

}  // namespace

double base_of(RopeContext& context, Fields& rope, std::string_view layer_name,
               std::optional<double> layer_base, Warnings& warnings) {
  const auto own = rope.number("rope_theta");
  const auto general =
      context.top.number({"rope_theta", "rotary_emb_base", "rope_embedding_base", "rope_base", "rotary_base",
                          "rope_freq_base", "rope_freq_constant"});
  const auto ratio = context.top.number("rope_ratio");
  if (own && general && *own != *general && !context.nested) {
    warnings.push_back(
        {rope.path("rope_theta"), "is not the rope_theta beside it; the one in the dictionary counts"});
  }
  if (own) return *own;
  if (layer_base) return *layer_base;
  const bool local = context.nested && layer_name == "sliding_attention" && context.defaults != nullptr &&
                     context.defaults->local_base > 0;
  const double base = general && !local ? *general : assumed_base(context, local, warnings);
  if (!ratio) return base;
  warnings.push_back({"rope_ratio", "multiplies the base, " + position::rules::text(base)});
  return base * *ratio;
}

void read_rule(RopeContext& context, Fields& rope, RopeRule& rule, Warnings& warnings) {
  const std::optional<double> longest = longest_of(context, warnings);
  const std::string_view type = name(rule.type);
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
      if (context.model_type == "qwen") grow_as_qwen(context, rule, warnings);
      if (context.model_type == "nomic_bert") grow_as_nomic(context, rule);
      if (const auto scale = context.top.number("rope_position_scale"); scale && *scale != 1) {
        rule.type = RopeType::linear;  // Phi-3-small's name for it
        rule.factor = *scale;
      }
      break;
    case RopeType::linear:
    case RopeType::ntk:
      rule.factor = required(rope, "factor", type);
      if (rule.type == RopeType::ntk && context.model_type == "new") divide_as_gte(rule, warnings, rope);
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
      read_list_scales(rope, rule);
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

}  // namespace orrery::model
