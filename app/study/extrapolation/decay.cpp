// RoFormer's bound on a score by distance, the similarity that stands behind it, and a key that does not care.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/position/rope_decay.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using Products = std::vector<std::complex<double>>;

constexpr std::string_view parts = "all|bound|scores";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    {.name = "reach",
     .label = "Reach",
     .kind = Kind::integer,
     .fallback = "256",
     .min = 16,
     .max = 131072,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "the largest distance drawn; RoFormer's figure 2 ends at 256"},
    {.name = "distance",
     .label = "Distance",
     .kind = Kind::real,
     .fallback = "150",
     .min = 0,
     .max = 131072,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "where the counter-example scores most"},
    seed_parameter("of the random query and key"),
    show_parameter(parts),
});

constexpr int most_samples = 600;

/// Whole distances while there are few, then evenly spread ones.
std::vector<double> distances(double reach) {
  const int steps = static_cast<int>(std::min(reach, static_cast<double>(most_samples)));
  std::vector<double> r;
  for (int i = 0; i <= steps; ++i) r.push_back(reach * i / steps);
  return r;
}

/// A query of ones, and the key whose every pair was turned back by the distance.
Products turned_key(const std::vector<double>& theta, double distance) {
  Products h;
  for (const double t : theta) h.push_back(std::polar(1.0, -distance * t));
  return h;
}

/// Independent normal components, over √2: each pair is 1 on average, as those of ones are.
Products random_key(std::size_t pairs, std::int64_t seed) {
  const tensor::Random random(static_cast<std::uint64_t>(seed));
  Products h;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::complex<double> q(random.normal(4 * i), random.normal(4 * i + 1));
    const std::complex<double> k(random.normal(4 * i + 2), random.normal(4 * i + 3));
    h.push_back(q * std::conj(k) / 2.0);
  }
  return h;
}

struct Curves {
  std::vector<double> r, bound{}, similar{}, peaked{}, random{};
};

Curves curves_of(const std::vector<double>& theta, const Products& peaked, const Products& random,
                 double reach) {
  Curves c{.r = distances(reach)};
  const double pairs = static_cast<double>(theta.size());
  for (const double r : c.r) {
    c.bound.push_back(position::mean_partial_sum(theta, r));
    c.similar.push_back(position::similarity(theta, r) / pairs);
    c.peaked.push_back(position::score_at(peaked, theta, r) / pairs);
    c.random.push_back(position::score_at(random, theta, r) / pairs);
  }
  return c;
}

figure::Panel bound_panel(const Curves& c) {
  figure::Panel panel;
  panel.title = "The bound: mean of the partial sums";
  panel.x = {.label = "distance $r$"};
  panel.y = {.label = "mean of $|S_j|$", .grid = true};
  panel.legend = figure::LegendPlace::none;
  panel.marks = {figure::Line{.x = c.r, .y = c.bound, .ink = figure::series(0), .dash_by_series = false}};
  return panel;
}

figure::Panel score_panel(const Curves& c, double distance, double reach) {
  figure::Panel panel;
  panel.title = "Scores of three keys, over $d/2$";
  panel.x = {.label = "distance $r$"};
  panel.y = {.label = "score", .grid = true};
  panel.legend = figure::LegendPlace::above;
  panel.marks = {
      figure::Line{.x = c.r,
                   .y = c.random,
                   .ink = {figure::Role::faint, 0, 0.7},
                   .label = "random",
                   .dash_by_series = false},
      figure::Line{.x = c.r, .y = c.similar, .ink = figure::series(0), .label = "like the query: $B(r)$"},
      figure::Line{.x = c.r,
                   .y = c.peaked,
                   .ink = {figure::Role::accent, 0, 1},
                   .label = "turned back",
                   .dash_by_series = false}};
  if (distance <= reach) {
    panel.marks.push_back(figure::Points{{distance}, {1}, {figure::Role::accent, 0, 1}, 2.4});
    figure::Handle handle{.x = distance, .y = 1, .parameter = "distance"};
    handle.hint = "drag: the key scores most wherever it is turned back to";
    panel.handles.push_back(handle);
  }
  return panel;
}

/// The largest |score| over its bound: 1 would break it.
double worst_of_bound(const Products& h, const Curves& c, const std::vector<double>& scores) {
  double worst = 0;
  for (std::size_t i = 0; i < c.r.size(); ++i)
    worst = std::max(worst, std::abs(scores[i]) / (position::largest_step(h) * c.bound[i] + 1e-300));
  return worst;
}

std::vector<Check> checks_of(const std::vector<double>& theta, const Products& peaked, const Products& random,
                             const Curves& c, double distance) {
  const double pairs = static_cast<double>(theta.size());
  const std::vector<double> roformer = stretched_rule("none", {128, 10000, 4096, 1}).rope.inv_freq;
  // An angle of distance × frequency is rounded twice, by 2^-52 of itself at most.
  const double angle = distance * 0x1p-52 + 4 * 0x1p-52;
  return {
      {"random key: |score| over the bound", worst_of_bound(random, c, c.random), 1 + 1e-12},
      {"counter-example: |score| over the bound", worst_of_bound(peaked, c, c.peaked), 1 + 1e-12},
      {"the counter-example reaches $d/2$ where it was turned back to",
       std::abs(position::score_at(peaked, theta, distance) / pairs - 1), angle},
      {"at distance 0 the mean is $(d/2 + 1)/2$", std::abs(c.bound[0] - (pairs + 1) / 2) / pairs, 0x1p-50},
      {"RoFormer's figure 2 at r = 50: 12.6295", std::abs(position::mean_partial_sum(roformer, 50) - 12.6295),
       5e-5},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const double reach = static_cast<double>(settings.integer("reach")), distance = settings.real("distance");
  const std::vector<double> theta = stretched_rule("none", stretch_of(settings)).rope.inv_freq;
  const Products peaked = turned_key(theta, distance),
                 random = random_key(theta.size(), settings.integer("seed"));
  const Curves c = curves_of(theta, peaked, random, reach);

  figure::Panel bound = bound_panel(c), scores = score_panel(c, distance, reach);
  bound.cell = {0, 0};
  scores.cell = {1, 0};
  StudyResult result;
  result.figure.title = "The bound falls with distance; a score need not";
  result.figure.description =
      "Above, RoFormer's bound on any score by distance, which falls and begins to swing. Below, three "
      "scores under it: "
      "of a key like the query, of a random key, and of a key that scores most at the chosen distance.";
  result.figure.panels = {std::move(bound), std::move(scores)};
  result.figure.row_weights = {1, 1.2};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {{"decay",
                    {{.name = "distance", .unit = "tokens", .values = c.r},
                     {.name = "mean of |S|", .values = c.bound},
                     {.name = "like the query", .values = c.similar},
                     {.name = "turned back", .values = c.peaked},
                     {.name = "random", .values = c.random}}}};
  result.checks = checks_of(theta, peaked, random, c, distance);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Turn the key back to 240: it scores most there, under a falling bound.", "distance=240"},
    {"A narrow head: the bound is not even falling.", "head_width=16"},
    {"Llama 3's base, far out: the decay is slower, and then it swings.",
     "model=llama-3.1-8b reach=32768 distance=20000"},
});

}  // namespace

const Study extrapolation_decay{
    .id = "extrapolation/decay",
    .title = "Long-term decay",
    .topic = "Past the trained length",
    .summary = "the bound falls with distance; a score need not",
    .formula =
        R"(|q^T R_r k| \le \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|, \quad S_j = \sum_{i<j} e^{\mathrm{i} r \theta_i})",
    .about =
        "RoFormer bounds every score by a sum that falls with distance, and its figure 2 draws that sum. It "
        "is the "
        "bound that decays: a key like the query follows it roughly, as B(r), a random key does not care, "
        "and for any "
        "distance there is a key that scores most exactly there.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, section 3.4.3 and figure 2; Barbero et al. 2024, arXiv "
        "2410.06205, "
        "section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
