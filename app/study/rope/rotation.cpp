// Every pair of dimensions turns at its own speed: the clocks, and what the turning does to a score by
// distance.
#include <complex>
#include <vector>

#include "app/study/kit.h"
#include "app/study/rope/pair_plane.h"
#include "app/study/rope/score_curves.h"
#include "app/study/rope/worked_frequency.h"

namespace orrery::study::rope_rotation {
namespace {

using position::RopeFrequencies;

constexpr auto parameters = std::to_array<Parameter>({
    real("position", "Position", "37", {0, 131072}, "where the query stands; between two tokens is allowed",
         {.travel = Travel::log, .unit = "tokens", .plays = true}),
    real("base", "Base", "500000", {10, 1e9},
         "b: a larger base makes the slow pairs slower; 10000 in the paper",
         {.travel = Travel::log, .model_fact = "rope_theta"}),
    whole("head_width", "Head width", "64", {4, 256}, "d: two dimensions make a pair",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "rotary_dim"}),
    choice("pairing", "Pairing", "interleaved|half",
           "which dimensions make a pair: neighbours, or one from each half", {.model_fact = "layout"}),
    choice("frequencies", "Frequencies", "default|linear|ntk|yarn|llama3",
           "the rule that changes them for longer texts", {.model_fact = "rule"}),
    real("factor", "Factor", "8", {1, 64}, "how many times longer than the trained length",
         {.travel = Travel::log, .only_when = "frequencies=linear|ntk|yarn|llama3", .model_fact = "factor"}),
    whole("trained_length", "Trained length", "8192", {64, 1048576},
          "distances beyond it were never seen in training",
          {.travel = Travel::powers_of_two, .unit = "tokens", .model_fact = "trained_length"}),
    numbers("vector", "Vector", "1,0", {-1, 1}, "the two components of every pair before it is turned",
            {.length = 2}),
    whole("trail", "Trail", "6", {0, 32}, "so many earlier positions leave a dot where they stood",
          {.unit = "tokens", .only_when = "show=all|clocks|plane", .presentation = true}),
    whole("pair", "Pair", "8", {0, 127}, "the one drawn large; a number past the last pair means the last",
          {.only_when = "show=all|clocks|plane"}),
    choice("clocks", "Clocks", "twelve|all", "a dozen of them with their turns, or those of all pairs",
           {.only_when = "show=all|clocks", .presentation = true}),
    choice("plane", "Drawn as", "vector|complex",
           "two components that a matrix turns, or a complex number times a factor of length 1",
           {.only_when = "show=all|plane", .presentation = true}),
    show_parameter("all|clocks|score|plane|vector"),
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
    const auto [a, b] = turning.columns(static_cast<Index>(i), before.cols());
    Clock clock{
        before(0, a), before(0, b), after(0, a), after(0, b), position * turning.rope.inv_freq[i], {}};
    for (const Matrix& row : trail) clock.trail.push_back({row(0, a), row(0, b)});
    clocks.push_back(std::move(clock));
  }
  return clocks;
}

Index drawn_large(const Settings& settings, const std::vector<Clock>& clocks) {
  return std::min<Index>(settings.integer("pair"), std::ssize(clocks) - 1);
}

bool all_clocks(const Settings& settings) {
  return settings.choice("clocks") == "all";
}

Panel dials_of(const Settings& settings, const std::vector<Clock>& clocks) {
  const int marked = static_cast<int>(drawn_large(settings, clocks));
  const ClockLook look{marked, !all_clocks(settings)};
  const std::vector<Clock> drawn = look.turns ? few_of(clocks, 12, marked) : clocks;
  Panel dials = clock_panel(drawn, look);
  add_clock_handles(dials, drawn, look);
  return dials;
}

Panel plane_of(const Settings& settings, const Turning& turning, const std::vector<Clock>& clocks) {
  const Index pair = drawn_large(settings, clocks);
  const Clock& clock = clocks[static_cast<std::size_t>(pair)];
  const auto [a, b] = turning.columns(pair, settings.integer("head_width"));
  Panel plane = plane_panel({.clock = clock,
                             .pair = pair,
                             .column_a = a,
                             .column_b = b,
                             .attention_factor = turning.rope.attention_factor,
                             .alone = settings.choice("show") == "plane",
                             .complex = settings.choice("plane") == "complex"});
  const std::vector<double>& before = settings.vector("vector");
  plane.handles = {{.x = before[0],
                    .y = before[1],
                    .parameter = "vector",
                    .hint = "the vector before it is turned: drag it"},
                   {.x = clock.to_x,
                    .y = clock.to_y,
                    .parameter = "vector",
                    .hint = "the vector after it is turned: drag it"}};
  return plane;
}

Series pair_series(const std::vector<Clock>& clocks, const RopeFrequencies& rope,
                   const position::RopeTable& turned) {
  const auto angle = [&](double i) { return clocks[Index(i)].angle; };
  const auto frequency = [&](double i) { return rope.inv_freq[Index(i)]; };
  Series pairs("pairs", {"pair", "", counted(std::ssize(clocks))});
  pairs.add({.name = "wavelength", .unit = "tokens", .digits = 5},
            [&](double i) { return full_turn / frequency(i); });
  pairs.add({.name = "angle", .unit = "rad", .digits = 5}, angle);
  pairs.add({.name = "turns", .digits = 4}, [&](double i) { return angle(i) / full_turn; });
  pairs.add({.name = "frequency", .unit = "rad/token"}, frequency);
  pairs.add("cos", [&](double i) { return turned.cos(0, Index(i)); });
  pairs.add("sin", [&](double i) { return turned.sin(0, Index(i)); });
  return pairs;
}

std::string turning_text(double position, const Series& pairs) {
  const auto round = std::ranges::count_if(pairs["turns"], [](double t) { return std::abs(t) >= 1; });
  return "Each pair turns at its own speed: at position " + grouped(position) + ", " +
         grouped(number(round)) + " of " + grouped(number(std::ssize(pairs.x()))) +
         (round == 1 ? " has" : " have") + " gone round";
}

/// Every hand against the arithmetic of complex numbers: what was drawn from it, times a e^(iφ) with the angle of the table.
Check hands_check(const Run& run, const Turning& turning, const std::vector<Clock>& clocks,
                  const Matrix& after) {
  Worst off;
  for (const Clock& clock : clocks) {
    const std::complex<double> turned =
        std::polar(turning.rope.attention_factor, clock.angle) * std::complex(clock.from_x, clock.from_y);
    off.meet(std::abs(turned - std::complex(clock.to_x, clock.to_y)));
  }
  // Both components may be off: √2. The fast twins have rounded cosine and sine to float, which is the row term again; in
  // double eight roundings are made on either way.
  twin::Bounds bounds{position::rope_bound, position::rope_gpu_bound};
  bounds.cpu.row *= 2;
  bounds.gpu.row *= 2;
  return {"every hand stands at the angle $m\\theta_i$", off,
          std::numbers::sqrt2 * slack(run, bounds, after, 16)};
}

/// The op's score at a few distances against the range that is drawn of their stretches by sums of waves.
Check curve_check(const Run& run, const Turning& turning, const ScoreCurves& scores, const Matrix& before) {
  const ScoreCurve& chosen = scores.curves.back();
  const std::vector<double>&distances = scores.by_distance.x(), &lowest = scores.by_distance[chosen.lowest()],
        &highest = scores.by_distance[chosen.highest()];
  constexpr std::size_t asked = 12;
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < asked; ++k) rows.push_back(k * (distances.size() - 1) / (asked - 1));
  std::vector<double> at;
  for (const std::size_t row : rows) at.push_back(distances[row]);
  const Matrix op = normalised_scores(run, turning, before, at, 0);
  Worst outside;
  for (std::size_t k = 0; k < asked; ++k) {
    const double score = op.data()[k];
    outside.meet(std::max(lowest[rows[k]] - score, score - highest[rows[k]]));
  }
  // An angle is rounded by 2^-52 of itself; waves are stepped on 128 times, which loses 128² of that.
  const double a2 = turning.rope.attention_factor * turning.rope.attention_factor;
  return {"the drawn range of scores holds those of the turned vectors", outside,
          a2 * (twin::turned_score_slack(run, before.cols()) + (at.back() + 16384) * 0x1p-52)};
}

/// Of the pair that is drawn large: its frequency, and the first of its two components turned.
std::string worked_of(const Settings& settings, const Run& run, const Turning& turning, const Matrix& before,
                      Index pair) {
  const double position = settings.real("position"), theta = turning.rope.inv_freq[std::size_t(pair)],
               a = turning.rope.attention_factor;
  const auto [first, second] = turning.columns(pair, before.cols());
  const Matrix turned =
      twin::rope(twin::on_reference(run), before, turning.table(std::array{position}), turning.layout);
  const Term angle = term(position) * theta,
             real = cos(angle) * before(0, first) - sin(angle) * before(0, second);
  Worked worked;
  add_frequency(worked, "\\theta", chosen_rule(settings), pair);
  worked.add(subscripted("\\mathrm{Re}\\,y", number(pair)), a == 1 ? real : a * real, turned(0, first));
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Turning turning = turning_of(settings, chosen_rule(settings));
  const double position = settings.real("position");
  const position::RopeTable table = turning.table(std::array{position});
  const Matrix before = turning.repeated(settings.vector("vector"), settings.integer("head_width"));
  const Matrix after = twin::rope(run, before, table, turning.layout);
  const std::vector<Clock> clocks =
      clocks_of(turning, before, after, trail_of(settings, run, turning, before), position);
  const ScoreCurves scores = score_curves(settings, run, before);
  const double score_here = normalised_scores(run, turning, before, std::array{position}, 0)(0, 0);
  const Series columns = column_series(before, after);
  const Series pairs = pair_series(clocks, turning.rope, table);

  std::vector<Check> checks = turning_checks(run, turning, before, after, position);
  checks.push_back(hands_check(run, turning, clocks, after));
  checks.push_back(curve_check(run, turning, scores, before));

  Picture picture(
      turning_text(position, pairs),
      "Clocks for pairs of dimensions: a hand is the pair turned by position times frequency, and "
      "dots show where it stood before; one pair is drawn large. Below, the score of a vector "
      "against itself by distance, and the turned vector column by column.");
  picture.at({0, 0, 1, 3}, "clocks", dials_of(settings, clocks));
  picture.at({1, 0}, "score", score_panel(settings, scores, score_here));
  picture.at({1, 1}, "plane", plane_of(settings, turning, clocks));
  picture.at({1, 2}, "vector", vector_panel(columns, settings.choice("show") == "vector"));
  const double dials = all_clocks(settings) ? 1.75 : 0.42;
  return {std::move(picture).figure(settings, {.aspect = all_clocks(settings) ? 1.2 : 1.5,
                                               .rows = {dials, 1},
                                               .cols = {1.9, 1, 1},
                                               .telling = {"clocks", "score"}}),
          {pairs.table(), scores.by_distance.table(), columns.table()},
          std::move(checks),
          worked_of(settings, run, turning, before, drawn_large(settings, clocks))};
}

constexpr auto tries = std::to_array<Try>({
    {"Go far: the fast pairs have gone round hundreds of times, the last still points right.",
     "position=4096",
     [](auto& now, auto&) {
       return column(now, "pairs", "turns").front() > 200 && column(now, "pairs", "turns").back() < 0.01;
     }},
    {"Take the paper's base: past the trained length the mean score lies about 0.", "base=10000",
     [](auto& now, auto& before) {
       const auto past = [](const StudyResult& r) {
         return column_from(r, "scores", r.tables[1].columns.at(r.tables[1].columns.size() - 3).name, 8192);
       };
       return largest(past(now)) < 0.1 && least(past(before)) > 0.1;
     }},
    {"Look at one pair as a complex number: its length stays, its angle grows.",
     "plane=complex vector=0.8,0.4 show=all",
     [](auto& now, auto&) {
       const double length = std::hypot(at(now, "vector", "turned", 16), at(now, "vector", "turned", 17));
       return std::abs(length - std::hypot(0.8, 0.4)) < 1e-6 && at(now, "pairs", "angle", 8) > 1;
     }},
    {"Stretch the slow pairs as Llama 3.1 does.", "frequencies=llama3 factor=8 base=500000",
     [](auto& now, auto& before) {
       const auto &slow = column(now, "pairs", "wavelength"), &plain = column(before, "pairs", "wavelength");
       return slow.front() == plain.front() && std::abs(slow.back() / plain.back() - 8) < 1e-9;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/rotation",
    .title = "Rotation",
    .topic = "Rotary positions",
    .summary = "each pair of dimensions turns at its own speed",
    .formula = R"(\theta_i = b^{-2i/d}, \quad y_i = e^{\mathrm{i} m \theta_i} x_i)",
    .about =
        "Pair i of a query at position m is turned by m times its frequency. Fast pairs tell neighbours "
        "apart; slow ones have not finished a turn yet (in the accent colour) and carry the coarse position. "
        "A score feels the difference of two positions only.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 34",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_rotation
