// ALiBi: the slopes of any number of heads by each published rule, the biases, and how far each head looks.
#include "core/position/alibi.h"

#include <bit>

#include "app/study/kit.h"
#include "app/study/position/bias_curves.h"

namespace orrery::study::position_alibi {
namespace {

using position::AlibiRule;

constexpr auto parameters = std::to_array<Parameter>({
    whole("heads", "Heads", "12", {1, 256}, "H: for a power of two all rules agree", {.travel = Travel::log}),
    choice("rule", "Rule", "code|mosaic|formula",
           "whose slopes the biases have: the authors' code, MPT's code, or the paper's formula for every H"),
    whole("length", "Keys", "1024", {2, 65536}, "L: how many keys there are to look at",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice("direction", "Direction", "causal|bidirectional",
           "keys before the query only, or on both sides of it"),
    show_parameter("all|slopes|reach|bias"),
});

struct PublishedRule {
  AlibiRule rule;
  const char* name;
};
constexpr std::array rules{PublishedRule{AlibiRule::code, "authors' code"},
                           PublishedRule{AlibiRule::mosaic, "MPT's code"},
                           PublishedRule{AlibiRule::formula, "formula for every $H$"}};

AlibiRule chosen(const Settings& settings) {
  const std::string& name = settings.choice("rule");
  return name == "code" ? AlibiRule::code : name == "mosaic" ? AlibiRule::mosaic : AlibiRule::formula;
}

std::vector<double> chosen_slopes(const Settings& settings) {
  return position::alibi_slopes(settings.integer("heads"), chosen(settings));
}

bool two_sided(const Settings& settings) {
  return settings.choice("direction") == "bidirectional";
}

/// Of a head whose scores are its bias alone, among so many keys: how far what it attends to is on average, within which
/// distance 99 % of the weight lies, and its entropy in nats.
struct Looks {
  double mean, within, entropy;
};

/// Weights q^k, q = e^−slope, summed from the smallest on; beyond 50/slope they are below 2e-22 of the nearest one.
Looks looks_of(double slope, double keys, bool both_sides) {
  const double last = std::min(keys - 1, std::ceil(50 / slope));
  const auto weight = [&](double k) { return std::exp(-slope * k) * (both_sides && k > 0 ? 2 : 1); };
  double sum = 0, far = 0;
  for (double k = last; k >= 0; --k) {
    sum += weight(k);
    far += weight(k) * k;
  }
  double within = last;
  for (double beyond = weight(last); beyond < 0.01 * sum && within > 0; beyond += weight(within)) --within;
  // Each key has e^(−slope k)/sum of the weight: −ln p is ln sum + slope k, and that on average.
  return {far / sum, within, std::log(sum) + slope * far / sum};
}

/// The same with keys without end: 1/(e^slope − 1), and 1/sinh(slope) with keys on both sides.
double geometric_reach(double slope, bool both_sides) {
  return both_sides ? 1 / std::sinh(slope) : 1 / std::expm1(slope);
}

Series slope_series(const Settings& settings, const Run& run) {
  const std::vector<double> slopes = chosen_slopes(settings);
  Series series("slopes", {"head", "", numbered(settings.integer("heads"))});
  for (const PublishedRule& each : rules)
    series.add(each.name, position::alibi_slopes(settings.integer("heads"), each.rule));
  const auto add = [&](const char* name, const char* unit, auto&& of_slope) {
    series.add({.name = name, .unit = unit}, [&](double head) {
      run.check();
      return of_slope(slopes[static_cast<std::size_t>(head) - 1]);
    });
  };
  const auto looks = [&](double slope) {
    return looks_of(slope, settings.real("length"), two_sided(settings));
  };
  add("mean distance", "tokens", [&](double slope) { return looks(slope).mean; });
  add("of endless keys", "tokens", [&](double slope) { return geometric_reach(slope, two_sided(settings)); });
  add("99 % within", "tokens", [&](double slope) { return looks(slope).within; });
  add("entropy", "nat", [&](double slope) { return looks(slope).entropy; });
  return series;
}

/// A panel of values by head on a log axis.
Panel head_panel(const Series& slopes, std::string title, std::string label, std::vector<Mark> marks) {
  Panel panel{.title = std::move(title),
              .x = counts("head $h$", Range{0.5, slopes.x().back() + 0.5}),
              .y = octaves(std::move(label)),
              .marks = std::move(marks),
              .legend = LegendPlace::above};
  panel.y.grid = true;
  return panel;
}

/// Of many heads the marks are smaller: each is seen.
double radius_of(double usual, const Series& heads) {
  return usual * std::min(1.0, 16 / number(heads.size()) + 0.3);
}

/// The head that looks farthest, counted from 0: one path in the accent colour through all panels.
std::size_t farthest_head(const std::vector<double>& slopes) {
  return static_cast<std::size_t>(std::ranges::min_element(slopes) - slopes.begin());
}

Points farthest(const Settings& settings, const Series& slopes, const std::vector<double>& heights,
                std::string label) {
  const std::size_t head = farthest_head(chosen_slopes(settings));
  return {.x = {slopes.x()[head]},
          .y = {heights[head]},
          .ink = ink(Role::accent),
          .radius = radius_of(2.0, slopes),
          .label = std::move(label),
          .reading = {.name = "the farthest"}};
}

/// Discs, crosses over them, and rings: where two rules agree both are seen.
Panel slope_panel(const Settings& settings, const Series& slopes) {
  constexpr std::array symbols{Symbol::ring, Symbol::cross, Symbol::triangle};
  std::vector<Mark> marks;
  for (int i = 0; i < static_cast<int>(rules.size()); ++i)
    marks.push_back(slopes.points(rules[i].name, {.ink = series(i),
                                                  .radius = radius_of(i == 0 ? 3.2 : 2.0, slopes),
                                                  .symbol = symbols[i],
                                                  .label = rules[i].name}));
  marks.push_back(farthest(settings, slopes, chosen_slopes(settings), ""));
  return head_panel(slopes, "Slope of each head by rule", "slope $k_h$", std::move(marks));
}

Panel reach_panel(const Settings& settings, const Series& slopes) {
  return head_panel(slopes, "How far each head looks", "mean distance (tokens)",
                    {slopes.points("of endless keys", {.radius = radius_of(3.2, slopes),
                                                       .symbol = Symbol::ring,
                                                       .label = two_sided(settings) ? R"($1/\sinh k_h$)"
                                                                                    : R"($1/(e^{k_h}-1)$)"}),
                     slopes.points("mean distance", {.ink = series(1),
                                                     .radius = radius_of(2.0, slopes),
                                                     .symbol = Symbol::cross,
                                                     .label = "among $L$ keys"}),
                     farthest(settings, slopes, slopes["mean distance"], "the farthest")});
}

/// The bias of every head by distance: two points are enough for a straight line.
Panel bias_panel(const Settings& settings) {
  constexpr double lowest = -12;  // e^-12 is 6e-6: nobody looks there
  const double keys = settings.real("length"), left = two_sided(settings) ? -keys : 0,
               hundredth = -std::log(100);
  Panel panel{.title = "Bias by distance",
              .x = counts(two_sided(settings) ? "key before or after the query (tokens)" : "distance $m - n$",
                          Range{left, keys}),
              .y = values("added to the score", Range{lowest, 0}),
              .legend = LegendPlace::above};
  const std::vector<double> k = chosen_slopes(settings);
  const auto below = static_cast<Index>(std::bit_floor(k.size()));
  const std::vector<double> power = position::alibi_slopes(below);
  const bool one_list = chosen(settings) == AlibiRule::formula;
  std::array<std::string, 2> label{
      "slopes of " + amount(number(one_list ? std::ssize(k) : below), "head", "heads"),
      "every other slope of " + grouped(number(2 * below)) + " heads"};
  const auto farthest = static_cast<int>(farthest_head(k));
  int head = 0;
  for (const double slope : k) {
    const bool between = !one_list && std::ranges::find(power, slope) == power.end();
    const double end = std::min(keys, -lowest / slope);
    Line line{.x = two_sided(settings) ? std::vector{-end, 0.0, end} : std::vector{0.0, end},
              .ink = head == farthest ? ink(Role::accent) : series(between),
              .width = head == farthest ? 1.4 : 0.8,
              .label = head == farthest ? "the farthest" : std::exchange(label[between], ""),
              .reading = {.name = "head " + std::to_string(++head), .between = true}};
    for (const double each : line.x) line.y.push_back(-slope * std::abs(each));
    panel.marks.push_back(std::move(line));
  }
  panel.marks.push_back(Line{.x = {left, keys},
                             .y = {hundredth, hundredth},
                             .ink = ink(Role::secondary),
                             .dash = Dash::dotted,
                             .label = "1 % of the nearest key",
                             .reading = {.none = true}});
  return panel;
}

/// Weights of the last query by −k(m − n) and by +k n, as some code has it: one constant a row between them.
double shift_error(std::span<const double> slopes, Index length) {
  Matrix fall(std::ssize(slopes), length), rise = fall;
  for (Index h = 0; h < fall.rows(); ++h)
    for (Index n = 0; n < length; ++n) {
      fall(h, n) = -slopes[h] * number(length - 1 - n);
      rise(h, n) = slopes[h] * number(n);
    }
  Run exact;
  exact.device = DeviceChoice::ref;
  return (twin::softmax(exact, fall, {}) - twin::softmax(exact, rise, {})).cwiseAbs().maxCoeff();
}

std::vector<Check> checks_of(const Settings& settings, const Run& run) {
  const Index heads = settings.integer("heads");
  const std::vector<double> slopes = chosen_slopes(settings), eight = position::alibi_slopes(8);
  Worst published, powers, geometric;
  for (int h = 0; h < 8; ++h) published.meet(std::abs(eight[h] - std::exp2(-h - 1)));
  for (Index power = 1; power <= 256; power *= 2)
    powers.meet(
        largest_difference(position::alibi_slopes(power), position::alibi_slopes(power, AlibiRule::formula)));
  for (const double slope : eight)
    geometric.meet(std::abs(looks_of(slope, 1e9, false).mean / geometric_reach(slope, false) - 1));
  const Index seen = std::min<Index>(settings.integer("length"), 256);
  const std::span<const double> some = std::span(slopes).first(std::min<std::size_t>(slopes.size(), 8));
  constexpr auto both = position::Direction::bidirectional;
  return {
      known_answer("8 heads have the paper's slopes $1/2, 1/4, 1/8 … 1/256$", published, 0),
      {"MPT's code gives the authors' list",
       largest_difference(position::alibi_slopes(heads), position::alibi_slopes(heads, AlibiRule::mosaic)),
       0},
      known_answer("powers of two up to 256: the formula gives the code's list", powers, 0),
      // A quotient of sums of thousands of rounded weights, which fall one way and the other.
      known_answer("summed weights have the mean distance $1/(e^k-1)$", geometric, 1e-12),
      known_answer("slope $1/256$: 255.500325520751 tokens",
                   std::abs(geometric_reach(0x1p-8, false) - 255.500325520751), 1e-12),
      // Each bias is rounded by 2^-53 of at most k L; a weight moves by as much of itself, and the sum too.
      {"adding $+k_h n$ instead of $-k_h(m-n)$ changes no weight", shift_error(slopes, seen),
       largest(slopes) * number(seen) * 0x1p-51 + 0x1p-51},
      spread_check(run, position::alibi_values(some, 33, both), alibi_reference(some, 33, both)),
  };
}

/// The nearest and the farthest mean distance.
std::string looks_text(const Series& slopes) {
  const auto [least, most] = std::ranges::minmax(slopes["mean distance"]);
  const auto tokens = [](double distance) {
    const std::string text = short_text(distance, 2);
    return text + (text == "1" ? " token" : " tokens");
  };
  if (slopes.size() == 1) return "The one head looks " + tokens(most) + " away on average";
  return grouped(number(slopes.size())) + " heads look between " + short_text(least, 2) + " and " +
         tokens(most) + " away on average";
}

/// 2^(−8h/H) of the head that looks farthest; in the codes' lists head h of p is so of p, the power of two below, and the
/// first, third … head past them is that of 2p.
std::string worked_of(const Settings& settings) {
  const std::vector<double> slopes = chosen_slopes(settings);
  const std::size_t head = farthest_head(slopes);
  const double h = number(head + 1), all = number(slopes.size()),
               below = number(std::bit_floor(slopes.size())), far = settings.real("length") - 1;
  const bool listed = chosen(settings) != AlibiRule::formula && h > below;
  const double own = listed ? 2 * (h - below) - 1 : h, of = listed ? 2 * below
                                                            : chosen(settings) == AlibiRule::formula ? all
                                                                                                     : below;
  Worked worked;
  worked.add(subscripted("k", h), worked::power(2, -term(8) * own / of), slopes[head]);
  return worked.add("-" + subscripted("k", h) + "\\,(m - n)", term(-slopes[head]) * far, -slopes[head] * far)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Series slopes = slope_series(settings, run);
  Picture picture(looks_text(slopes),
                  "The slope of every head by three published rules. Beside it the "
                  "mean distance that a head attends to when its scores are the bias alone. Below, the bias "
                  "of every head as a straight line that falls with distance.");
  picture.at({0, 0}, "slopes", slope_panel(settings, slopes))
      .at({0, 1}, "reach", reach_panel(settings, slopes))
      .at({1, 0, 1, 2}, "bias", bias_panel(settings));
  return {std::move(picture).figure(
              settings, {.aspect = 1.2, .rows = {1.15, 1}, .cols = {1, 1}, .telling = {"bias", "slopes"}}),
          {slopes.table()},
          checks_of(settings, run),
          worked_of(settings)};
}

constexpr auto tries = std::to_array<Try>({
    {"Eight heads: every rule agrees.", "heads=8",
     [](auto& now, auto&) {
       const auto& code = column(now, "slopes", "authors' code");
       return code == column(now, "slopes", "MPT's code") &&
              code == column(now, "slopes", "formula for every $H$");
     }},
    {"Forty heads, as Baichuan 13B has them: eight slopes come from the list for 64.", "heads=40",
     [](auto& now, auto&) {  // every other one of 2^(-h/8): the first 32 are 2^(-h/4)
       const auto& slopes = column(now, "slopes", "authors' code");
       return slopes.size() == 40 && std::abs(slopes[31] / 0x1p-8 - 1) < 1e-12 &&
              std::abs(slopes[32] / std::exp2(-1.0 / 8) - 1) < 1e-12;
     }},
    {"Two sided, as encoders have it: every head looks a little farther.", "direction=bidirectional",
     [](auto& now, auto& before) {
       const auto &far = column(now, "slopes", "mean distance"),
                  &near = column(before, "slopes", "mean distance");
       return std::ranges::equal(far, near, std::greater{});
     }},
});

}  // namespace

extern const Study study{
    .id = "position/alibi",
    .title = "ALiBi",
    .topic = "Absolute and additive",
    .summary = "each head forgets at a rate of its own",
    .formula = R"(s_{mn} = \frac{\langle q_m, k_n\rangle}{\sqrt d} - k_h (m-n), \quad k_h = 2^{-8h/H})",
    .about =
        "Every head takes a penalty off its scores that grows with distance, at its own slope. With equal "
        "contents the weights are a geometric sequence: a head sees about 1 over its slope tokens, however "
        "long the text is. For a number of heads that is no power of two the published code takes the slopes of "
        "the power below, and the rest from the list of twice as many, every other one; the formula read "
        "literally gives other slopes, and a model trained with one list fails with the other.",
    .source =
        "Press et al. 2022, arXiv 2108.12409, section 3, and its code; MosaicML's llm-foundry, gen_slopes",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_alibi
