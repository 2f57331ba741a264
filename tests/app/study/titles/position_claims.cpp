// What the studies of absolute and additive positions say in their titles, looked up in their tables.
#include <algorithm>
#include <cmath>

#include "tests/app/study/titles/said.h"

namespace orrery::study::titles {
namespace position_claims {
namespace {

double most(const std::vector<double>& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::abs(each));
  return most;
}

bool sinusoidal(const Said& said) {
  const std::string& shown = said.settings.choice("show");
  if (shown == "layouts")  // no claim but of three tables, and the panel of their speeds below
    return said.is("One idea, three tables") && said.result.figure.panels.size() == 4;
  if (shown == "example")
    return said.is("Four dimensions, digit by digit") &&
           said.column("worked_example", "dimension").size() == 4;
  if (shown == "table")  // in turn: so the paper's layout has them, and fairseq and tensor2tensor do not
    return said.is(said.settings.choice("layout") == "paper"
                       ? "A row of the table for each position: sines and cosines in turn"
                       : "A row of the table for each position: all sines, then all cosines");
  const auto& wavelength = said.column("frequencies", "wavelength");
  if (wavelength.size() == 1) {
    const auto part = said.as("Positions as one wave, {} tokens long");
    return part && says((*part)[0], wavelength[0], 3);
  }
  const auto part = said.as("Positions as {} waves, from {} to {} tokens long");
  return part && says((*part)[0], std::ssize(wavelength)) &&
         says((*part)[1], std::ranges::min(wavelength), 3) &&
         says((*part)[2], std::ranges::max(wavelength), 3);
}

bool sinusoidal_heading(const Said& said) {
  if (said.is("fairseq, from 2")) return true;  // its own first row, whatever the settings
  const auto part = said.as("$d = 4$, position {}");
  return part && says((*part)[0], said.settings.real("position"));
}

/// True of sines and cosines whatever the settings: what is left is rounding.
bool dot_product(const Said& said) {
  return said.is("The product of two rows depends on how far apart they are, and not on where") &&
         most(said.column("dot_products", "spread over places")) < 4e-6 * said.settings.real("width");
}

bool shift(const Said& said) {
  const auto part = said.as("A step of {} {} is the same rotation wherever it begins");
  return part && says((*part)[0], said.settings.real("shift")) &&
         counts((*part)[0], (*part)[1], "token", "tokens") && most(said.column("rows", "difference")) < 1e-5;
}

bool shift_heading(const Said& said) {
  return said.is("The first 32 pairs") && said.column("rotation", "pair").size() > 32;
}

bool sum(const Said& said) {
  const auto& ratio = said.column("ratio", "position over word");
  const auto part = said.as("Position is {} times as long as the word; with $\\sqrt{d}$, {} times");
  return part && says((*part)[0], ratio[0], 2) && says((*part)[1], ratio[1], 2);
}

bool alibi(const Said& said) {
  const auto& distance = said.column("slopes", "mean distance");
  const auto is_farthest = [&](const std::string& number, const std::string& noun) {
    return says(number, std::ranges::max(distance), 2) && counts(number, noun, "token", "tokens");
  };
  if (distance.size() == 1) {
    const auto part = said.as("The one head looks {} {} away on average");
    return part && is_farthest((*part)[0], (*part)[1]);
  }
  const auto part = said.as("{} heads look between {} and {} {} away on average");
  return part && says((*part)[0], std::ssize(distance)) && says((*part)[1], std::ranges::min(distance), 2) &&
         is_farthest((*part)[2], (*part)[3]);
}

/// D is more than half the buckets of a side.
bool t5_heading(const Said& said) {
  const auto part = said.as("Bucket by distance; $D$ raised from {} to {}");
  const double side = said.settings.real("buckets") / (said.settings.choice("direction") == "causal" ? 1 : 2);
  const double asked = said.settings.real("max_distance"), least = std::floor(side / 2) + 1;
  return part && asked < least && says((*part)[0], asked) && says((*part)[1], least);
}

bool t5(const Said& said) {
  const auto &first = said.column("buckets", "first distance"),
             &widths = said.column("buckets", "distances up to 2 D");
  // The widths once more, from where each bucket begins.
  std::size_t alone = 0;
  double widest = 0;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    if (first[i + 1] - first[i] != widths[i]) return false;
    if (first[i + 1] == static_cast<double>(i + 1)) alone = i + 1;
    widest = std::max(widest, first[i + 1] - first[i]);
  }
  std::string rest = said.text;
  const std::string_view one = "The nearest key has a bucket of its own";
  if (alone == 1) {
    if (!rest.starts_with(one)) return false;
    rest.erase(0, one.size());
  } else {
    const auto part = said.as("The nearest {} keys have a bucket each{} all share the last");
    if (!part || !says((*part)[0], static_cast<double>(alone))) return false;
    rest = (*part)[1] + " all share the last";
  }
  const bool between = first.back() > static_cast<double>(alone);
  Said clause{said.study, said.settings, said.result, rest};
  if (between) {
    const auto part = clause.as(", then up to {} share one; from distance {} on all share the last");
    return part && says((*part)[0], widest) && says((*part)[1], first.back());
  }
  const auto part = clause.as("; from distance {} on all share the last");
  return part && says((*part)[0], first.back());
}

/// Far is less than near for each of them, whatever they have learned.
bool bias_compare(const Said& said) {
  const figure::Table& bias = said.table("bias");
  return said.is("Six ways to say that far is less") && bias.columns.size() == 1 + 6 &&
         std::all_of(bias.columns.begin() + 1, bias.columns.end(),
                     [](const figure::Column& each) { return each.values.back() < each.values.front(); });
}

/// Where half of the attention lies, between the drawn distances of the same table; and what its words say of T5 past the
/// trained length.
bool compare(const Said& said) {
  const auto &scheme = said.column("halves", "scheme"), &position = said.column("halves", "position"),
             &halves = said.column("halves", "half within");
  const auto &least = said.column("schemes", "score past L, least"),
             &most = said.column("schemes", "score past L, most");
  bool level_is_so = true;
  for (const figure::Panel& panel : said.result.figure.panels)
    for (const figure::Mark& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark); note && note->text == "stays level")
        level_is_so = std::abs(most[4] - least[4]) < 1e-9;
  if (said.is("What each scheme is")) return least.size() == 6 && level_is_so;
  const auto& distance = said.column("within_longer", "distance");
  std::vector<double> half(6, -1);
  for (std::size_t i = 0; i < scheme.size(); ++i)
    if (position[i] == distance.back()) half[static_cast<std::size_t>(scheme[i]) - 1] = halves[i];
  const auto is_half = [&](const char* name, double where) {
    const auto& within = said.column("within_longer", name);
    for (std::size_t i = 0; i < distance.size(); ++i)
      if ((within[i] >= 0.5) != (distance[i] >= where)) return false;
    return true;
  };
  const auto part = said.as(
      "At position {} half of the attention lies within distance {} for ALiBi, {} for RoPE, {} without a "
      "scheme");
  return part && says((*part)[0], distance.back()) && says((*part)[1], half[3]) &&
         is_half("ALiBi", half[3]) && says((*part)[2], half[2]) && is_half("RoPE", half[2]) &&
         says((*part)[3], half[5]) && is_half("none", half[5]);
}

const Entries entries{{"position/sinusoidal", sinusoidal, sinusoidal_heading},
                      {"position/dot-product", dot_product},
                      {"position/shift", shift, shift_heading},
                      {"position/sum", sum},
                      {"position/alibi", alibi},
                      {"position/t5", t5, t5_heading},
                      {"position/bias-compare", bias_compare},
                      {"position/compare", compare}};

}  // namespace
}  // namespace position_claims

}  // namespace orrery::study::titles
