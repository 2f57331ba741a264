// The rules of context extension side by side: what several studies ask of a person, and the rules that answer.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/rope/source.h"
#include "core/parameter/settings.h"
#include "core/position/rope_frequencies.h"

namespace orrery::study {

/// Where a factor is asked for: of own numbers, and of the published models whose rule has none (a test goes through all).
inline constexpr std::string_view without_own_factor = "model=own|gemma-4-shape-v5|qwen2-vl-7b|smollm2-135m";

/// Declared once for the studies of longer texts; the others stand in source.h.
inline constexpr Parameter factor_parameter =
    real("factor", "Factor", "8", {1, 64}, "s: how many times longer than the trained length",
         {.travel = Travel::log, .only_when = without_own_factor, .model_fact = "factor"});

struct Stretch {
  tensor::Index head_width = 128;
  double base = 10000, trained = 4096, factor = 8;
  std::string trained_by = {};  ///< who says the trained length of a published model: trained_by_text
};
/// A published model's, where the study has that choice and one is chosen: its width, base and trained length, and its
/// factor when its rule has one. Else, and for the rest, the study's own parameters, as far as it declares them.
Stretch stretch_of(const parameter::Settings&);

struct StretchedRule {
  std::string_view id;  ///< as a choice is typed
  std::string label;    ///< in a legend
  position::RopeRule rule;
  position::RopeFrequencies rope;
};

inline constexpr std::string_view stretched_rules =
    "linear|ntk|dynamic|dynamic_paper|yarn|yarn_paper|llama3|proportional|resonance";

/// One of stretched_rules, or "none", with the numbers that its authors give and everything else as asked.
StretchedRule stretched_rule(std::string_view id, const Stretch&);
/// Six that differ, in the order of the colours: what a figure has room for.
std::vector<StretchedRule> usual_rules(const Stretch&);

/// The trained length on an axis of distances up to `end`: a dashed line, and beyond it the ground of the unseen.
std::vector<figure::Mark> trained_marks(double trained, double end, std::string text);

/// `count` distances from 1 to `end`, evenly spread on a log axis.
std::vector<double> spread_distances(double end, int count);

/// Of a query and a key, pair by pair: the product of the one and the other's conjugate, as a rotation by distance sees it.
using PairProducts = std::vector<std::complex<double>>;
/// Of independent normal components.
PairProducts random_products(std::size_t pairs, std::uint64_t seed);

}  // namespace orrery::study
