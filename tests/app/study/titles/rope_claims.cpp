// What the studies of rotary positions say in their titles, looked up in their tables.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/study/rope/rules.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study::titles {
namespace rope_claims {
namespace {

double sum(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

/// Frequencies fall from pair to pair under every rule.
bool rotation(const Said& said) {
  const auto part = said.as("Each pair turns at its own speed: at position {}, {} of {} {} gone round");
  const auto& turns = said.column("pairs", "turns");
  return part && says((*part)[0], said.settings.real("position")) &&
         says((*part)[1],
              static_cast<double>(std::ranges::count_if(turns, [](double t) { return t >= 1; }))) &&
         says((*part)[2], static_cast<double>(turns.size())) &&
         counts((*part)[1], (*part)[3], "has", "have") &&
         std::ranges::is_sorted(said.column("pairs", "frequency"), std::ranges::greater_equal());
}

/// "64 MiB in f32 for 131 072 positions".
bool cache_size(const Said& said, std::string_view pattern) {
  const auto part = said.as(pattern);
  if (!part) return false;
  const std::string& format = (*part)[2];
  double unit = 1;
  for (const char* each : {"bytes", "KiB", "MiB", "GiB"}) {
    if ((*part)[1] == each) break;
    unit *= 1024;
  }
  const double bytes =
      said.column("cache", format == "f16" || format == "bf16" ? "f16, bf16" : format).front();
  return format == said.settings.choice("stored") && says((*part)[0], bytes / unit, 3) &&
         says((*part)[3], said.column("cache", "positions").front());
}

bool angles(const Said& said) {
  return cache_size(said, "One table of cosines and sines: {} {} in {} for {} positions");
}

bool wavelengths(const Said& said) {
  const auto &pairs = said.column("layers", "pairs"),
             &round = said.column("layers", "come round in training"),
             &trained = said.column("layers", "trained length");
  const double all = sum(pairs), partly = all - sum(round);
  if (pairs.size() == 1) {
    if (const auto part = said.as("All {} pairs come round within the {} tokens of training"))
      return partly == 0 && says((*part)[0], all) && says((*part)[1], trained[0]);
    const auto part = said.as("{} of {} pairs {} not come round within the {} tokens of training");
    return part && partly > 0 && says((*part)[0], partly) && says((*part)[1], all) &&
           counts((*part)[0], (*part)[2], "does", "do") && says((*part)[3], trained[0]);
  }
  if (const auto part = said.as("All {} pairs in {} kinds of layers come round in training"))
    return partly == 0 && says((*part)[0], all) && says((*part)[1], std::ssize(pairs));
  const auto part = said.as("{} of {} pairs in {} kinds of layers {} not come round in training");
  return part && partly > 0 && says((*part)[0], partly) && says((*part)[1], all) &&
         says((*part)[2], std::ssize(pairs)) && counts((*part)[0], (*part)[3], "does", "do");
}

bool relative(const Said& said) {
  const auto part = said.as("At distance {} a score is off by up to {} of $|q||k|$ in bf16, {} in f32");
  if (!part) return false;
  const auto& error = said.column("spread", "largest error");  // f64, f32, f16, bf16
  for (const char* format : {"bf16", "f32"})                   // both say something of every position
    if (said.column(std::string("scores_") + format, "position of the key").back() !=
        said.settings.real("longest"))
      return false;
  return says((*part)[0], said.settings.real("distance")) && says((*part)[1], error[3], 2) &&
         says((*part)[2], error[1], 2);
}

bool relative_heading(const Said& said) {
  const auto part = said.as("Score at distance {}, lowest to highest");
  return part && says((*part)[0], said.settings.real("distance"));
}

bool cache_offset(const Said& said) {
  if (said.column("steps", "weight that went elsewhere").back() == 0)
    return said.is("This mistake leaves the weights of the last token as they are");
  const auto part = said.as("By mistake the last token gives {} % of its weight to other keys");
  return part && says((*part)[0], 100 * said.column("steps", "weight that went elsewhere").back(), 2);
}

constexpr const char* conventions[] = {"interleaved",  "half",        "half, permuted", "partial",
                                       "proportional", "mixed table", "mixed sides"};

/// As it is typed: "half, permuted" is half_permuted.
std::string typed(std::string convention) {
  std::erase(convention, ',');
  std::ranges::replace(convention, ' ', '_');
  return convention;
}

bool layout(const Said& said) {
  const auto& relative = said.column("verdicts", "relative");
  const std::string& shown = said.settings.choice("show");
  const std::vector<double>& keys = said.settings.vector("keys");
  if (std::ranges::count(keys, keys.front()) == std::ssize(keys))
    return said.is("With all keys at one place nothing tells whether a score is relative");
  std::string torn;
  for (std::size_t k = 0; k < relative.size(); ++k) {
    if (shown == typed(conventions[k]))
      return said.is(std::string(conventions[k]) + (relative[k] == 1
                                                        ? ": a score knows the distance only"
                                                        : ": a score knows where the tokens stand"));
    if (relative[k] == 0) torn += (torn.empty() ? "" : " and ") + std::string(conventions[k]);
  }
  if (torn.empty()) return said.is("7 of 7 conventions give relative scores");
  const auto part = said.as("{} of 7 conventions give relative scores, all but {}");
  return part && says((*part)[0], sum(relative)) && (*part)[1] == torn;
}

bool layout_heading(const Said& said) {
  // 16 pairs at most are drawn of a head's half.
  const double step = std::ceil(said.settings.real("head_width") / 2 / 16);
  for (const char* pattern :
       {"Columns that meet; one pair in {} is drawn", "Which columns meet: {}; one pair in {} is drawn"})
    if (const auto part = said.as(pattern)) return step > 1 && says(part->back(), step);
  const auto part = said.as("Score by distance: {}, spread {}");
  if (!part) return false;
  const auto &relative = said.column("verdicts", "relative"), &spread = said.column("verdicts", "spread");
  for (std::size_t k = 0; k < relative.size(); ++k) {
    if (said.settings.choice("show") == typed(conventions[k]))
      return (*part)[0] == (relative[k] == 1 ? "relative" : "not relative") && says((*part)[1], spread[k], 2);
  }
  return false;
}

bool precision(const Said& said) {
  const double all = said.column("counts", "positions")[0],
               none = said.column("counts", "without an angle")[0],
               rows = said.column("counts", "distinct")[0];
  const auto without = [&](const std::string& number, const std::string& rest) {
    return says(number, none) && none > 0 &&
           counts(number, rest, "position has no angle", "positions have no angle");
  };
  const auto with = [&](const std::vector<std::string>& part) {
    return says(part[0], all - none) && counts(part[0], part[1], "position falls", "positions fall") &&
           says(part[2], rows) && counts(part[2], part[3], "row", "rows");
  };
  if (all == none) {
    const auto part = said.as("{} position{}");
    return part && without((*part)[0], "position" + (*part)[1]);
  }
  if (none == 0) {
    const auto part = said.as("{} position{} on {} {} of angles");
    return part && with({(*part)[0], "position" + (*part)[1], (*part)[2], (*part)[3]});
  }
  const auto part = said.as("{} position{} on {} {} of angles; {} position{}");
  return part && with({(*part)[0], "position" + (*part)[1], (*part)[2], (*part)[3]}) &&
         without((*part)[4], "position" + (*part)[5]);
}

bool precision_heading(const Said& said) {
  const double none = said.column("counts", "without an angle")[0];
  const auto part = said.as("{} position{}, {} {}");
  return part && says((*part)[0], said.column("counts", "positions")[0] - none) &&
         (none == 0 ? counts((*part)[0], (*part)[1], "", "s")
                    : counts((*part)[0], (*part)[1], " with an angle", "s with an angle")) &&
         says((*part)[2], said.column("counts", "distinct")[0]) &&
         counts((*part)[2], (*part)[3], "row", "rows");
}

/// How each pair was changed, counted again from the frequencies themselves.
bool scaling(const Said& said) {
  const auto head = said.as("Of {} pairs under {}: {}");
  if (!head) return false;
  const auto &plain = said.column("frequencies", "unchanged"), &now = said.column("frequencies", (*head)[1]);
  if (!says((*head)[0], std::ssize(plain))) return false;
  double kept = 0, changed = 0, divided = 0, still = 0;
  const double factor = stretch_of(said.settings).factor;
  std::string rest = (*head)[2] + ", ";
  std::string said_kept = "0", said_changed = "0", said_divided = "0", said_still = "0";
  for (std::size_t at; (at = rest.find(", ")) != rest.npos; rest.erase(0, at + 2)) {
    const Said clause{said.study, said.settings, said.result, rest.substr(0, at)};
    if (const auto part = clause.as("{} kept"))
      said_kept = (*part)[0];
    else if (const auto other = clause.as("{} changed"))
      said_changed = (*other)[0];
    else if (const auto by = clause.as("{} divided by {}"))
      said_divided = says((*by)[1], factor) ? (*by)[0] : "wrong";
    else if (const auto none = clause.as("{} standing still"))
      said_still = (*none)[0];
    else
      return false;
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double ratio = now[i] / plain[i];
    if (ratio == 0)
      ++still;
    else if (std::abs(ratio - 1) < 1e-11)
      ++kept;
    else if (std::abs(ratio * factor - 1) < 1e-11)
      ++divided;
    else
      ++changed;
  }
  return says(said_kept, kept) && says(said_changed, changed) && says(said_divided, divided) &&
         says(said_still, still);
}

/// Whether any other reading is drawn.
bool model(const Said& said) {
  const StudyResult all = said.with("show", "all");
  double lines = 0, panels = 0;
  for (const figure::Panel& panel : all.figure.panels) {
    double here = 0;
    for (const figure::Mark& mark : panel.marks) here += std::holds_alternative<figure::Line>(mark);
    lines += here;
    panels += here > 0;
  }
  const std::string file = said.settings.file("config").empty()
                               ? "the file of " + said.settings.choice("model")
                               : std::string("the file");
  if (said.is("What positions " + file + " means is not known"))  // then no row has a rotary width either
    return said.result.tables.size() == 1 && !said.settings.file("config").empty();
  if (said.result.tables.size() == 1) return said.is("By " + file + " no layer has rotary positions");
  return said.is("What " + file + " says" + (lines > panels ? ", and how else it is read" : ""));
}

bool identify(const Said& said) {
  const auto& fits = said.column("fits", "fits");
  const double give = sum(fits), numbers = std::ssize(said.column("residuals", "pair"));
  const auto part = said.as("{} of {} {} compared {} these {} frequencies");
  if (!part) return false;
  return (give == 0 ? (*part)[0] == "None" : says((*part)[0], give)) && says((*part)[1], std::ssize(fits)) &&
         counts((*part)[1], (*part)[2], "rule", "rules") && (*part)[3] == (give > 1 ? "give" : "gives") &&
         says((*part)[4], numbers);
}

const Entries entries{{"rope/rotation", rotation},
                      {"rope/angles", angles},
                      {"rope/wavelengths", wavelengths},
                      {"rope/relative", relative, relative_heading},
                      {"rope/cache-offset", cache_offset},
                      {"rope/layout", layout, layout_heading},
                      {"rope/precision", precision, precision_heading},
                      {"rope/scaling", scaling},
                      {"rope/model", model},
                      {"rope/identify", identify}};

}  // namespace
}  // namespace rope_claims

}  // namespace orrery::study::titles
