// The frequencies that a study of rotary positions is about: a published model's, or those of its own parameters.
#pragma once

#include <string>
#include <vector>

#include "app/study/kit/declare.h"
#include "app/study/rope/published.h"
#include "core/parameter/settings.h"
#include "core/position/rope_frequencies.h"

namespace orrery::study {

// The parameters that say it, for the lists of the studies.
inline constexpr Parameter model_parameter =
    choice("model", "Model", own_or_published, "a published one, or own: the base, width and length below",
           {.model_fact = "name"});
inline constexpr Parameter base_parameter = real(
    "base", "Base", "10000", {10, 1e9}, "b: a larger base makes the slow pairs slower; 10000 in the paper",
    {.travel = Travel::log, .only_when = "model=own", .model_fact = "rope_theta"});
inline constexpr Parameter head_width_parameter = whole(
    "head_width", "Head width", "128", {4, 512}, "d: two dimensions make a pair",
    {.travel = Travel::powers_of_two, .multiple = 2, .only_when = "model=own", .model_fact = "rotary_dim"});
inline constexpr Parameter trained_length_parameter =
    whole("trained_length", "Trained length", "4096", {16, 10485760}, "L: the longest text of the training",
          {.travel = Travel::powers_of_two,
           .unit = "tokens",
           .only_when = "model=own",
           .model_fact = "trained_length"});

/// One kind of layer.
struct Spectrum {
  std::string name;  ///< of the kind of layer, where a model has several; else empty
  position::RopeRule rule;
  std::vector<double> inv_freq;
  double attention_factor = 1;
  tensor::Index head_dim = 0;
  double trained_length = 0;  ///< tokens that it has seen in training, before any extension: min(L, window)
  model::TrainedBy trained_by = model::TrainedBy::nobody;
  double window = 0;   ///< tokens; 0: the layer sees the whole text
  double context = 0;  ///< tokens, the longest text that it is made for

  /// The longest distance that the layer ever sees, in tokens.
  double reach() const { return window > 0 && context > window ? window : context; }

  /// As the base alone gives them: those of the training, before a rule changed them.
  std::vector<double> unscaled() const;
  tensor::Index pairs() const { return std::ssize(inv_freq); }
};

/// In a word, for a label: "original", "known", "$M/s$", "longest", "window"; empty for `own`, whose length is typed.
std::string trained_by_text(const Spectrum&);
/// "trained length 8 192 (original)": and who says so, but for `own`, whose length is typed.
std::string trained_text(const Spectrum&);

/// Every kind of layer that turns at all, those that see furthest first; one for `own`, by the default rule. Reads the
/// parameters above; a study that asks for no trained length has none.
std::vector<Spectrum> spectra(const parameter::Settings&);

}  // namespace orrery::study
