// RoFormer's bound on a score by distance, the similarity that stands behind it, and a key that does not care.
#include "app/study/kit.h"
#include "app/study/rope/rules.h"
#include "core/position/rope_decay.h"
#include "core/position/rope_envelope.h"

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

constexpr double most_alone = 600;  // distances that a page still shows one by one
constexpr double stretches_drawn = 300;

/// Where stretches of distances begin that are drawn as one, and the end: every distance while there are few.
std::vector<Index> stretches(double reach) {
  const double steps = reach <= most_alone ? reach : stretches_drawn;
  std::vector<Index> from{1};  // at 0 stands the largest, alone
  for (double i = 0; i <= steps; ++i) from.push_back(std::lround(reach * i / steps));
  from.push_back(static_cast<Index>(std::ceil(reach / 2)));  // the title speaks of all beyond
  from.push_back(static_cast<Index>(reach) + 1);
  std::ranges::sort(from);
  const auto again = std::ranges::unique(from);
  from.erase(again.begin(), again.end());
  return from;
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

/// What is drawn of the sums: of every stretch the mean, and its lowest and highest where distances are drawn together.
/// Where they stand alone the marked one is among them even where it lies between two tokens.
class Decay {
 public:
  Decay(std::vector<Index> from, double reach, double marked) : from_(std::move(from)), marked_(marked) {
    std::vector<double> x(from_.begin(), from_.end() - 1);
    between_ = std::ranges::upper_bound(x, marked) - x.begin();
    together_ = reach > most_alone;
    if (!together_ && marked < reach && marked != std::floor(marked)) x.insert(x.begin() + between_, marked);
    series_ = Series("decay", {"distance", "tokens", std::move(x)});
  }
  void add(const std::string& name, position::Envelope sums, const auto& at) {
    for (std::size_t i = 0; i + 1 < from_.size(); ++i)
      if (from_[i + 1] == from_[i] + 1)
        sums.mean[i] = sums.lowest[i] = sums.highest[i] = at(number(from_[i]));
    if (series_.size() == from_.size())
      for (std::vector<double>* each : {&sums.lowest, &sums.mean, &sums.highest})
        each->insert(each->begin() + between_, at(marked_));
    series_.add(name, std::move(sums.mean));
    if (!together_) return;
    series_.add(name + ", lowest", std::move(sums.lowest)).add(name + ", highest", std::move(sums.highest));
  }

  const Series& series() const { return series_; }
  bool together() const { return together_; }
  const std::vector<double>& highest(const std::string& name) const {
    return series_[together_ ? name + ", highest" : name];
  }
  const std::vector<double>& lowest(const std::string& name) const {
    return series_[together_ ? name + ", lowest" : name];
  }
  /// From the lowest to the highest of each stretch, under the lines.
  void draw_range(Panel& panel, const std::string& name, figure::Ink ink) const {
    if (together_) panel.marks.push_back(series_.band(name + ", lowest", name + ", highest", {.ink = ink}));
  }

 private:
  std::vector<Index> from_;
  double marked_;
  std::ptrdiff_t between_ = 0;
  bool together_ = false;
  Series series_{"decay", {}};
};

Decay decay_of(const Run& run, const std::vector<double>& theta, const PairProducts& peaked,
               const PairProducts& random, double reach, double marked) {
  const double pairs = number(theta.size());
  const std::vector<Index> from = stretches(reach);
  const auto pause = [&] { run.check(); };
  const auto score_of = [&](const PairProducts& h) {
    return position::score_envelope(h, theta, 1 / pairs, from, pause);
  };
  const auto exact = [&](const PairProducts& h) {
    return [&](double r) { return position::score_at(h, theta, r) / pairs; };
  };
  Decay decay(from, reach, marked);
  decay.add("mean of |S|", position::partial_sum_envelope(theta, from, pause),
            [&](double r) { return position::mean_partial_sum(theta, r); });
  decay.add("like the query", score_of(PairProducts(theta.size(), 1)),
            [&](double r) { return position::similarity(theta, r) / pairs; });
  decay.add("turned back", score_of(peaked), exact(peaked));
  decay.add("random", score_of(random), exact(random));
  return decay;
}

Panel bound_panel(const Decay& decay, double distance) {
  Panel panel{.title = "The bound: mean of the partial sums",
              .x = {.label = "distance $r$", .group = 1},
              .y = values("mean of $|S_j|$", Range{0, 1.05 * largest(decay.highest("mean of |S|"))}),
              .legend = LegendPlace::none};
  decay.draw_range(panel, "mean of |S|", series(0));
  panel.marks.push_back(decay.series().line("mean of |S|"));
  if (distance <= decay.series().x().back())
    panel.marks.push_back(Rule{.at = distance, .ink = ink(Role::accent)});
  return panel;
}

Panel score_panel(const Decay& decay, double distance) {
  Panel panel{.title = decay.together() ? "Scores of three keys / $(d/2)$: mean and range"
                                        : "Scores of three keys / $(d/2)$",
              .x = {.label = "distance $r$", .group = 1},
              .y = values("score"),
              .legend = LegendPlace::above};
  decay.draw_range(panel, "random", ink(Role::faint, 0.35));
  decay.draw_range(panel, "like the query", series(0));
  decay.draw_range(panel, "turned back", ink(Role::accent, 0.3));
  const Series& scores = decay.series();
  panel.marks.push_back(scores.line("random", {.ink = ink(Role::faint, 0.7), .label = "random"}));
  panel.marks.push_back(scores.line("like the query", {.label = "like the query: $B(r)$"}));
  panel.marks.push_back(scores.line(
      "turned back", {.ink = ink(Role::accent), .dash = Dash::long_dash, .label = "turned back"}));
  if (distance <= scores.x().back())
    add_handle(panel, distance, 1, "distance", "drag: the key scores most wherever it is turned back to");
  return panel;
}

/// The largest |score| over its bound, at the first distance of every stretch: 1 would break it.
double worst_of_bound(const PairProducts& h, const std::vector<double>& theta,
                      const std::vector<double>& distances) {
  double worst = 0;
  for (const double r : distances)
    worst = std::max(
        worst, std::abs(position::score_at(h, theta, r)) /
                   (position::largest_step(h) * number(theta.size()) * position::mean_partial_sum(theta, r) +
                    1e-300));
  return worst;
}

/// How high the bound still swings in the farther half of what is drawn, beyond which it may rise again, and that a key need
/// not follow it.
std::string bound_text(const Decay& decay, double distance) {
  const std::vector<double>&bound = decay.highest("mean of |S|"), &distances = decay.series().x();
  const double half = distances.back() / 2;
  double most = 0;
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] >= half) most = std::max(most, bound[i]);
  return "From distance " + grouped(half) + " to " + grouped(distances.back()) + " the bound is at most " +
         short_text(most, 3) + ", at 0 it is " + short_text(bound.front(), 3) + "; a key can score most at " +
         grouped(distance);
}

/// How far the sums at the first distances lie outside of what is drawn of their stretches.
double outside(const Decay& decay, const std::string& name, const auto& at) {
  const std::vector<double>&lowest = decay.lowest(name), &highest = decay.highest(name);
  double worst = 0;
  for (std::size_t i = 0; i < lowest.size(); ++i) {
    const double here = at(decay.series().x()[i]);
    worst = std::max({worst, lowest[i] - here, here - highest[i]});
  }
  return worst;
}

std::vector<Check> checks_of(const std::vector<double>& theta, const PairProducts& peaked,
                             const PairProducts& random, const Decay& decay, double distance) {
  const double pairs = number(theta.size());
  const std::vector<double> roformer = stretched_rule("none", {128, 10000, 4096, 1}).rope.inv_freq;
  // An angle of distance × frequency is rounded twice, by 2^-52 of itself at most.
  const double angle = distance * 0x1p-52 + 4 * 0x1p-52;
  const std::vector<double>& distances = decay.series().x();
  const double sums = std::max(
      outside(decay, "mean of |S|", [&](double r) { return position::mean_partial_sum(theta, r); }),
      outside(decay, "random", [&](double r) { return position::score_at(random, theta, r) / pairs; }));
  return {
      {"random key: |score| over the bound", worst_of_bound(random, theta, distances), 1 + 1e-12},
      {"counter-example: |score| over the bound", worst_of_bound(peaked, theta, distances), 1 + 1e-12},
      // A sum of up to P waves, each with an angle rounded as above, and stepped on for 256 distances.
      {"what is drawn of a stretch holds the sum at its first distance", sums,
       pairs * (distances.back() + 16384) * 0x1p-52},
      {"the counter-example reaches $d/2$ where it was turned back to",
       std::abs(position::score_at(peaked, theta, distance) / pairs - 1), angle},
      {"at distance 0 the mean is $(d/2 + 1)/2$",
       std::abs(decay.series()["mean of |S|"][0] - (pairs + 1) / 2) / pairs, 0x1p-50},
      known_answer("the sum of RoFormer's figure 2 at r = 50: 12.6295",
                   std::abs(position::mean_partial_sum(roformer, 50) - 12.6295), 5e-5),
  };
}

/// At the chosen distance: the mean of the partial sums, and the bound of the key that was turned back to there.
std::string worked_of(const std::vector<double>& theta, const PairProducts& peaked, double distance) {
  const double pairs = number(theta.size()), mean = position::mean_partial_sum(theta, distance),
               step = position::largest_step(peaked);
  Worked worked;
  worked.add("\\frac{2}{d} \\sum_j |S_j|", worked::frac(mean * pairs, pairs), mean);
  return worked.add("\\max_i |h_{i+1} - h_i| \\sum_j |S_j|", term(step) * (mean * pairs), step * mean * pairs)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const double distance = settings.real("distance");
  const std::vector<double> theta = stretched_rule("none", stretch_of(settings)).rope.inv_freq;
  const PairProducts peaked = turned_key(theta, distance),
                     random = random_key(theta.size(), seed_of(settings));
  const Decay decay = decay_of(run, theta, peaked, random, settings.real("reach"), distance);
  Picture picture(
      bound_text(decay, distance),
      "Above, RoFormer's bound on any score by distance. Below, "
      "three scores under it: of a key like the query, of a random key, and of a key that scores "
      "most at the chosen distance. Of many distances together, the mean and the range of each stretch.");
  picture.at({0, 0}, "bound", bound_panel(decay, distance))
      .at({1, 0}, "scores", score_panel(decay, distance));
  return {std::move(picture).figure(settings, {.aspect = 1.2, .rows = {1, 1.2}}),
          {decay.series().table()},
          checks_of(theta, peaked, random, decay, distance),
          worked_of(theta, peaked, distance)};
}

constexpr auto tries = std::to_array<Try>({
    {"Turn the key back to 240: it scores most there, under a bound that has fallen to a quarter.",
     "distance=240",
     [](auto& now, auto&) {
       return at(now, "decay", "turned back", 240) == most(column(now, "decay", "turned back")) &&
              4 * at(now, "decay", "mean of |S|", 240) < at(now, "decay", "mean of |S|", 0);
     }},
    {"A narrow head: the bound is not even falling.", "head_width=16",
     [](auto& now, auto&) {
       const auto& bound = column(now, "decay", "mean of |S|");
       return bound.back() > 1.5 * least(bound);
     }},
    {"Llama 3's base, far out: the decay is slower, and then it swings.",
     "model=llama-3.1-8b reach=32768 distance=20000",
     [](auto& now, auto& before) {
       return at(now, "decay", "mean of |S|", 256) > at(before, "decay", "mean of |S|", 256) &&
              2 * at(now, "decay", "like the query, lowest", 25000) <
                  at(now, "decay", "like the query, highest", 25000);
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/decay",
    .title = "Long-term decay",
    .topic = "Past the trained length",
    .summary = "the bound falls at first, then swings; a score need not follow it",
    .formula =
        R"(|q^T R_r k| \le \max_i |h_{i+1} - h_i| \sum_{j=1}^{d/2} |S_j|, \quad S_j = \sum_{i<j} e^{\mathrm{i} r \theta_i})",
    .about =
        "RoFormer bounds every score by a sum, which its figure 2 draws by distance, to 256: there it falls, if "
        "not evenly; far out it swings, and rises again. It is the bound that decays: a key like the query "
        "follows it roughly, as B(r), a random key does not care, and for any distance there is a key that "
        "scores most exactly there.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, section 3.4.3 and figure 2; Barbero et al. 2024, arXiv "
        "2410.06205, section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_decay
