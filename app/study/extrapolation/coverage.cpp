// For every pair: the arc of its circle that training has shown, and what a longer text adds, under each rule.
#include "app/study/kit.h"
#include "app/study/rope/rules.h"
#include "app/study/rope/worked_frequency.h"
#include "core/position/rope_coverage.h"

namespace orrery::study::extrapolation_coverage {
namespace {

using position::ArcCoverage;

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    trained_length_parameter,
    factor_parameter,
    choice("rule", "Rings of", "none|linear|ntk|dynamic|yarn|yarn_paper|llama3|proportional|resonance",
           "the rule whose circles are drawn, one ring for each pair", {.model_fact = "rule"}),
    show_parameter("all|rings|arcs"),
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

/// An arc as a ribbon between two radii, from and to in parts of a turn, against the clock from the right, as angles are
/// drawn everywhere.
figure::Shape ribbon(double inner, double outer, double from, double to, Ink ink) {
  figure::Shape shape;
  shape.fill = ink;
  const int steps = std::max(2, static_cast<int>(std::ceil(120 * (to - from))));
  const auto add = [&](double radius, double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    shape.x.push_back(radius * std::cos(angle));
    shape.y.push_back(radius * std::sin(angle));
  };
  for (int i = 0; i <= steps; ++i) add(outer, from + (to - from) * i / steps);
  for (int i = steps; i >= 0; --i) add(inner, from + (to - from) * i / steps);
  return shape;
}

const Ink seen_ink = ink(Role::faint, 0.5), fresh_ink = ink(Role::accent);

/// Rings from the slowest pair, innermost, to the fastest; nothing but a hole where there would be no room to see.
Panel ring_panel(const Covered& c) {
  const Axis unseen{.range = Range{-1.05, 1.05}, .visible = false};
  Panel panel{.title = "The slowest pairs, " + c.rule.label,
              .x = unseen,
              .y = unseen,
              .legend = LegendPlace::above,
              .equal_aspect = true};
  // Pairs that have seen their whole circle look alike: two of them are enough.
  std::size_t first = 0;
  while (first < c.arcs.size() && c.arcs[first].seen == 1) ++first;
  first = first > 2 ? first - 2 : 0;
  const double step = 0.78 / number(std::max<std::size_t>(c.arcs.size() - first, 6));
  std::string seen = "seen", fresh = "new";  // said once each
  const auto add = [&](double r, double from, double to, Ink ink, std::string& label) {
    panel.marks.push_back(ribbon(r - 0.36 * step, r + 0.36 * step, from, to, ink));
    std::get<figure::Shape>(panel.marks.back()).label = std::exchange(label, "");
  };
  for (std::size_t i = first; i < c.arcs.size(); ++i) {
    const double r = 1 - step * (number(i - first) + 0.5);
    if (c.arcs[i].seen > 0) add(r, 0, c.arcs[i].seen, seen_ink, seen);
    if (c.arcs[i].fresh > 0) add(r, c.arcs[i].seen, c.arcs[i].seen + c.arcs[i].fresh, fresh_ink, fresh);
  }
  return panel;
}

/// Columns that touch: pair i fills i ± 1/2 from lo to hi.
Band columns(const std::vector<double>& lo, const std::vector<double>& hi, Band look) {
  for (std::size_t i = 0; i < lo.size(); ++i) {
    look.x.insert(look.x.end(), {number(i) - 0.5, number(i) + 0.5});
    look.lo.insert(look.lo.end(), {lo[i], lo[i]});
    look.hi.insert(look.hi.end(), {hi[i], hi[i]});
  }
  return look;
}

Panel arc_panel(const Covered& c, bool named) {
  std::vector<double> zero(c.arcs.size(), 0), seen, reached;
  for (const ArcCoverage& arc : c.arcs) {
    seen.push_back(arc.seen);
    reached.push_back(arc.seen + arc.fresh);
  }
  Panel panel{.title = c.rule.label,
              .x = counts("pair $i$", cells(number(c.arcs.size()))),
              .y = {.label = "turns", .range = Range{0, 1.001}, .group = 2},
              .marks = {columns(zero, seen, {.ink = seen_ink, .label = named ? "seen" : ""}),
                        columns(seen, reached, {.ink = fresh_ink, .label = named ? "new" : ""})},
              .legend = named ? LegendPlace::above : LegendPlace::none};
  panel.x.group = 1;
  return panel;
}

Series coverage_series(const std::vector<Covered>& all) {
  const auto arc = [](const Covered& c, double pair) -> const ArcCoverage& {
    return c.arcs[static_cast<std::size_t>(pair)];
  };
  Series series("coverage", {"pair", "", counted(std::ssize(all[0].arcs))});
  series.add({.name = "seen", .unit = "turns"}, [&](double i) { return arc(all[0], i).seen; });
  for (const Covered& c : all) {
    series.add({.name = "new, " + c.rule.label, .unit = "turns"}, [&](double i) { return arc(c, i).fresh; });
    series.add({.name = "closer, " + c.rule.label, .digits = 4},
               [&](double i) { return arc(c, i).crowding; });
  }
  return series;
}

std::vector<Check> checks_of(const std::vector<Covered>& all, const StretchedRule& plain, const Stretch& s) {
  // (sL − 1)/s = L − 1/s: the last token of the longer text lies 1 − 1/s of a step beyond the last trained one.
  const auto beyond = [&](const Covered& c, std::size_t i) {
    const double step = (1 - 1 / s.factor) * plain.rope.inv_freq[i] / (2 * std::numbers::pi);
    return std::max(0.0, c.arcs[i].fresh - step);
  };
  const std::size_t pairs = plain.rope.inv_freq.size();
  double linear = 0, covered_twice = 0, closer = 0;
  for (std::size_t i = 0; i < pairs; ++i) linear = std::max(linear, beyond(all[1], i));
  for (const ArcCoverage& arc : all[1].arcs) closer = std::max(closer, std::abs(arc.crowding / s.factor - 1));
  for (const Covered& c : all)
    for (const ArcCoverage& arc : c.arcs)
      covered_twice = std::max({covered_twice, arc.seen + arc.fresh - 1, -arc.fresh});
  const double complete = number(std::ranges::count(all[0].arcs, 1, &ArcCoverage::seen));
  // L tokens have distances up to L - 1: with many pairs and a small base some see their circle in L only.
  // An arc is a length times a frequency, each rounded once; NTK's slowest frequency is a power besides.
  return {
      {"linear: what is new is less than one step of the pair", linear, 0x1p-48},
      // Three quotients.
      {"linear: neighbours stand $s$ times closer", closer, 4 * 0x1p-53},
      {"NTK: the slowest pair too", beyond(all[2], pairs - 1), 0x1p-44},
      {"no arc is longer than a turn", std::max(0.0, covered_twice), 0x1p-50},
      {"pairs that have seen their circle, against the critical dimension",
       std::abs(2.0 * complete -
                number(position::critical_dimension(2 * std::ssize(all[0].arcs), s.base, s.trained - 1))),
       2},
      known_answer("Llama 2: 92 critical dimensions within 4096 tokens",
                   std::abs(number(position::critical_dimension(128, 10000, 4096) - 92)), 0),
  };
}

/// Pairs that a longer text turns beyond their arc by one step of theirs or more: interpolation leaves a part of a step.
double pairs_beyond(const Covered& c, const StretchedRule& plain) {
  double count = 0;
  for (std::size_t i = 0; i < c.arcs.size(); ++i)
    count += c.arcs[i].fresh > 0 && 2 * std::numbers::pi * c.arcs[i].fresh >= plain.rope.inv_freq[i];
  return count;
}

/// Without a rule, and with that of the rings where they have one.
std::string beyond_text(const Covered& without, const Covered& ringed, const StretchedRule& plain) {
  const double pairs = number(without.arcs.size()), beyond = pairs_beyond(without, plain);
  std::string text = grouped(beyond) + " of " + grouped(pairs) + " pairs " +
                     (beyond == 1 ? "turns" : "turn") + " a step or more past what training showed";
  if (ringed.rule.id != without.rule.id)
    text += "; with " + ringed.rule.label + ", " + grouped(pairs_beyond(ringed, plain));
  return text;
}

/// Of the slowest pair, in turns: where the longer text ends, and what training has shown.
std::string worked_of(const Covered& c, const StretchedRule& plain, const Stretch& s) {
  const Index pair = std::ssize(c.arcs) - 1;
  const auto i = static_cast<std::size_t>(pair);
  const double now = c.rule.rope.inv_freq[i], trained = plain.rope.inv_freq[i], n = s.trained * s.factor,
               turn = 2 * std::numbers::pi;
  Worked worked;
  add_frequency(worked, "\\theta'", c.rule.rule, pair);
  worked.add("(n - 1)\\," + subscripted("\\theta'", number(pair)) + "/2\\pi",
             (term(n) - 1) * now / worked::two_pi(), (n - 1) * now / turn);
  return worked
      .add("\\min(2\\pi, (L - 1)\\," + subscripted("\\theta", number(pair)) + ")/2\\pi",
           min(worked::two_pi(), (term(s.trained) - 1) * trained) / worked::two_pi(), c.arcs[i].seen)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Stretch s = stretch_of(settings);
  const StretchedRule plain = stretched_rule("none", s);
  std::vector<Covered> all;
  for (const char* id : {"none", "linear", "ntk", "yarn", "llama3", "dynamic"})
    all.push_back(covered(stretched_rule(id, s), plain, s));
  const std::string& shown = settings.choice("show");
  const Covered ringed = covered(stretched_rule(settings.choice("rule"), s), plain, s);
  Picture picture(
      beyond_text(all[0], ringed, plain),
      "A ring for each pair: the arc that training has shown, and in the accent colour the arc that only a "
      "longer text reaches. Beside it the same arcs as columns by pair, under each rule.");
  picture.at({0, 0, 2, 1}, "rings", ring_panel(ringed));
  for (int i = 0; i < static_cast<int>(all.size()); ++i)
    picture.at({i / 3, 1 + i % 3}, "arcs", arc_panel(all[i], i == 0 && shown == "arcs"));
  return {std::move(picture).figure(settings, {.aspect = 1.8,
                                               .rows = {1, 1},
                                               .cols = {2.4, 1, 1, 1},
                                               .aspect_alone = shown == "rings" ? 1 : 1.5}),
          {coverage_series(all).table()},
          checks_of(all, plain, s),
          worked_of(ringed, plain, s)};
}

constexpr auto tries = std::to_array<Try>({
    {"Interpolate: nothing is new, but neighbours stand eight times closer.", "rule=linear",
     [](auto& now, auto&) {  // but a part of a token's step
       return most(column(now, "coverage", "new, linear (PI)")) < 1e-3 &&
              least(column(now, "coverage", "closer, linear (PI)")) == 8;
     }},
    {"Llama 3.1: a base of 500 000 leaves 29 pairs with an arc, and its rule shrinks them.",
     "model=llama-3.1-8b rule=llama3",
     [](auto& now, auto&) {
       const auto& seen = column(now, "coverage", "seen");
       return std::ranges::count_if(seen, [](double turns) { return turns < 1; }) == 29 &&
              most(column(now, "coverage", "new, Llama 3")) < 1e-3;
     }},
    {"Twice the length only: the slow pairs double their arcs.", "factor=2",
     [](auto& now, auto&) {
       return std::abs(column(now, "coverage", "new, unchanged").back() /
                           column(now, "coverage", "seen").back() -
                       1) < 1e-3;
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/coverage",
    .title = "Arcs seen in training",
    .topic = "Past the trained length",
    .summary = "past the trained length slow pairs turn to where they have never been",
    .formula = R"((n - 1)\,\theta'_i \leq \min(2\pi,\ (L - 1)\,\theta_i))",
    .about =
        "A pair that makes a whole turn within the trained length has seen every direction. A slow pair has "
        "seen an arc, and a longer text turns it beyond: to angles that no weight was trained on. "
        "Interpolation keeps it inside its arc and sets neighbouring tokens closer together instead.",
    .source =
        "Liu et al. 2023, arXiv 2310.05209, section 4.1 (critical dimension); Peng et al. 2023, arXiv "
        "2309.00071, section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_coverage
