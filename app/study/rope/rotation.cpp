// Every pair of dimensions turns at its own speed: the clocks, and what the turning does to a score by
// distance.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/pair_plane.h"
#include "app/study/rope/score_curves.h"
#include "app/study/studies.h"
#include "app/study/tables.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::RopeFrequencies;
using twin::Matrix;

constexpr std::string_view parts = "all|clocks|score|plane|vector";

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
     .help = "b: a larger base makes the slow pairs slower; 10000 in the paper",
     .model_fact = "rope_theta"},
    {.name = "head_width",
     .label = "Head width",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 4,
     .max = 256,
     .travel = Travel::powers_of_two,
     .multiple = 2,
     .help = "d: two dimensions make a pair",
     .model_fact = "rotary_dim"},
    {.name = "pairing",
     .label = "Pairing",
     .kind = Kind::choice,
     .fallback = "interleaved",
     .choices = "interleaved|half",
     .help = "which dimensions make a pair: neighbours, or one from each half",
     .model_fact = "layout"},
    {.name = "frequencies",
     .label = "Frequencies",
     .kind = Kind::choice,
     .fallback = "default",
     .choices = "default|linear|ntk|yarn|llama3",
     .help = "the rule that changes them for longer texts",
     .model_fact = "rule"},
    {.name = "factor",
     .label = "Factor",
     .kind = Kind::real,
     .fallback = "8",
     .min = 1,
     .max = 64,
     .travel = Travel::log,
     .help = "how many times longer than the trained length",
     .only_when = "frequencies=linear|ntk|yarn|llama3",
     .model_fact = "factor"},
    {.name = "trained_length",
     .label = "Trained length",
     .kind = Kind::integer,
     .fallback = "8192",
     .min = 64,
     .max = 1048576,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "distances beyond it were never seen in training",
     .model_fact = "trained_length"},
    {.name = "vector",
     .label = "Vector",
     .kind = Kind::vector,
     .fallback = "1,0",
     .min = -1,
     .max = 1,
     .length = 2,
     .help = "the two components of every pair before it is turned"},
    {.name = "trail",
     .label = "Trail",
     .kind = Kind::integer,
     .fallback = "6",
     .min = 0,
     .max = 32,
     .unit = "tokens",
     .help = "so many earlier positions leave a dot where they stood",
     .only_when = "show=all|clocks|plane",
     .presentation = true},
    {.name = "pair",
     .label = "Pair",
     .kind = Kind::integer,
     .fallback = "8",
     .min = 0,
     .max = 127,
     .help = "the one drawn large; a number past the last pair means the last",
     .only_when = "show=all|clocks|plane"},
    {.name = "plane",
     .label = "Drawn as",
     .kind = Kind::choice,
     .fallback = "vector",
     .choices = "vector|complex",
     .help = "two components that a matrix turns, or a complex number times a factor of length 1",
     .only_when = "show=all|plane",
     .presentation = true},
    show_parameter(parts),
});

constexpr double full_turn = 2 * std::numbers::pi;

/// The rows at one, two, three … positions before; none before the start of the text.
std::vector<Matrix> trail_of(const Settings& settings, const Run& run, const Turning& turning,
                             const Matrix& before) {
  std::vector<Matrix> trail;
  for (int age = 1; age <= settings.integer("trail"); ++age) {
    const double position = settings.real("position") - age;
    if (position < 0) break;
    trail.push_back(twin::rope(run, before, turning.table(std::array{position}), turning.layout));
  }
  return trail;
}

std::vector<Clock> clocks_of(const Turning& turning, const Matrix& before, const Matrix& after,
                             const std::vector<Matrix>& trail, double position) {
  std::vector<Clock> clocks;
  for (std::size_t i = 0; i < turning.rope.inv_freq.size(); ++i) {
    const auto [a, b] = turning.columns(static_cast<tensor::Index>(i), before.cols());
    Clock clock{
        before(0, a), before(0, b), after(0, a), after(0, b), position * turning.rope.inv_freq[i], {}};
    for (const Matrix& row : trail) clock.trail.push_back({row(0, a), row(0, b)});
    clocks.push_back(std::move(clock));
  }
  return clocks;
}

tensor::Index drawn_large(const Settings& settings, const std::vector<Clock>& clocks) {
  return std::min<tensor::Index>(settings.integer("pair"), std::ssize(clocks) - 1);
}

figure::Panel plane_of(const Settings& settings, const Turning& turning, const std::vector<Clock>& clocks) {
  const tensor::Index pair = drawn_large(settings, clocks);
  const auto [a, b] = turning.columns(pair, settings.integer("head_width"));
  figure::Panel plane = plane_panel({.clock = clocks[static_cast<std::size_t>(pair)],
                                     .pair = pair,
                                     .column_a = a,
                                     .column_b = b,
                                     .attention_factor = turning.rope.attention_factor,
                                     .alone = settings.choice("show") == "plane",
                                     .complex = settings.choice("plane") == "complex"});
  const std::vector<double>& vector = settings.vector("vector");
  plane.handles.push_back({.x = vector[0],
                           .y = vector[1],
                           .parameter = "vector",
                           .hint = "the vector before it is turned: drag it"});
  const Clock& clock = clocks[static_cast<std::size_t>(pair)];
  plane.handles.push_back({.x = clock.to_x,
                           .y = clock.to_y,
                           .parameter = "vector",
                           .hint = "the vector after it is turned: drag it"});
  return plane;
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
    add_row(table, row);
  }
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
  const std::vector<Clock> clocks =
      clocks_of(turning, before, after, trail_of(settings, run, turning, before), position);

  const std::vector<double> r = distances_by_octave(static_cast<double>(settings.integer("trained_length")));
  const std::vector<ScoreCurve> curves = score_curves(settings, run, before, r);
  const double score_here = normalised_scores(run, turning, before, std::array{position}, 0)(0, 0);

  figure::Panel dials = clock_panel(clocks, static_cast<int>(drawn_large(settings, clocks)));
  add_clock_handles(dials, clocks);
  dials.cell = {.row = 0, .col = 0, .cols = 3};
  figure::Panel decay = score_panel(settings, r, curves, score_here);
  decay.cell = {1, 0};
  figure::Panel plane = plane_of(settings, turning, clocks), columns = vector_panel(before, after);
  plane.cell = {1, 1};
  columns.cell = {1, 2};

  StudyResult result;
  result.figure.title = "Each pair of dimensions turns at its own speed";
  result.figure.description =
      "A clock for each pair of dimensions: its hand is the pair turned by position times frequency, and "
      "dots "
      "show where it stood before. One pair is drawn large. Below, the score of a vector against itself by "
      "distance, and the turned vector column by column.";
  result.figure.panels = {std::move(dials), std::move(decay), std::move(plane), std::move(columns)};
  result.figure.row_weights = {1.75, 1};
  result.figure.col_weights = {1.7, 1, 1.1};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {pair_table(clocks, turning.rope, table), score_table(r, curves),
                   vector_table(before, after)};
  result.checks = turning_checks(run, turning, before, after, position);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Go far: the fast pairs have gone round hundreds of times, the last still points right.",
     "position=4096"},
    {"Take the paper's base and look at the score past the trained length.", "base=10000"},
    {"Look at one pair as a complex number: its length stays, its angle grows.",
     "plane=complex vector=0.8,0.4 show=all"},
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
