#include "app/study/rope/source.h"

#include <algorithm>

#include "app/study/kit/numbers.h"
#include "app/study/text.h"

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

std::vector<double> Spectrum::unscaled() const {
  position::RopeRule plain = rule;
  if (plain.type != position::RopeType::proportional) plain.type = position::RopeType::standard;
  plain.factor = 1;
  return position::rope_frequencies(plain).inv_freq;
}

std::string trained_by_text(const Spectrum& s) {
  if (s.window > 0 && s.trained_length == s.window) return "window";
  switch (s.trained_by) {
    case model::TrainedBy::original:
      return "original";
    case model::TrainedBy::known:
      return "known";
    case model::TrainedBy::linear:
      return "$M/s$";
    case model::TrainedBy::longest:
      return "longest";
    case model::TrainedBy::nobody:
      break;
  }
  return "";
}

std::string trained_text(const Spectrum& s) {
  const std::string text = "trained length " + grouped(s.trained_length), by = trained_by_text(s);
  return by.empty() ? text : text + " (" + by + ")";
}

std::vector<Spectrum> spectra(const Settings& settings) {
  if (is_own(settings)) return {own_spectrum(settings)};
  const model::RopeConfig config = published_model(settings.choice("model"));
  std::vector<Spectrum> all;
  for (const model::RopeLayer& layer : config.layers) {
    if (layer.inv_freq.empty()) continue;  // layers without positions
    const position::RopeRule& rule = layer.rule;
    for (const model::RopeSpan& span : layer.spans) {
      all.push_back(
          {.name = layer.spans.size() > 1 || config.layers.size() > 1 ? spoken(span.name) : std::string(),
           .rule = rule,
           .inv_freq = layer.inv_freq,
           .attention_factor = layer.attention_factor,
           .head_dim = layer.head_dim,
           .trained_length = config.trained.seen(span.window),
           .trained_by = config.trained.by,
           .window = span.window,
           .context = rule.max_length});
    }
  }
  if (all.size() == 1) all.front().name.clear();
  std::ranges::stable_sort(all, {}, [](const Spectrum& s) { return s.window > 0; });
  return all;
}

}  // namespace orrery::study
