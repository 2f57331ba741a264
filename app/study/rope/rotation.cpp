// Every pair of dimensions turns at its own speed: the clocks, and what the turning does to a score by
// distance.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/rope/clocks.h"
#include "app/study/rope/turning.h"
#include "app/study/studies.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::RopeFrequencies;
using position::RopeLayout;
using position::RopeRule;
using position::RopeType;
using twin::Matrix;

constexpr std::string_view parts = "all|clocks|score";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "position",
     .label = "Position",
     .kind = Kind::real,
     .fallback = "37",
     .min = 0,
     .max = 131072,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "where the query stands; between two tokens is allowed",
     .plays = true},
    {.name = "base",
     .label = "Base",
     .kind = Kind::real,
     .fallback = "500000",
     .min = 10,
     .max = 1e9,
     .travel = Travel::log,
     .help = "b: a larger base makes the slow pairs slower; 10000 in the paper"},
    {.name = "head_width",
     .label = "Head width",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 4,
     .max = 256,
     .travel = Travel::powers_of_two,
     .multiple = 2,
     .help = "d: two dimensions make a pair"},
    {.name = "pairing",
     .label = "Pairing",
     .kind = Kind::choice,
     .fallback = "interleaved",
     .choices = "interleaved|half",
     .help = "which dimensions make a pair: neighbours, or one from each half"},
    {.name = "frequencies",
     .label = "Frequencies",
     .kind = Kind::choice,
     .fallback = "default",
     .choices = "default|linear|ntk|yarn|llama3",
     .help = "the rule that changes them for longer texts"},
    {.name = "factor",
     .label = "Factor",
     .kind = Kind::real,
     .fallback = "8",
     .min = 1,
     .max = 64,
     .travel = Travel::log,
     .help = "how many times longer than the trained length; unused by the default"},
    {.name = "trained_length",
     .label = "Trained length",
     .kind = Kind::integer,
     .fallback = "8192",
     .min = 64,
     .max = 1048576,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "distances beyond it were never seen in training"},
    {.name = "vector",
     .label = "Vector",
     .kind = Kind::vector,
     .fallback = "1,0",
     .min = -1,
     .max = 1,
     .length = 2,
     .help = "the two components of every pair before it is turned"},
    {.name = "show",
     .label = "Show",
     .kind = Kind::choice,
     .fallback = "all",
     .choices = parts,
     .help = "everything, or one part alone for a column of text"},
});

constexpr double full_turn = 2 * std::numbers::pi;
constexpr double paper_base = 10000;
constexpr int curve_samples = 900;  // more than the columns of a figure on a screen

RopeRule chosen_rule(const Settings& settings) {
  RopeRule rule;
  rule.type = *position::rope_type_from_name(settings.choice("frequencies"));
  rule.rotary_dim = settings.integer("head_width");
  rule.base = settings.real("base");
  rule.factor = settings.real("factor");
  rule.original_length = static_cast<double>(settings.integer("trained_length"));
  return rule;
}

Turning turning_of(const Settings& settings, const RopeRule& rule) {
  const bool half = settings.choice("pairing") == "half";
  return {position::rope_frequencies(rule), half ? RopeLayout::half : RopeLayout::interleaved};
}

/// Evenly spread on a log axis, from 1 to twice the trained length. Between two tokens the curve shows how it
/// gets from one to the next.
std::vector<double> distances(double trained_length) {
  std::vector<double> r;
  const double octaves = std::log2(2 * trained_length);
  for (int i = 0; i < curve_samples; ++i) r.push_back(std::exp2(octaves * i / (curve_samples - 1)));
  r.back() = 2 * trained_length;
  return r;
}

struct Curve {
  std::string label;
  std::vector<double> score;
};

/// The paper's base, the chosen base, the chosen rule: each only when it differs from the one before.
std::vector<Curve> score_curves(const Settings& settings, const Run& run, const Matrix& row,
                                const std::vector<double>& r) {
  const RopeRule rule = chosen_rule(settings);
  std::vector<Curve> curves;
  const auto add = [&](std::string label, const RopeRule& each) {
    run.check();
    const Matrix s = normalised_scores(run, turning_of(settings, each), row, r, 0);
    curves.push_back({std::move(label), {s.data(), s.data() + s.size()}});
  };
  RopeRule plain = rule;
  plain.type = RopeType::standard;
  const std::string base = "base " + grouped(rule.base);
  if (rule.base != paper_base) {
    RopeRule paper = plain;
    paper.base = paper_base;
    add("base " + grouped(paper_base), paper);
  }
  add(base, plain);
  if (rule.type != RopeType::standard)
    add(base + ", " + settings.choice("frequencies") + " × " + grouped(rule.factor), rule);
  return curves;
}

figure::Panel score_panel(const Settings& settings, const std::vector<double>& r,
                          const std::vector<Curve>& curves, double score_here) {
  const double trained = static_cast<double>(settings.integer("trained_length"));
  const double position = settings.real("position");
  figure::Panel panel;
  panel.title = "Score of a query against the same key, by distance";
  panel.x = {.label = "distance $m - n$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{1, 2 * trained},
             .ticks = figure::TickHint::powers_of_two};
  panel.y = {.label = "score / $|q|^2$", .grid = true};
  panel.legend = figure::LegendPlace::bottom_left;

  figure::Rule unseen{.at = trained, .to = 2 * trained, .ink = {figure::Role::accent_ground, 0, 1}};
  figure::Rule edge{.at = trained, .ink = {figure::Role::accent, 0, 1}};
  edge.text = "trained length " + grouped(trained);
  panel.marks = {unseen, edge};
  for (std::size_t i = 0; i < curves.size(); ++i)
    panel.marks.push_back(figure::Line{.x = r,
                                       .y = curves[i].score,
                                       .ink = figure::series(static_cast<int>(i)),
                                       .width = 0.8,
                                       .label = curves[i].label,
                                       .dash_by_series = false});
  if (position >= 1 && position <= 2 * trained) {
    panel.marks.push_back(figure::Points{{position}, {score_here}, {figure::Role::accent, 0, 1}, 2.4});
    figure::Handle handle{.x = position, .y = score_here, .parameter = "position"};
    handle.hint = "drag along the axis to move the query";
    panel.handles.push_back(handle);
  }
  return panel;
}

std::vector<Clock> clocks_of(const Turning& turning, const Matrix& before, const Matrix& after,
                             double position) {
  std::vector<Clock> clocks;
  for (std::size_t i = 0; i < turning.rope.inv_freq.size(); ++i) {
    const auto [a, b] = turning.columns(static_cast<tensor::Index>(i), before.cols());
    clocks.push_back(
        {before(0, a), before(0, b), after(0, a), after(0, b), position * turning.rope.inv_freq[i]});
  }
  return clocks;
}

figure::Table pair_table(const std::vector<Clock>& clocks, const RopeFrequencies& rope,
                         const position::RopeTable& turned) {
  figure::Table table{"pairs",
                      {{.name = "pair", .unit = {}, .values = {}},
                       {.name = "wavelength", .unit = "tokens", .values = {}, .digits = 5},
                       {.name = "angle", .unit = "rad", .values = {}, .digits = 5},
                       {.name = "turns", .unit = {}, .values = {}, .digits = 4},
                       {.name = "frequency", .unit = "rad/token", .values = {}},
                       {.name = "cos", .unit = {}, .values = {}},
                       {.name = "sin", .unit = {}, .values = {}}}};
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    const double angle = clocks[i].angle, frequency = rope.inv_freq[i];
    const auto pair = static_cast<tensor::Index>(i);
    const std::array row{static_cast<double>(i), full_turn / frequency, angle, angle / full_turn, frequency,
                         turned.cos(0, pair),    turned.sin(0, pair)};
    for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].values.push_back(row[c]);
  }
  return table;
}

figure::Table score_table(const std::vector<double>& r, const std::vector<Curve>& curves) {
  figure::Table table{"scores", {{.name = "distance", .unit = "tokens", .values = r}}};
  for (const Curve& curve : curves)
    table.columns.push_back({.name = curve.label, .unit = {}, .values = curve.score});
  return table;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Turning turning = turning_of(settings, chosen_rule(settings));
  const std::vector<double>& vector = settings.vector("vector");
  const double position = settings.real("position");
  const position::RopeTable table = turning.table(std::array{position});
  const Matrix before = turning.repeated(vector, settings.integer("head_width"));
  const Matrix after = twin::rope(run, before, table, turning.layout);
  const std::vector<Clock> clocks = clocks_of(turning, before, after, position);

  const std::vector<double> r = distances(static_cast<double>(settings.integer("trained_length")));
  const std::vector<Curve> curves = score_curves(settings, run, before, r);
  const double score_here = normalised_scores(run, turning, before, std::array{position}, 0)(0, 0);

  figure::Panel dials = clock_panel(clocks);
  dials.cell = {0, 0};
  dials.handles.push_back({.x = vector[0],
                           .y = vector[1],
                           .parameter = "vector",
                           .hint = "the vector before it is turned, the same in every pair: drag it"});
  figure::Panel decay = score_panel(settings, r, curves, score_here);
  decay.cell = {1, 0};

  StudyResult result;
  result.figure.title = "Each pair of dimensions turns at its own speed";
  result.figure.description =
      "A clock for each pair of dimensions: its hand is the pair turned by position times frequency. Fast "
      "pairs come "
      "first. Below, the score of a vector against itself falls with distance and begins to swing.";
  result.figure.panels = {std::move(dials), std::move(decay)};
  result.figure.row_weights = {1.3, 1};
  result.figure.aspect = 1.25;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {pair_table(clocks, turning.rope, table), score_table(r, curves)};
  result.checks = turning_checks(run, turning, before, after, position);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Go far: the fast pairs have gone round hundreds of times, the last still points right.",
     "position=4096"},
    {"Take the paper's base and look at the score past the trained length.", "base=10000"},
    {"Stretch the slow pairs as Llama 3.1 does.", "frequencies=llama3 factor=8 base=500000"},
});

}  // namespace

const Study rope_rotation{
    .id = "rope/rotation",
    .title = "Rotation",
    .topic = "Rotary positions",
    .summary = "each pair of dimensions turns at its own speed",
    .formula = R"(\theta_i = b^{-2i/d}, \quad y_i = e^{\mathrm{i} m \theta_i} x_i)",
    .about =
        "Pair i of a query at position m is turned by m times its frequency. Fast pairs tell neighbours "
        "apart; slow ones "
        "have not finished a turn yet (in the accent colour) and carry the coarse position. A score feels "
        "the difference "
        "of two positions only.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 34",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
