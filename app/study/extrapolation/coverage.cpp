// For every pair: the arc of its circle that training has shown, and what a longer text adds, under each rule.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/position/rope_coverage.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using position::ArcCoverage;

constexpr std::string_view parts = "all|rings|arcs";
constexpr std::string_view ring_rules =
    "none|linear|ntk|dynamic|yarn|yarn_paper|llama3|proportional|resonance";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    trained_length_parameter,
    factor_parameter,
    {.name = "rule",
     .label = "Rings of",
     .kind = Kind::choice,
     .fallback = "none",
     .choices = ring_rules,
     .help = "the rule whose circles are drawn, one ring for each pair",
     .model_fact = "rule"},
    show_parameter(parts),
});

struct Covered {
  StretchedRule rule;
  std::vector<ArcCoverage> arcs;
};

Covered covered(StretchedRule rule, const StretchedRule& plain, const Stretch& s) {
  std::vector<ArcCoverage> arcs;
  for (std::size_t i = 0; i < rule.rope.inv_freq.size(); ++i)
    arcs.push_back(position::arc_coverage(plain.rope.inv_freq[i], s.trained, rule.rope.inv_freq[i],
                                          s.factor * s.trained));
  return {std::move(rule), std::move(arcs)};
}

/// Rings from the slowest pair, innermost, to the fastest; nothing but a hole where there would be no room to see.
class Rings {
 public:
  explicit Rings(std::size_t rings) : step_(0.78 / static_cast<double>(std::max<std::size_t>(rings, 6))) {}
  double radius(std::size_t ring) const { return 1 - step_ * (static_cast<double>(ring) + 0.5); }
  double step() const { return step_; }

 private:
  double step_;
};

/// An arc as a ribbon between two radii, from and to in parts of a turn, clockwise from the top as clocks go.
figure::Shape ribbon(double inner, double outer, double from, double to, figure::Ink ink) {
  figure::Shape shape;
  shape.fill = ink;
  const int steps = std::max(2, static_cast<int>(std::ceil(120 * (to - from))));
  const auto add = [&](double radius, double turn) {
    const double angle = std::numbers::pi / 2 - 2 * std::numbers::pi * turn;
    shape.x.push_back(radius * std::cos(angle));
    shape.y.push_back(radius * std::sin(angle));
  };
  for (int i = 0; i <= steps; ++i) add(outer, from + (to - from) * i / steps);
  for (int i = steps; i >= 0; --i) add(inner, from + (to - from) * i / steps);
  return shape;
}

const figure::Ink seen_ink{figure::Role::faint, 0, 0.5}, fresh_ink{figure::Role::accent, 0, 1};

figure::Panel ring_panel(const Covered& c) {
  figure::Panel panel;
  panel.title = "Slow pairs, " + c.rule.label;
  panel.x = {.range = figure::Range{-1.05, 1.05}, .visible = false};
  panel.y = {.range = figure::Range{-1.05, 1.05}, .visible = false};
  panel.equal_aspect = true;
  panel.legend = figure::LegendPlace::above;
  // Pairs that have seen their whole circle look alike: two of them are enough.
  std::size_t first = 0;
  while (first < c.arcs.size() && c.arcs[first].seen == 1) ++first;
  first = first > 2 ? first - 2 : 0;
  const Rings rings(c.arcs.size() - first);
  bool named_seen = false, named_fresh = false;
  const auto add = [&](figure::Shape shape, const char* name, bool& named) {
    if (!named) shape.label = name;
    named = true;
    panel.marks.push_back(std::move(shape));
  };
  for (std::size_t i = first; i < c.arcs.size(); ++i) {
    const double half = 0.36 * rings.step(), r = rings.radius(i - first);
    const ArcCoverage& arc = c.arcs[i];
    if (arc.seen > 0) add(ribbon(r - half, r + half, 0, arc.seen, seen_ink), "seen", named_seen);
    if (arc.fresh > 0) {
      add(ribbon(r - half, r + half, arc.seen, arc.seen + arc.fresh, fresh_ink), "new", named_fresh);
    }
  }
  return panel;
}

/// A band of columns: pair i fills i ± 1/2 from lo to hi.
figure::Band columns(const std::vector<double>& lo, const std::vector<double>& hi, figure::Ink ink) {
  figure::Band band{.ink = ink};
  for (std::size_t i = 0; i < lo.size(); ++i) {
    const double pair = static_cast<double>(i);
    band.x.insert(band.x.end(), {pair - 0.5, pair + 0.5});
    band.lo.insert(band.lo.end(), {lo[i], lo[i]});
    band.hi.insert(band.hi.end(), {hi[i], hi[i]});
  }
  return band;
}

figure::Panel arc_panel(const Covered& c, bool names) {
  figure::Panel panel;
  panel.title = c.rule.label;
  const std::size_t pairs = c.arcs.size();
  panel.x = {.label = "pair $i$",
             .range = figure::Range{-0.5, static_cast<double>(pairs) - 0.5},
             .ticks = figure::TickHint::integers,
             .group = 1};
  panel.y = {.label = "turns", .range = figure::Range{0, 1.001}, .group = 2};
  panel.legend = names ? figure::LegendPlace::above : figure::LegendPlace::none;
  std::vector<double> zero(pairs, 0), seen, reached;
  for (const ArcCoverage& arc : c.arcs) {
    seen.push_back(arc.seen);
    reached.push_back(arc.seen + arc.fresh);
  }
  figure::Band known = columns(zero, seen, seen_ink), fresh = columns(seen, reached, fresh_ink);
  if (names) known.label = "seen", fresh.label = "new";
  panel.marks = {known, fresh};
  return panel;
}

figure::Table coverage_table(const std::vector<Covered>& all) {
  figure::Table table{"coverage", {{.name = "pair", .values = pair_numbers(all[0].arcs.size())}}};
  figure::Column seen{.name = "seen", .unit = "turns"};
  for (const ArcCoverage& arc : all[0].arcs) seen.values.push_back(arc.seen);
  table.columns.push_back(std::move(seen));
  for (const Covered& c : all) {
    figure::Column fresh{.name = "new, " + c.rule.label, .unit = "turns"},
        crowding{.name = "closer, " + c.rule.label, .digits = 4};
    for (const ArcCoverage& arc : c.arcs) {
      fresh.values.push_back(arc.fresh);
      crowding.values.push_back(arc.crowding);
    }
    table.columns.push_back(std::move(fresh));
    table.columns.push_back(std::move(crowding));
  }
  return table;
}

std::vector<Check> checks_of(const std::vector<Covered>& all, const StretchedRule& plain, const Stretch& s) {
  // (sL − 1)/s = L − 1/s: the last token of the longer text lies 1 − 1/s of a step beyond the last trained one.
  const auto beyond = [&](const Covered& c, std::size_t i) {
    const double step = (1 - 1 / s.factor) * plain.rope.inv_freq[i] / (2 * std::numbers::pi);
    return std::max(0.0, c.arcs[i].fresh - step);
  };
  double linear = 0, covered_twice = 0;
  for (std::size_t i = 0; i < plain.rope.inv_freq.size(); ++i) linear = std::max(linear, beyond(all[1], i));
  for (const Covered& c : all)
    for (const ArcCoverage& arc : c.arcs)
      covered_twice = std::max({covered_twice, arc.seen + arc.fresh - 1, -arc.fresh});
  int complete = 0;
  for (const ArcCoverage& arc : all[0].arcs) complete += arc.seen == 1;
  // An arc is a length times a frequency, each rounded once; NTK's slowest frequency is a power besides.
  const double last = static_cast<double>(plain.rope.inv_freq.size()) - 1;
  return {
      {"linear: what is new is less than one step of the pair", linear, 0x1p-48},
      {"NTK: the slowest pair too", beyond(all[2], static_cast<std::size_t>(last)), 0x1p-44},
      {"no arc is longer than a turn", std::max(0.0, covered_twice), 0x1p-50},
      {"pairs that have seen their circle, against the critical dimension",
       std::abs(2.0 * complete - static_cast<double>(position::critical_dimension(
                                     2 * (std::ssize(all[0].arcs)), s.base, s.trained))),
       2},
      {"Llama 2: 92 critical dimensions within 4096 tokens",
       std::abs(static_cast<double>(position::critical_dimension(128, 10000, 4096) - 92)), 0},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Stretch s = stretch_of(settings);
  const StretchedRule plain = stretched_rule("none", s);
  std::vector<Covered> all;
  for (const char* id : {"none", "linear", "ntk", "yarn", "llama3", "dynamic"})
    all.push_back(covered(stretched_rule(id, s), plain, s));

  StudyResult result;
  figure::Figure& figure = result.figure;
  const bool rings = settings.choice("show") != "arcs", arcs = settings.choice("show") != "rings";
  if (rings) {
    figure.panels.push_back(ring_panel(covered(stretched_rule(settings.choice("rule"), s), plain, s)));
    figure.panels.back().cell = {0, 0, arcs ? 2 : 1, 1};
    if (!arcs) figure.panels.back().title.clear();
  }
  if (arcs) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      figure.panels.push_back(arc_panel(all[i], i == 0 && !rings));
      figure.panels.back().cell = {static_cast<int>(i) / 3, static_cast<int>(i) % 3 + (rings ? 1 : 0)};
    }
  }
  figure.row_weights = arcs ? std::vector<double>{1, 1} : std::vector<double>{1};
  figure.col_weights = !arcs   ? std::vector<double>{1}
                       : rings ? std::vector<double>{2.4, 1, 1, 1}
                               : std::vector<double>{1, 1, 1};
  figure.aspect = !arcs ? 1 : rings ? 2 : 1.5;
  figure.title = "Past the trained length slow pairs turn to where they have never been";
  figure.description =
      "A ring for each pair: the arc that training has shown, and in the accent colour the arc that only a "
      "longer text "
      "reaches. Beside it the same arcs as columns by pair, under each rule.";
  result.tables = {coverage_table(all)};
  result.checks = checks_of(all, plain, s);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Interpolate: nothing is new, but neighbours stand eight times closer.", "rule=linear"},
    {"Llama 3.1: a base of 500 000 leaves 29 pairs with an arc, and its rule shrinks them.",
     "model=llama-3.1-8b rule=llama3"},
    {"Twice the length only: the slow pairs double their arcs.", "factor=2"},
});

}  // namespace

const Study extrapolation_coverage{
    .id = "extrapolation/coverage",
    .title = "Arcs seen in training",
    .topic = "Past the trained length",
    .summary = "past the trained length slow pairs turn to where they have never been",
    .formula = R"((n - 1)\,\theta'_i \leq \min(2\pi,\ (L - 1)\,\theta_i))",
    .about =
        "A pair that makes a whole turn within the trained length has seen every direction. A slow pair has "
        "seen an "
        "arc, and a longer text turns it beyond: to angles that no weight was trained on. Interpolation "
        "keeps it "
        "inside its arc and sets neighbouring tokens closer together instead.",
    .source =
        "Liu et al. 2023, arXiv 2310.05209, section 4.1 (critical dimension); Peng et al. 2023, arXiv "
        "2309.00071, "
        "section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
