#include "app/study/rope/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/study/kit/numbers.h"
#include "app/study/kit/panels.h"
#include "core/tensor/random.h"

namespace orrery::study {

using position::RopeReading;
using position::RopeRule;
using position::RopeType;

namespace {

struct Known {
  std::string_view id, label;
  RopeType type;
  RopeReading reading = RopeReading::code;
};

constexpr std::array known{
    Known{"none", "unchanged", RopeType::standard},
    Known{"linear", "linear (PI)", RopeType::linear},
    Known{"ntk", "NTK", RopeType::ntk},
    Known{"dynamic", "dynamic NTK, code", RopeType::dynamic},
    Known{"dynamic_paper", "dynamic NTK, paper", RopeType::dynamic, RopeReading::paper},
    Known{"yarn", "YaRN, code", RopeType::yarn},
    Known{"yarn_paper", "YaRN, paper", RopeType::yarn, RopeReading::paper},
    Known{"llama3", "Llama 3", RopeType::llama3},
    Known{"proportional", "proportional", RopeType::proportional},
    Known{"resonance", "resonance", RopeType::resonance},
};

const Known& known_rule(std::string_view id) {
  for (const Known& each : known)
    if (each.id == id) return each;
  return known.front();
}

}  // namespace

Stretch stretch_of(const parameter::Settings& settings) {
  Stretch s;
  s.head_width = settings.integer("head_width");
  s.base = settings.real("base");
  if (has(settings, "trained_length")) s.trained = settings.real("trained_length");
  if (has(settings, "factor")) s.factor = settings.real("factor");
  if (!has(settings, "model") || settings.choice("model") == "own") return s;
  const Spectrum model = spectra(settings).front();
  s.head_width = model.rule.rotary_dim;
  s.base = model.rule.base;
  if (model.trained_length > 0) s.trained = model.trained_length, s.trained_by = trained_by_text(model);
  if (model.rule.factor > 1) s.factor = model.rule.factor;
  return s;
}

StretchedRule stretched_rule(std::string_view id, const Stretch& s) {
  const Known& each = known_rule(id);
  RopeRule rule;
  rule.type = each.type;
  rule.reading = each.reading;
  rule.rotary_dim = s.head_width;
  rule.base = s.base;
  rule.factor = each.type == RopeType::proportional ? 1 : s.factor;
  rule.original_length = rule.max_length = s.trained;
  rule.length = std::max(1.0, s.factor * s.trained);
  rule.partial = 0.25;  // Gemma 4's: a quarter of the pairs turns
  return {each.id, std::string(each.label), rule, rope_frequencies(rule)};
}

std::vector<StretchedRule> usual_rules(const Stretch& s) {
  std::vector<StretchedRule> rules;
  for (const char* id : {"linear", "ntk", "yarn", "yarn_paper", "llama3", "dynamic"})
    rules.push_back(stretched_rule(id, s));
  return rules;
}

std::vector<figure::Mark> trained_marks(double trained, double end, std::string text) {
  figure::Rule beyond{.at = trained, .to = end, .ink = ink(figure::Role::accent_ground)};
  figure::Rule edge{.at = trained, .ink = ink(figure::Role::accent), .text = std::move(text)};
  if (end <= trained) return {edge};
  return {beyond, edge};
}

std::vector<double> spread_distances(double end, int count) {
  std::vector<double> r(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) r[static_cast<std::size_t>(i)] = std::pow(end, i / (count - 1.0));
  r.back() = end;
  return r;
}

PairProducts random_products(std::size_t pairs, std::uint64_t seed) {
  const tensor::Random random(seed);
  PairProducts h;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::complex<double> q(random.normal(4 * i), random.normal(4 * i + 1));
    const std::complex<double> k(random.normal(4 * i + 2), random.normal(4 * i + 3));
    h.push_back(q * std::conj(k));
  }
  return h;
}

}  // namespace orrery::study
