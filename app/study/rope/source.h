// The frequencies that a study of rotary positions is about: a published model's, or those of its own parameters.
#pragma once

#include <string>
#include <vector>

#include "app/study/rope/published.h"
#include "core/parameter/settings.h"
#include "core/position/rope_frequencies.h"

namespace orrery::study {

// The parameters that say it, for the lists of the studies.
inline constexpr parameter::Parameter model_parameter{
    .name = "model",
    .label = "Model",
    .kind = parameter::Kind::choice,
    .fallback = "own",
    .choices = own_or_published,
    .help = "a published one, or own: the base, width and length below",
    .model_fact = "name"};
inline constexpr parameter::Parameter base_parameter{
    .name = "base",
    .label = "Base",
    .kind = parameter::Kind::real,
    .fallback = "10000",
    .min = 10,
    .max = 1e9,
    .travel = parameter::Travel::log,
    .help = "b: a larger base makes the slow pairs slower; 10000 in the paper",
    .only_when = "model=own",
    .model_fact = "rope_theta"};
inline constexpr parameter::Parameter head_width_parameter{.name = "head_width",
                                                           .label = "Head width",
                                                           .kind = parameter::Kind::integer,
                                                           .fallback = "128",
                                                           .min = 4,
                                                           .max = 512,
                                                           .travel = parameter::Travel::powers_of_two,
                                                           .multiple = 2,
                                                           .help = "d: two dimensions make a pair",
                                                           .only_when = "model=own",
                                                           .model_fact = "rotary_dim"};
inline constexpr parameter::Parameter trained_length_parameter{.name = "trained_length",
                                                               .label = "Trained length",
                                                               .kind = parameter::Kind::integer,
                                                               .fallback = "4096",
                                                               .min = 16,
                                                               .max = 10485760,
                                                               .travel = parameter::Travel::powers_of_two,
                                                               .unit = "tokens",
                                                               .help = "L: the longest text of the training",
                                                               .only_when = "model=own",
                                                               .model_fact = "trained_length"};

/// The same declaration with another default.
constexpr parameter::Parameter with_fallback(parameter::Parameter p, std::string_view fallback) {
  p.fallback = fallback;
  return p;
}
/// The same declaration where other parameters say when it is read.
constexpr parameter::Parameter read_when(parameter::Parameter p, std::string_view condition) {
  p.only_when = condition;
  return p;
}
/// The same declaration in a study that has no choice of a model.
constexpr parameter::Parameter always_read(parameter::Parameter p) {
  return read_when(p, {});
}

/// One kind of layer.
struct Spectrum {
  std::string name;  ///< of the kind of layer, where a model has several; else empty
  position::RopeRule rule;
  std::vector<double> inv_freq;
  double attention_factor = 1;
  tensor::Index head_dim = 0;
  double trained_length = 0;  ///< tokens, before any extension
  double context = 0;         ///< tokens, the longest text that it is made for

  tensor::Index pairs() const { return std::ssize(inv_freq); }
};

/// Every kind of layer that turns at all; one for `own`, by the default rule. Reads the parameters above; a study that
/// asks for no trained length has none.
std::vector<Spectrum> spectra(const parameter::Settings&);

/// For sentences: "llama-3.1-8b", or "base 10 000, width 64".
std::string source_name(const parameter::Settings&);

}  // namespace orrery::study
