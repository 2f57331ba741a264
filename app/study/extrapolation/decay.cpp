// RoFormer's bound on a score by distance, the similarity that stands behind it, and a key that does not care.
#include "app/study/kit.h"
#include "app/study/rope/rules.h"
#include "core/position/rope_decay.h"

namespace orrery::study::extrapolation_decay {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    whole("reach", "Reach", "256", {16, 131072},
          "the largest distance drawn; RoFormer's figure 2 ends at 256",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    real("distance", "Distance", "150", {0, 131072}, "where the counter-example scores most",
         {.travel = Travel::log, .unit = "tokens"}),
    seed_parameter("of the random query and key"),
    show_parameter("all|bound|scores"),
});

constexpr double most_samples = 600;

/// Whole distances while there are few, then evenly spread ones; and all about the marked one, where something happens
/// from one token to the next.
std::vector<double> distances(double reach, double marked) {
  constexpr double about = 24;
  const double steps = std::floor(std::min(reach, most_samples));
  std::vector<double> r;
  for (double i = 0; i <= steps; ++i) r.push_back(reach * i / steps);
  if (steps == reach && marked == std::floor(marked)) return r;
  for (double m = std::floor(marked) - about; m <= marked + about; ++m)
    if (m >= 0 && m <= reach) r.push_back(m);
  if (marked <= reach) r.push_back(marked);
  std::ranges::sort(r);
  const auto again = std::ranges::unique(r);
  r.erase(again.begin(), again.end());
  return r;
}

/// A query of ones, and the key whose every pair was turned back by the distance.
PairProducts turned_key(const std::vector<double>& theta, double distance) {
  PairProducts h;
  for (const double t : theta) h.push_back(std::polar(1.0, -distance * t));
  return h;
}

/// Independent normal components, over √2: each pair is 1 on average, as those of ones are.
PairProducts random_key(std::size_t pairs, std::uint64_t seed) {
  PairProducts h = random_products(pairs, seed);
  for (auto& each : h) each /= 2.0;
  return h;
}

Series decay_of(const std::vector<double>& theta, const PairProducts& peaked, const PairProducts& random,
                double reach, double marked) {
  const double pairs = number(theta.size());
  Series decay("decay", {"distance", "tokens", distances(reach, marked)});
  decay.add("mean of |S|", [&](double r) { return position::mean_partial_sum(theta, r); });
  decay.add("like the query", [&](double r) { return position::similarity(theta, r) / pairs; });
  decay.add("turned back", [&](double r) { return position::score_at(peaked, theta, r) / pairs; });
  decay.add("random", [&](double r) { return position::score_at(random, theta, r) / pairs; });
  return decay;
}

Panel bound_panel(const Series& decay) {
  return {.title = "The bound: mean of the partial sums",
          .x = {.label = "distance $r$", .group = 1},
          .y = values("mean of $|S_j|$", Range{0, 1.05 * largest(decay["mean of |S|"])}),
          .marks = {decay.line("mean of |S|")},
          .legend = LegendPlace::none};
}

Panel score_panel(const Series& decay, double distance) {
  Panel panel{.title = "Scores of three keys / $(d/2)$",
              .x = {.label = "distance $r$", .group = 1},
              .y = values("score"),
              .marks = {decay.line("random", {.ink = ink(Role::faint, 0.7), .label = "random"}),
                        decay.line("like the query", {.label = "like the query: $B(r)$"}),
                        decay.line("turned back", {.ink = ink(Role::accent), .label = "turned back"})},
              .legend = LegendPlace::above};
  if (distance <= decay.x().back())
    add_handle(panel, distance, 1, "distance", "drag: the key scores most wherever it is turned back to");
  return panel;
}

/// The largest |score| over its bound: 1 would break it.
double worst_of_bound(const PairProducts& h, const Series& decay, std::string_view scores) {
  const auto &score = decay[scores], &bound = decay["mean of |S|"];
  double worst = 0;
  for (std::size_t i = 0; i < score.size(); ++i)
    worst = std::max(worst, std::abs(score[i]) / (position::largest_step(h) * bound[i] + 1e-300));
  return worst;
}

/// How high the bound still swings in the farther half, and that a key need not follow it.
std::string bound_text(const Series& decay, double distance) {
  const std::vector<double>& bound = decay["mean of |S|"];
  const double half = decay.x().back() / 2;
  double most = 0;
  for (std::size_t i = 0; i < decay.size(); ++i)
    if (decay.x()[i] >= half) most = std::max(most, bound[i]);
  return "From distance " + grouped(half) + " on the bound is at most " + short_text(most, 3) +
         ", at 0 it is " + short_text(bound.front(), 3) + "; a key can score most at " + grouped(distance);
}

std::vector<Check> checks_of(const std::vector<double>& theta, const PairProducts& peaked,
                             const PairProducts& random, const Series& decay, double distance) {
  const double pairs = number(theta.size());
  const std::vector<double> roformer = stretched_rule("none", {128, 10000, 4096, 1}).rope.inv_freq;
  // An angle of distance × frequency is rounded twice, by 2^-52 of itself at most.
  const double angle = distance * 0x1p-52 + 4 * 0x1p-52;
  return {
      {"random key: |score| over the bound", worst_of_bound(random, decay, "random"), 1 + 1e-12},
      {"counter-example: |score| over the bound", worst_of_bound(peaked, decay, "turned back"), 1 + 1e-12},
      {"the counter-example reaches $d/2$ where it was turned back to",
       std::abs(position::score_at(peaked, theta, distance) / pairs - 1), angle},
      {"at distance 0 the mean is $(d/2 + 1)/2$", std::abs(decay["mean of |S|"][0] - (pairs + 1) / 2) / pairs,
       0x1p-50},
      {"RoFormer's figure 2 at r = 50: 12.6295", std::abs(position::mean_partial_sum(roformer, 50) - 12.6295),
       5e-5},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const double distance = settings.real("distance");
  const std::vector<double> theta = stretched_rule("none", stretch_of(settings)).rope.inv_freq;
  const PairProducts peaked = turned_key(theta, distance),
                     random = random_key(theta.size(), seed_of(settings));
  const Series decay = decay_of(theta, peaked, random, settings.real("reach"), distance);
  Picture picture(bound_text(decay, distance),
                  "Above, RoFormer's bound on any score by distance. Below, "
                  "three scores under it: of a key like the query, of a random key, and of a key that scores "
                  "most at the chosen distance.");
  picture.at({0, 0}, "bound", bound_panel(decay)).at({1, 0}, "scores", score_panel(decay, distance));
  return {std::move(picture).figure(settings, {.aspect = 1.2, .rows = {1, 1.2}}),
          {decay.table()},
          checks_of(theta, peaked, random, decay, distance)};
}

constexpr auto tries = std::to_array<Try>({
    {"Turn the key back to 240: it scores most there, under a falling bound.", "distance=240"},
    {"A narrow head: the bound is not even falling.", "head_width=16"},
    {"Llama 3's base, far out: the decay is slower, and then it swings.",
     "model=llama-3.1-8b reach=32768 distance=20000"},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/decay",
    .title = "Long-term decay",
    .topic = "Past the trained length",
    .summary = "the bound falls with distance; a score need not",
    .formula =
        R"(|q^T R_r k| \le \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|, \quad S_j = \sum_{i<j} e^{\mathrm{i} r \theta_i})",
    .about =
        "RoFormer bounds every score by a sum that falls with distance, and its figure 2 draws that sum. It "
        "is the bound that decays: a key like the query follows it roughly, as B(r), a random key does not "
        "care, and for any distance there is a key that scores most exactly there.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, section 3.4.3 and figure 2; Barbero et al. 2024, arXiv "
        "2410.06205, section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_decay
