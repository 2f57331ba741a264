// The score of a key by its distance, to any length, under each rule: what was trained, and what comes after.
#include "app/study/kit.h"
#include "app/study/rope/rules.h"
#include "core/position/rope_decay.h"

namespace orrery::study::extrapolation_scores {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    trained_length_parameter,
    factor_parameter,
    real("reach", "Reach", "8", {1, 1024}, "the largest distance drawn, in trained lengths",
         {.travel = Travel::log}),
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("of the random query and key", "content=random"),
    show_parameter("all|linear|ntk|yarn|yarn_paper|llama3|dynamic",
                   "all rules, or one alone for a column of text"),
});

constexpr int samples = 700;

PairProducts products_of(const Settings& settings, std::size_t pairs) {
  return settings.choice("content") == "alike" ? PairProducts(pairs, 1)
                                               : random_products(pairs, seed_of(settings));
}

/// Over the largest that any rotation could give, without the rule's own factor: from −1 to 1, and with it a² more.
std::vector<double> scores(const StretchedRule& rule, const PairProducts& h,
                           const std::vector<double>& distances) {
  double most = 0;
  for (const auto& each : h) most += std::abs(each);
  const double a = rule.rope.attention_factor, scale = a * a / std::max(most, 1e-300);
  std::vector<double> s;
  for (const double r : distances) s.push_back(scale * position::score_at(h, rule.rope.inv_freq, r));
  return s;
}

Panel rule_panel(const Series& series, const StretchedRule& rule, int color, double trained) {
  const double end = series.x().back();
  Panel panel{.title = rule.label,
              .x = octaves("distance $r$", Range{1, end}),
              .y = values("score"),
              .marks = trained_marks(trained, end, ""),
              .legend = LegendPlace::none};
  panel.x.group = 1;
  panel.y.group = 2;
  panel.marks.push_back(
      series.line("unchanged", {.ink = ink(Role::faint, 0.7), .width = 0.7, .reading = {.name = "no rule"}}));
  panel.marks.push_back(
      series.line(rule.label, {.ink = figure::series(color), .width = 0.8, .dash_by_series = false}));
  return panel;
}

/// Between which scores the unchanged model moves at distances that it never saw.
std::string untrained_text(const Series& series, double trained) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series.x()[i] <= trained) continue;
    least = std::min(least, series["unchanged"][i]);
    most = std::max(most, series["unchanged"][i]);
  }
  if (least > most) return "No distance here is beyond the trained length of " + grouped(trained);
  return "Past distance " + grouped(trained) + " the score without a rule runs from " + short_text(least, 2) +
         " to " + short_text(most, 2);
}

std::vector<Check> checks_of(const Stretch& s, const PairProducts& h, const std::vector<double>& r,
                             const std::vector<StretchedRule>& rules) {
  // Interpolation is the unchanged score at r/s. An angle up to s·r·θ is rounded by 2^-52 of itself.
  std::vector<double> shrunk = r;
  for (double& each : shrunk) each /= s.factor;
  const double interpolation =
      largest_difference(scores(rules[0], h, r), scores(stretched_rule("none", s), h, shrunk));
  double most = 0;
  for (const StretchedRule& rule : rules)
    most = std::max(most,
                    largest(scores(rule, h, r)) / (rule.rope.attention_factor * rule.rope.attention_factor));
  const StretchedRule known = stretched_rule("none", {128, 10000, 4096, 1});
  const double roformer = position::score_at(PairProducts(64, 1), known.rope.inv_freq, 1024);
  return {
      {"linear: the score at $r$ is the unchanged one at $r/s$", interpolation, (r.back() + 64) * 0x1p-51},
      {"no score exceeds $a^2 \\sum |h_i|$", most, 1 + 1e-12},
      {"d = 128, base 10 000: $B(1024)$ is 13.084250832", std::abs(roformer - 13.084250832), 5e-10},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Stretch s = stretch_of(settings);
  const std::vector<StretchedRule> rules = usual_rules(s);
  const PairProducts h = products_of(settings, static_cast<std::size_t>(s.head_width / 2));
  Series series("scores",
                {"distance", "tokens", spread_distances(s.trained * settings.real("reach"), samples)});
  series.add("unchanged", scores(stretched_rule("none", s), h, series.x()));
  Picture picture(untrained_text(series, s.trained),
                  "A panel for each rule: the score of a key by its distance on a log axis, over the score "
                  "without any rule in grey. Beyond the dashed line no distance was seen in training.");
  const std::string& shown = settings.choice("show");
  for (int i = 0; i < static_cast<int>(rules.size()); ++i) {
    run.check();
    series.add(rules[i].label, scores(rules[i], h, series.x()));
    Panel panel = rule_panel(series, rules[i], i, s.trained);
    if (shown == "all" ? i == 0 : shown == rules[i].id)
      panel.marks.push_back(Inset{.text = "grey: no rule",
                                  .place = LegendPlace::top_right,
                                  .ink = ink(Role::secondary),
                                  .frame = false});
    picture.at({i / 2, i % 2}, std::string(rules[i].id), std::move(panel));
  }
  return {std::move(picture).figure(
              settings,
              {.aspect = 1.3, .rows = {1, 1, 1}, .cols = {1, 1}, .aspect_alone = 1.6, .titles_alone = true}),
          {series.table()},
          checks_of(s, h, series.x(), rules)};
}

constexpr auto tries = std::to_array<Try>({
    {"A random query and key: the rules keep its shape, shifted by their stretching.", "content=random"},
    {"Llama 3.1, to 128k tokens.", "model=llama-3.1-8b reach=16"},
    {"Sixty-four times longer: the scores swing without end.", "reach=64 factor=32"},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/scores",
    .title = "Scores past the end",
    .topic = "Past the trained length",
    .summary = "what each rule makes of the distances that were never trained",
    .formula = R"(s(r) = a^2\, \mathrm{Re} \sum_i q_i \bar{k}_i\, e^{\mathrm{i} r \theta'_i})",
    .about =
        "A score is a sum of waves, one for each pair, and nothing stops it at the trained length. "
        "Interpolation draws the whole curve out by s; NTK, YaRN and Llama 3 keep the fast waves near the "
        "start and draw out the slow ones. YaRN multiplies all scores besides.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, eq. 16; Peng et al. 2023, arXiv 2309.00071, section 3; Chen et "
        "al. 2023, arXiv 2306.15595, section 3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_scores
