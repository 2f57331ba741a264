#include "core/model/score_scale.h"

#include <cmath>

#include "core/model/class_defaults.h"
#include "core/model/said_defaults.h"
#include "core/position/rope_rules.h"

namespace orrery::model {
namespace {

using Warnings = std::vector<position::RopeWarning>;

/// The file's number, or the class's where the file is silent; 0: neither has one.
double positive(RopeContext& context, std::string_view key, double by_class, Warnings& warnings) {
  if (const auto found = context.top.number(key)) {
    if (!(*found > 0)) {
      const std::string text = position::rules::text(*found);
      context.top.fail(key, Complaint().found(text).fault("{}", text).allowed("a number above {}", 0));
    }
    return *found;
  }
  if (by_class > 0) warnings.push_back(assumed(key, by_class, context));
  return by_class;
}

double positive_or_one(RopeContext& context, std::string_view key, Warnings& warnings) {
  return context.top.has(key) ? positive(context, key, 1, warnings) : 1;
}

}  // namespace

double score_scale(RopeContext& context, const position::RopeRule& rule, const HeadShape& shape,
                   Warnings& warnings) {
  const double root = std::sqrt(static_cast<double>(shape.head_dim)),
               all_dim = rule.mscale_all_dim.value_or(0);
  const ClassDefaults* defaults = context.defaults;
  double scale = 1;
  if (shape.latent && rule.type == position::RopeType::yarn && all_dim != 0)
    scale = std::pow(position::yarn_mscale(rule.factor, all_dim), 2);
  const double multiplier = positive(context, "attention_multiplier",
                                     defaults != nullptr ? defaults->multiplier : 0, warnings),
               scalar = positive(context, "query_pre_attn_scalar",
                                 defaults != nullptr ? defaults->query_scalar : 0, warnings),
               given = positive(context, "softmax_scale", 0, warnings);
  if (multiplier > 0) scale *= multiplier * root;
  if (defaults != nullptr && defaults->unscaled) {
    warnings.push_back(
        {"query_pre_attn_scalar",
         "not used: this model normalises queries and keys, and divides their scores by nothing"});
    return scale * root;
  }
  if (context.model_type == "phi3small" && context.top.flag("mup_use_scaling").value_or(false))
    scale *= context.top.number("mup_attn_multiplier").value_or(1) / root;
  if (context.model_type == "zamba2") scale *= std::sqrt(2.0);
  if (context.model_type == "falcon_h1") scale *= positive_or_one(context, "key_multiplier", warnings);
  if (given > 0) scale *= given * root;
  if (scalar > 0 && scalar != static_cast<double>(shape.head_dim)) scale *= root / std::sqrt(scalar);
  return scale;
}

}  // namespace orrery::model
