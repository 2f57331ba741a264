// Self-Extend: neighbours keep their distances, farther tokens share positions in groups. The distance seen, a staircase.
#include "core/position/self_extend.h"
#include "app/study/kit.h"

namespace orrery::study::rope_self_extend {
namespace {

using position::ScoreSide;
using position::SelfExtendParams;

constexpr Index most_drawn = 4096;  // distances of a curve; more are taken at even steps
constexpr Index most_mapped = 256;  // tokens of the map
constexpr Index head_width = 64;    // of the query and the key that a check turns

constexpr auto parameters = std::to_array<Parameter>({
    whole("length", "Length", "192", {2, 131072}, "tokens of the text",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    whole("trained_length", "Trained length", "64", {2, 131072}, "L: the model has seen distances below it",
          {.travel = Travel::powers_of_two, .unit = "tokens", .model_fact = "trained_length"}),
    whole("group", "Group", "4", {1, 64}, "G: so many tokens share a position beyond the window"),
    whole("window", "Window", "16", {0, 65536},
          "W: nearer tokens keep their distances; drawn up to whole groups, since G must divide it",
          {.travel = Travel::log, .unit = "tokens"}),
    show_parameter("all|distances|positions|map"),
});

struct Extended {
  SelfExtendParams params;
  Index length = 0, trained = 0;

  Index last() const { return length - 1; }
  double seen(Index distance) const {
    return position::self_extend_distance(last(), last() - distance, params);
  }
  /// The window is all that there is of a text no longer than it.
  bool grouped() const { return last() >= params.window && params.group > 1; }
};

Extended extended(const Settings& settings) {
  const Index group = settings.integer("group"), window = settings.integer("window");
  Extended e{.params = {.group = group, .window = (window + group - 1) / group * group},
             .length = settings.integer("length"),
             .trained = settings.integer("trained_length")};
  position::check_self_extend(e.params);
  return e;
}

/// All distances where they are few; else every so many, and the last.
std::vector<double> distances_of(const Extended& e) {
  const Index step = 1 + e.last() / most_drawn;
  std::vector<double> distances;
  for (Index k = 0; k < e.length; k += step) distances.push_back(number(k));
  if (distances.back() != number(e.last())) distances.push_back(number(e.last()));
  return distances;
}

Series distance_series(const Extended& e) {
  Series series("distances", {"distance", "tokens", distances_of(e)});
  series.add("seen", [&](double k) { return e.seen(Index(k)); });
  return series;
}

Series position_series(const Extended& e) {
  const Index shown = std::min(e.length, e.params.window + 12 * e.params.group);
  Series series("positions", {"token", "", counted(shown)});
  series.add("query",
             [&](double m) { return position::self_extend_position(m, e.params, ScoreSide::query); });
  series.add("key", [&](double n) { return position::self_extend_position(n, e.params, ScoreSide::key); });
  return series;
}

Line staircase(const Series& series, std::string_view column, Ink ink, double width, std::string label) {
  return series.line(column, {.ink = ink,
                              .width = width,
                              .label = std::move(label),
                              .dash_by_series = false,
                              .course = figure::Course::step_after});
}

Panel distance_panel(const Extended& e, const Series& distances) {
  const double most = std::max(number(e.trained), std::ranges::max(distances["seen"]));
  Line plain{.x = {0, number(e.last())},
             .y = {0, number(e.last())},
             .ink = ink(Role::faint),
             .width = 0.9,
             .label = "as it is",
             .dash_by_series = false,
             .reading = {.between = true}};
  Panel panel{
      .title = "The distance that the last token sees",
      .x = counts("distance in the text", Range{0, number(e.last())}),
      .y = counts("distance seen", Range{0, 1.3 * most}),
      .marks = {std::move(plain), staircase(distances, "seen", ink(Role::accent), 1.3, "distance seen"),
                level(number(e.trained), {.ink = ink(Role::secondary), .text = "trained length"})},
      .legend = LegendPlace::above};
  if (e.params.window > 0 && e.params.window < e.last())
    panel.marks.emplace_back(Rule{
        .at = number(e.params.window), .ink = ink(Role::secondary), .dash = Dash::dotted, .text = "$W$"});
  return panel;
}

Panel position_panel(const Series& positions) {
  Line own{.x = {0, positions.x().back()},
           .y = {0, positions.x().back()},
           .ink = ink(Role::faint),
           .width = 0.9,
           .label = "both, in the window",
           .dash_by_series = false,
           .reading = {.between = true}};
  return {.title = "Where a token stands",
          .x = counts("token"),
          .y = counts("position"),
          .marks = {std::move(own), staircase(positions, "query", series(0), 1, "query, beyond it"),
                    staircase(positions, "key", series(1), 1, "key, beyond it")},
          .legend = LegendPlace::above};
}

Panel seen_map(const Extended& e) {
  const Index shown = std::min(e.length, most_mapped);
  Matrix seen = Matrix::Constant(shown, shown, -std::numeric_limits<double>::infinity());
  for (Index m = 0; m < shown; ++m)
    for (Index n = 0; n <= m; ++n) seen(m, n) = position::self_extend_distance(m, n, e.params);
  const std::string key =
      shown < e.length ? "key, of the first " + grouped(number(shown)) + " tokens" : "key";
  return square_map_panel("Distances seen", heatmap(seen, {.label = "tokens"}), key, "query");
}

/// A query and a key of ones at the last and the first token: turned by their positions, and by the distance seen at once.
double turned_score_off(const Extended& e, const Run& run) {
  const std::vector<double> frequencies = position::rope_default_frequencies(head_width, 10000);
  const Index m = e.last(), n = 0;
  const bool beyond = m - n >= e.params.window;
  const auto stands = [&](Index token, ScoreSide side) {
    return beyond ? position::self_extend_position(number(token), e.params, side) : number(token);
  };
  const auto turned = [&](double at) {
    return twin::rope(run, Matrix::Ones(1, head_width), position::rope_table(std::array{at}, frequencies),
                      position::RopeLayout::half);
  };
  const Matrix score = twin::scores(run, turned(stands(m, ScoreSide::query)),
                                    turned(stands(n, ScoreSide::key)), {.scale = 1, .mask = {}});
  double waves = 0;
  for (const double w : frequencies) waves += 2 * std::cos(e.seen(m - n) * w);
  return std::abs(score(0, 0) - waves);
}

std::vector<Check> checks_of(const Extended& e, const Run& run, const Series& distances) {
  Worst near, fall;
  const std::vector<double>&k = distances.x(), &seen = distances["seen"];
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (k[i] < number(e.params.window)) near.meet(std::abs(seen[i] - k[i]));
    if (i > 0) fall.meet(seen[i - 1] - seen[i]);
  }
  // Angles are rounded in double, 2^-53 of a position.
  const double angles = 4 * number(e.length) * 0x1p-53;
  std::vector<Check> checks{
      {"within the window every distance is its own", near, 0},
      {"farther tokens never seem nearer", fall, 0},
      {"the last query and the first key, turned, have the score of the distance seen",
       turned_score_off(e, run), (twin::turned_score_slack(run, head_width) + angles) * number(head_width)}};
  if (e.params.window < e.trained) {
    const Index reach = position::self_extend_reach(e.trained, e.params);
    const double farthest = position::self_extend_distance(reach - 1, 0, e.params);
    checks.push_back({"a text of $(L - W) G + W$ tokens fills the trained length exactly",
                      std::abs(farthest - number(e.trained - 1)), 0});
  }
  return checks;
}

std::string title_of(const Extended& e, const Series& distances) {
  const double as_long = std::ranges::max(distances["seen"]) + 1;
  return "A text of " + grouped(number(e.length)) + " tokens is seen as one of " + grouped(as_long) +
         (as_long <= number(e.trained) ? ", within the trained " : ", past the trained ") +
         grouped(number(e.trained));
}

std::string worked_text(const Extended& e) {
  const Index m = e.last(), reach = position::self_extend_reach(e.trained, e.params);
  const std::string W = std::to_string(e.params.window), G = std::to_string(e.params.group);
  const Index steps = m / e.params.group;
  std::string text;
  if (m >= e.params.window)
    text = "d = " + std::to_string(steps) + " + " + W + " - \\frac{" + W + "}{" + G +
           "} - 0 = " + parameter::shortest(e.seen(m));
  if (e.params.window < e.trained)
    text += (text.empty() ? "" : " \\quad ") + std::string("N = (") + std::to_string(e.trained) + " - " + W +
            ") \\cdot " + G + " + " + W + " = " + std::to_string(reach);
  return text.empty() ? "d = " + std::to_string(m) + " - 0 = " + std::to_string(m) : text;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Extended e = extended(settings);
  const Series distances = distance_series(e), positions = position_series(e);
  Picture picture(
      title_of(e, distances),
      "The distance that a model sees against the distance in the text: a diagonal up to the window, then a "
      "staircase that rises by one for each group. Beside it the positions of queries and keys, and the "
      "distances seen by every query of every key.");
  picture.at({0, 0, 2, 1}, "distances", distance_panel(e, distances));
  picture.at({0, 1}, "positions", position_panel(positions));
  picture.at({1, 1}, "map", seen_map(e));
  return {
      .figure = std::move(picture).figure(
          settings,
          {.aspect = 1.25, .rows = {1, 1.1}, .cols = {1.4, 1}, .telling = {"distances", "map", "positions"}}),
      .tables = {distances.table(), positions.table()},
      .checks = checks_of(e, run, distances),
      .worked = worked_text(e)};
}

constexpr auto tries = std::to_array<Try>({
    {"The longest text that these settings allow: 208 tokens fill the trained length.", "length=208",
     [](auto& now, auto&) { return most(column(now, "distances", "seen")) == 63; }},
    {"Larger groups: the same text is seen as one of 38.", "group=8",
     [](auto& now, auto&) { return most(column(now, "distances", "seen")) + 1 == 38; }},
    {"A wider window: more neighbours keep their places, and the text reaches past the trained length.",
     "window=32", [](auto& now, auto&) { return most(column(now, "distances", "seen")) + 1 > 64; }},
    {"Groups of one: nothing is changed, and distances go past the trained length.", "group=1",
     [](auto& now, auto&) {
       return column(now, "distances", "seen") == column(now, "distances", "distance") &&
              most(column(now, "distances", "seen")) > 64;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/self-extend",
    .title = "Self-Extend",
    .topic = "Context extension",
    .summary = "far tokens share positions in groups, near ones keep theirs",
    .formula =
        R"(d(m, n) = \begin{cases} m - n & m - n < W \\ \lfloor m/G \rfloor + W - W/G - \lfloor n/G \rfloor & \text{else} \end{cases})",
    .derivation =
        "Beyond the window a position is that of its group, $\\lfloor n/G \\rfloor$.\n"
        "At the edge of the window, "
        "$m - n = W$, the groups alone would give $W/G$ where the window has come to $W$; so queries are moved on by "
        "$W - W/G$, and the two parts meet.\n"
        "The largest distance of a text of $N$ tokens is about "
        "$(N - W)/G + W$; it stays below the trained length $L$ up to $N = (L - W)\\,G + W$.",
    .about =
        "Self-Extend lengthens the text that a rotary model can read, without training: for tokens beyond a window, whole "
        "groups share one position, so that no distance is larger than those of training. Exact order is lost inside a "
        "group; in the window, where it counts most, nothing changes.",
    .source = "Jin et al. 2024, arXiv 2401.01325, section 3 and its code",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_self_extend
