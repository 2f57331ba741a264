#include "app/study/rope/source.h"

#include <algorithm>

#include "app/study/kit/numbers.h"

namespace orrery::study {
namespace {

using parameter::Settings;

bool is_own(const Settings& settings) {
  return settings.choice("model") == "own";
}

Spectrum own_spectrum(const Settings& settings) {
  Spectrum own;
  own.rule.rotary_dim = own.head_dim = settings.integer("head_width");
  own.rule.base = settings.real("base");
  own.inv_freq = position::rope_frequencies(own.rule).inv_freq;
  if (has(settings, "trained_length")) own.trained_length = own.context = settings.real("trained_length");
  return own;
}

/// "full_attention" is said "full attention".
std::string spoken(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

}  // namespace

std::vector<Spectrum> spectra(const Settings& settings) {
  if (is_own(settings)) return {own_spectrum(settings)};
  const model::RopeConfig config = published_model(settings.choice("model"));
  std::vector<Spectrum> all;
  for (const model::RopeLayer& layer : config.layers) {
    if (layer.inv_freq.empty()) continue;  // layers without positions
    const position::RopeRule& rule = layer.rule;
    all.push_back({.name = config.layers.size() > 1 ? spoken(layer.name) : std::string(),
                   .rule = rule,
                   .inv_freq = layer.inv_freq,
                   .attention_factor = layer.attention_factor,
                   .head_dim = layer.head_dim,
                   .trained_length = rule.original_length > 0 ? rule.original_length : rule.max_length,
                   .context = rule.max_length});
  }
  return all;
}

}  // namespace orrery::study
