#include "app/study/extrapolation/scores_picture.h"

#include "core/position/rope_envelope.h"

namespace orrery::study {
namespace {

constexpr int columns_drawn = 120;

/// Where stretches begin that a page shows as one: the query itself, then ever longer ones. One begins past L.
std::vector<Index> stretches(Index trained, Index end) {
  std::vector<Index> from{0};
  for (const double r : spread_distances(number(end), columns_drawn)) from.push_back(std::lround(r));
  if (trained < end) from.push_back(trained + 1);
  from.push_back(end + 1);
  std::ranges::sort(from);
  const auto again = std::ranges::unique(from);
  from.erase(again.begin(), again.end());
  return from;
}

Line line_of(int rule, double width) {
  if (rule == 0)
    return {.ink = ink(Role::secondary), .width = width, .dash = Dash::dotted, .dash_by_series = false};
  return {.ink = series(rule - 1), .width = width};
}

Panel distance_panel(const RuleScores& s, std::string title, std::string trained_text) {
  const double end = s.scores.x().back();
  return {.title = std::move(title),
          .x = octaves("distance $r$", Range{1, std::max(end, 2.0)}),
          .y = values("score / largest unchanged"),
          .marks = trained_marks(s.trained, end, std::move(trained_text))};
}

}  // namespace

RuleScores rule_scores(const Run& run, const Stretch& stretch, const PairProducts& h, double sharpness,
                       Index end) {
  const auto trained = static_cast<Index>(stretch.trained);
  const std::vector<Index> from = stretches(trained, end);
  std::vector<double> distances(from.begin() + 1, from.end() - 1), positions;
  for (std::size_t i = 1; i + 1 < from.size(); ++i)
    if (from[i + 1] - 1 >= trained) positions.push_back(number(from[i + 1] - 1));
  RuleScores made{.rules = usual_rules(stretch),
                  .trained = stretch.trained,
                  .trained_text = stretch.trained_by.empty() ? "trained length"
                                                             : "trained length (" + stretch.trained_by + ")",
                  .scores = Series("scores", {"distance", "tokens", distances}),
                  .past = Series("past", {"position", "tokens", positions})};
  made.rules.insert(made.rules.begin(), stretched_rule("none", stretch));
  double most = 0;
  for (const auto& each : h) most += std::abs(each);
  for (std::size_t rule = 0; rule < made.rules.size(); ++rule) {
    run.progress(number(rule) / number(made.rules.size()));
    const auto& [id, label, _, rope] = made.rules[rule];
    const double turned = rope.attention_factor * rope.attention_factor * sharpness / std::max(most, 1e-300);
    const position::ScoreEnvelope e =
        position::score_envelope(h, rope.inv_freq, turned, from, [&] { run.check(); });
    const auto drawn = [&](const std::vector<double>& of) {  // the query itself is on no log axis
      std::vector<double> shown(of.begin() + 1, of.end());
      for (double& each : shown) each /= sharpness;
      return shown;
    };
    made.scores.add(label, drawn(e.mean));
    made.scores.add(label + ", lowest", drawn(e.lowest));
    made.scores.add(label + ", highest", drawn(e.highest));
    std::vector<double> past;
    double all = 0, beyond = 0;
    for (std::size_t i = 0; i < e.weight.size(); ++i) {
      all += e.weight[i];
      if (from[i] > trained) beyond += e.weight[i];
      if (i > 0 && from[i + 1] - 1 >= trained) past.push_back(beyond / all);
    }
    made.past.add(label, std::move(past));
  }
  return made;
}

Panel all_scores_panel(const RuleScores& s) {
  Panel panel = distance_panel(s, "Score: means, and the range without a rule", s.trained_text);
  panel.legend = LegendPlace::above;
  panel.series_group = 1;
  panel.marks.push_back(
      s.scores.band("unchanged, lowest", "unchanged, highest", {.ink = ink(Role::secondary, 0.18)}));
  for (int i = 0; i < static_cast<int>(s.rules.size()); ++i) {
    Line look = line_of(i, i == 0 ? 1.2 : 0.9);
    look.label = s.rules[static_cast<std::size_t>(i)].label;
    panel.marks.push_back(s.scores.line(s.rules[static_cast<std::size_t>(i)].label, look));
  }
  return panel;
}

Panel past_panel(const RuleScores& s) {
  const double end = s.past.size() > 0 ? s.past.x().back() : s.trained;
  Panel panel{.title = "Weight that reaches past $L$",
              .x = octaves("position of the query", Range{s.trained, std::max(end, 2 * s.trained)}),
              .y = values("share of the weights"),
              .legend = LegendPlace::none,
              .series_group = 1};
  for (int i = 0; i < static_cast<int>(s.rules.size()); ++i) {
    Line look = line_of(i, i == 0 ? 1.2 : 0.9);
    look.reading.name = s.rules[static_cast<std::size_t>(i)].label;
    panel.marks.push_back(s.past.line(s.rules[static_cast<std::size_t>(i)].label, look));
  }
  if (s.past.size() == 0 || s.past.x().back() <= s.trained) {  // nothing lies past L
    panel.y.range = Range{0, 1};
    panel.marks.push_back(Inset{.text = "no position past $L$", .ink = ink(Role::secondary), .frame = false});
  }
  return panel;
}

figure::Figure rule_figure(const RuleScores& s, std::size_t rule, std::string title) {
  Panel panel = distance_panel(s, s.rules[rule].label, s.trained_text);
  panel.legend = LegendPlace::above;
  for (const std::size_t i : {std::size_t{0}, rule}) {
    const std::string& label = s.rules[i].label;
    Line look = line_of(static_cast<int>(i), 1);
    panel.marks.push_back(s.scores.band(label + ", lowest", label + ", highest",
                                        {.ink = i == 0 ? ink(Role::secondary, 0.18) : look.ink}));
    look.label = label;
    panel.marks.push_back(s.scores.line(label, look));
  }
  return {.title = std::move(title),
          .description =
              "The score of a key by its distance under one rule, over the score without any: the mean "
              "of every stretch of distances, and the band from its lowest to its highest score.",
          .panels = {std::move(panel)},
          .aspect = 1.6};
}

}  // namespace orrery::study
