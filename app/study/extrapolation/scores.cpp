// The score of a key by its distance, to any length, under each rule: what was trained, and what comes after.
#include "app/study/extrapolation/scores_picture.h"
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
    real("reach", "Reach", "8", {1, 1024},
         "the largest distance drawn, in trained lengths; no more than some millions of tokens",
         {.travel = Travel::log}),
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("of the random query and key", "content=random"),
    show_parameter("all|scores|past|linear|ntk|yarn|yarn_paper|llama3|dynamic",
                   "all rules, one panel of these, or one rule alone for a column of text"),
});

constexpr double most_terms = 1 << 30;  // of all sums of waves: a second

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

/// As far as there is time to look at every whole distance.
Index end_of(const Settings& settings, const Stretch& s, std::size_t rules) {
  const double most = most_terms / (number(s.head_width) / 2 * number(rules));
  return static_cast<Index>(std::max(1.0, std::min(s.trained * settings.real("reach"), most)));
}

/// A score, over the largest, as attention divides it: by √d. Two vectors of ones have 2 in each pair.
double sharpness_of(const Settings& settings, const PairProducts& h) {
  double most = 0;
  for (const auto& each : h) most += std::abs(each);
  const double ones = settings.choice("content") == "alike" ? 2 : 1;
  return ones * most / std::sqrt(2 * number(h.size()));
}

/// Between which scores the unchanged model moves at distances that it never saw, as far as they are drawn.
std::string untrained_text(const Series& series, double trained) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series.x()[i] <= trained) continue;
    least = std::min(least, series["unchanged, lowest"][i]);
    most = std::max(most, series["unchanged, highest"][i]);
  }
  if (least > most) return "No distance here is beyond the trained length of " + grouped(trained);
  return "Past distance " + grouped(trained) + ", up to " + grouped(series.x().back()) +
         ", the score without a rule runs from " + short_text(least, 2) + " to " + short_text(most, 2);
}

/// How far a share of the weights that reach past L lies outside of what the drawn ranges allow: at the last position, with
/// every score of a stretch as low, or as high, as the lowest and the highest of it.
Check past_check(const PairProducts& h, const RuleScores& drawn, double sharpness) {
  const std::vector<double>& from = drawn.scores.x();
  const double end = drawn.past.size() > 0 ? drawn.past.x().back() : 0;
  Worst outside;
  for (const StretchedRule& rule : drawn.rules) {
    if (drawn.past.size() == 0) break;  // nobody stands past L
    const auto &lowest = drawn.scores[rule.label + ", lowest"],
               &highest = drawn.scores[rule.label + ", highest"];
    const double self = std::exp(sharpness * scores(rule, h, {0}).front());
    double near_low = self, near_high = self, far_low = 0, far_high = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double keys = (i + 1 < from.size() ? from[i + 1] : end + 1) - from[i];
      (from[i] > drawn.trained ? far_low : near_low) += keys * std::exp(sharpness * lowest[i]);
      (from[i] > drawn.trained ? far_high : near_high) += keys * std::exp(sharpness * highest[i]);
    }
    const double share = drawn.past[rule.label].back();
    outside.meet(std::max(far_low / (far_low + near_high) - share, share - far_high / (far_high + near_low)));
  }
  // As many weights are summed as there are keys; in their exponents stand the roundings of the bands.
  return {"the share past $L$ is one that the drawn bands allow", outside,
          (1 + sharpness) * (end + 16384) * 0x1p-50};
}

std::vector<Check> checks_of(const Stretch& s, const PairProducts& h, const RuleScores& drawn,
                             double sharpness) {
  // Interpolation is the unchanged score at r/s. An angle up to s·r·θ is rounded by 2^-52 of itself.
  const std::vector<double>& r = drawn.scores.x();
  std::vector<double> shrunk = r;
  for (double& each : shrunk) each /= s.factor;
  const double interpolation = largest_difference(scores(stretched_rule("linear", s), h, r),
                                                  scores(stretched_rule("none", s), h, shrunk));
  double most = 0, outside = 0;
  for (const StretchedRule& rule : drawn.rules) {
    const double a = rule.rope.attention_factor;
    const auto &lowest = drawn.scores[rule.label + ", lowest"],
               &highest = drawn.scores[rule.label + ", highest"];
    most = std::max(most, std::max(largest(lowest), largest(highest)) / (a * a));
    const std::vector<double> direct = scores(rule, h, r);
    for (std::size_t i = 0; i < r.size(); ++i)
      outside = std::max({outside, lowest[i] - direct[i], direct[i] - highest[i]});
  }
  const StretchedRule known = stretched_rule("none", {128, 10000, 4096, 1});
  const double roformer = position::score_at(PairProducts(64, 1), known.rope.inv_freq, 1024);
  // Angles of both sides are rounded to 2^-53 of themselves; the 128 steps of a block lose 128² of that.
  const double a = 1.5;  // no attention factor here is larger: 1 + 0.1 ln 64
  return {
      {"linear: the score at $r$ is the unchanged one at $r/s$", interpolation, (r.back() + 64) * 0x1p-51},
      {"every drawn band holds the sum at its first distance", outside, a * a * (r.back() + 16384) * 0x1p-50},
      past_check(h, drawn, sharpness),
      {"no score exceeds $a^2 \\sum |h_i|$", most, 1 + 16384 * 0x1p-52},
      known_answer("d = 128, base 10 000: $B(1024)$ is 13.084250832", std::abs(roformer - 13.084250832),
                   5e-10),
  };
}

/// At the trained length, where what was seen ends: by the rule that is shown alone, or without one.
std::string worked_of(const Settings& settings, const Stretch& s, const PairProducts& h) {
  const std::string& shown = settings.choice("show");
  const StretchedRule rule =
      stretched_rule(shown == "past" || shown == "scores" || shown == "all" ? "none" : shown, s);
  const double a = rule.rope.attention_factor, r = s.trained;
  double most = 0;
  std::vector<Term> waves;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double size = std::abs(h[i]), phase = std::arg(h[i]);
    const Term angle = term(r) * rule.rope.inv_freq[i];
    const Term wave = cos(phase == 0 ? angle : angle + phase);
    waves.push_back(size == 1 ? wave : size * wave);
    most += size;
  }
  const Term score = worked::frac(worked::sum(waves), most);
  Worked worked;
  return worked
      .add("s(" + worked::number_tex(r, 17) + ")", a == 1 ? score : worked::power(a, 2) * score,
           scores(rule, h, {r}).front())
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Stretch s = stretch_of(settings);
  const PairProducts h = products_of(settings, static_cast<std::size_t>(s.head_width / 2));
  const double sharpness = sharpness_of(settings, h);
  const RuleScores drawn = rule_scores(run, s, h, sharpness, end_of(settings, s, usual_rules(s).size() + 1));
  const std::string title = untrained_text(drawn.scores, s.trained);
  Picture picture(
      title,
      "Above, the score of a key by its distance on a log axis, under six rules and without one: the "
      "mean of all distances of a stretch, and without a rule the band from their lowest to their "
      "highest. Beyond the dashed line no distance was seen in training. Below, which part of the "
      "softmax weights lies beyond it, by the position of the query.");
  picture.at({0, 0}, "scores", all_scores_panel(drawn)).at({1, 0}, "past", past_panel(drawn));
  for (std::size_t rule = 1; rule < drawn.rules.size(); ++rule)
    picture.instead(std::string(drawn.rules[rule].id), [&, rule] { return rule_figure(drawn, rule, title); });
  return {std::move(picture).figure(settings, {.aspect = 1.15,
                                               .rows = {1.25, 1},
                                               .aspect_alone = 1.6,
                                               .titles_alone = true,
                                               .telling = {"scores", "past"}}),
          {drawn.scores.table(), drawn.past.table()},
          checks_of(s, h, drawn, sharpness),
          worked_of(settings, s, h)};
}

constexpr auto tries = std::to_array<Try>({
    {"A random query and key: linear interpolation keeps the curve, drawn out 8 times.", "content=random",
     [](auto& now, auto&) {
       return std::abs(at(now, "scores", "linear (PI)", 8) - at(now, "scores", "unchanged", 1)) < 1e-9;
     }},
    {"Llama 3.1, to 128k tokens.", "model=llama-3.1-8b reach=16",
     [](auto& now, auto&) { return column(now, "scores", "distance").back() == 131072; }},
    {"Sixty-four times longer: the scores swing without end.", "reach=64 factor=32",
     [](auto& now, auto&) {
       return at(now, "scores", "unchanged, lowest", 250000) < -0.2 &&
              at(now, "scores", "unchanged, highest", 250000) > 0.2;
     }},
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
        "al. 2023, arXiv 2306.15595, section 2.3",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_scores
