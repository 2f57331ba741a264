// Attention spreads over longer texts: its entropy by length, and what each remedy does about it.
#include "core/attention/entropy.h"

#include <functional>

#include "app/study/attention/weights_entropy.h"
#include "app/study/kit.h"
#include "app/study/rope/rules.h"

namespace orrery::study::extrapolation_entropy {
namespace {

using attention::LengthRemedy;

constexpr auto parameters = std::to_array<Parameter>({
    whole("trained_length", "Trained length", "512", {2, 65536},
          "L: the remedies begin beyond it; the width of the window",
          {.travel = Travel::powers_of_two, .unit = "tokens", .model_fact = "trained_length"}),
    whole("longest", "Longest text", "32768", {16, 1048576}, "up to where lengths are drawn",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    real("deviation", "Deviation", "1.5", {0, 10},
         "σ of the scores: large ones freeze attention on a few keys"),
    seed_parameter("another one draws other scores"),
    show_parameter("all|entropy|scale"),
});

struct Remedy {
  LengthRemedy kind;
  const char *name, *label;  // of a column, and of a line
};
constexpr std::array remedies{Remedy{LengthRemedy::none, "no remedy", "no remedy"},
                              Remedy{LengthRemedy::log_n, "log n", "$\\ln n / \\ln L$"},
                              Remedy{LengthRemedy::yarn, "YaRN's temperature", "YaRN's temperature"},
                              Remedy{LengthRemedy::window, "sliding window", "sliding window"}};

/// From 4, or from the trained length where that is less, to the longest, four to the octave; the trained length among them.
std::vector<double> lengths_of(double longest, double trained) {
  std::vector<double> lengths;
  for (double n = std::min(4.0, trained); n < longest; n *= std::exp2(0.25)) lengths.push_back(std::round(n));
  lengths.push_back(longest);
  if (trained < longest && trained > 4) lengths.push_back(trained);
  std::ranges::sort(lengths);
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
  return lengths;
}

double entropy_of(const Remedy& remedy, std::span<const double> scores, double trained) {
  const double n = number(scores.size());
  if (remedy.kind == LengthRemedy::window && n > trained)
    scores = scores.last(static_cast<std::size_t>(trained));
  return attention::softmax_entropy(scores, attention::logit_scale(remedy.kind, n, trained));
}

std::vector<double> random_scores(const Settings& settings, const Run& run, Index count) {
  const tensor::Random random(seed_of(settings));
  std::vector<double> scores(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (i % 65536 == 0) run.check();
    scores[i] = settings.real("deviation") * random.normal(i);
  }
  return scores;
}

/// `on_remedy` sees what there is so far.
Series entropies(const Settings& settings, const Run& run,
                 const std::function<void(const Series&)>& on_remedy) {
  const double trained = settings.real("trained_length");
  const std::vector<double> scores = random_scores(settings, run, settings.integer("longest"));
  Series series("entropy", {"length", "tokens", lengths_of(settings.real("longest"), trained)});
  series.add({.name = "all keys alike", .unit = "nat"}, [](double n) { return std::log(n); });
  for (const Remedy& remedy : remedies) {
    const double before = number(&remedy - remedies.data()) / number(remedies.size());
    if (before > 0) on_remedy(series);
    series.add({.name = remedy.name, .unit = "nat"}, [&](double n) {
      run.progress(before);
      return entropy_of(remedy, std::span(scores).first(static_cast<std::size_t>(n)), trained);
    });
  }
  for (const Remedy& remedy : remedies)
    series.add(std::string("scale, ") + remedy.name,
               [&](double n) { return attention::logit_scale(remedy.kind, n, trained); });
  return series;
}

/// A line for each remedy that is there, of the columns that begin with `prefix`.
Panel remedy_panel(const Series& series, const std::string& prefix, std::string title, std::string label,
                   double trained) {
  const double longest = series.x().back();
  Panel panel{.title = std::move(title),
              .x = octaves("keys $n$", Range{series.x().front(), longest}),
              .y = values(std::move(label)),
              .legend = LegendPlace::none,
              .series_group = 1};
  panel.x.group = 1;
  if (trained < longest)  // said once, where there is most room
    panel.marks = trained_marks(trained, longest, prefix.empty() ? "trained length " + grouped(trained) : "");
  int color = 0;
  for (const Remedy& remedy : remedies) {
    const Ink ink = figure::series(color++);
    const std::string column = prefix + remedy.name;
    if (std::ranges::find(series.columns(), column, &Column::name) != series.columns().end())
      panel.marks.push_back(series.line(column, {.ink = ink, .label = remedy.label}));
  }
  return panel;
}

/// −Σ p ln p of the softmax op's weights against the column, at the longest length that no remedy changes.
Check softmax_check(const Settings& settings, const Run& run, const Series& series, double trained) {
  std::size_t at = 0;
  while (at + 1 < series.size() && series.x()[at + 1] <= trained) ++at;
  const double n = series.x()[at];
  const std::vector<double> scores = random_scores(settings, run, static_cast<Index>(n));
  const Matrix weights = twin::softmax(twin::on_reference(run),
                                       Eigen::Map<const Matrix>(scores.data(), 1, std::ssize(scores)), {});
  const double entropy = weights_entropy(row_of(weights));
  // Exponents up to 90 are rounded, and n terms are summed on either way.
  return {"within the trained length it is $-\\sum_j p_j \\ln p_j$ of the softmax op",
          std::abs(entropy - series["no remedy"][at]), (1 + std::log(n)) * (n + 256) * 0x1p-52};
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Series& series, double trained) {
  const auto &even = series["all keys alike"], &plain = series["no remedy"],
             &window = series["sliding window"];
  double above = 0, raised = 0, wide = 0;
  for (std::size_t i = 0; i < even.size(); ++i) {
    for (const Remedy& remedy : remedies) above = std::max(above, series[remedy.name][i] - even[i]);
    // dH/dκ = −κ Var(s) under the weights: a larger scale never raises the entropy.
    for (const char* name : {"log n", "YaRN's temperature"})
      raised = std::max(raised, series[name][i] - plain[i]);
    wide = std::max(wide, window[i] - std::log(std::min(series.x()[i], trained)));
  }
  const double yarn = std::sqrt(attention::logit_scale(LengthRemedy::yarn, 32.0 * 4096, 4096));
  constexpr double rounding =
      1e-9;  // Sums of a million terms in order: 2^20 roundings, of which few fall the same way.
  return {
      {"no entropy is above $\\ln n$", above, rounding},
      softmax_check(settings, run, series, trained),
      {"a larger scale never raises the entropy", raised, rounding},
      {"a window of $L$ keys keeps it below $\\ln L$", wide, rounding},
      known_answer("log n at $n = L^2$ doubles the scores",
                   std::abs(attention::logit_scale(LengthRemedy::log_n, 512.0 * 512, 512) - 2), 0x1p-50),
      known_answer("YaRN's factor at 32 times the length: 1.34657359", std::abs(yarn - 1.34657359), 5e-9),
  };
}

/// The entropy of the longest text, of at most ln n, and that of the window where there is one by now.
std::string end_text(const Series& series, double trained) {
  const double longest = series.x().back();
  const auto end = [&](const char* column) { return short_text(series[column].back(), 3); };
  const std::string text = "At " + grouped(longest) + " keys the entropy is " + end("no remedy") +
                           " of at most " + end("all keys alike") + " nat";
  if (longest <= trained) return text + "; remedies begin past " + grouped(trained);
  const bool there =
      std::ranges::find(series.columns(), "sliding window", &Column::name) != series.columns().end();
  return there ? text + "; in a window of " + grouped(trained) + ", " + end("sliding window") : text;
}

figure::Figure figure_of(const Settings& settings, const Series& series, double trained) {
  Panel entropy = remedy_panel(series, "", "Entropy of the weights", "$H$ / nat", trained),
        scale = remedy_panel(series, "scale, ", "What multiplies the scores", R"($\kappa$)", trained);
  entropy.marks.push_back(series.line(
      "all keys alike",
      {.ink = ink(Role::secondary), .dash = Dash::dotted, .label = R"($\ln n$: all keys alike)"}));
  entropy.legend = LegendPlace::above;
  if (settings.choice("show") == "scale") scale.legend = LegendPlace::top_left;
  Picture picture(
      end_text(series, trained),
      "Entropy of the attention weights by the number of keys: without a remedy, with scores that "
      "grow by ln n over ln L or by YaRN's temperature, and with a sliding window. Below, what "
      "multiplies the scores.");
  picture.at({0, 0}, "entropy", std::move(entropy)).at({1, 0}, "scale", std::move(scale));
  return std::move(picture).figure(settings, {.aspect = 1.3, .rows = {1.7, 1}});
}

/// Of the longest text: −Σ p ln p is ln Σ e^s less the mean of s under the weights; and what ln n over ln L would multiply.
std::string worked_of(const Settings& settings, const Run& run, const Series& series, double trained) {
  const double n = series.x().back(), deviation = settings.real("deviation");
  double sum = 0, weighted = 0;
  for (const double s : random_scores(settings, run, static_cast<Index>(n))) {
    sum += std::exp(s);
    weighted += s * std::exp(s);
  }
  const std::string keys = "(" + worked::number_tex(n, 17) + ")";
  Worked worked;
  worked.add("H" + keys, ln(term(sum)) - weighted / sum, series["no remedy"].back());
  if (deviation * deviation < 2 * std::log(n))  // beyond, attention is frozen
    worked.add("\\ln n - \\sigma^2/2", ln(term(n)) - worked::power(deviation, 2) / 2,
               attention::normal_entropy(n, deviation));
  return worked
      .add("\\kappa" + keys, max(1, worked::frac(ln(term(n)), ln(term(trained)))),
           attention::logit_scale(LengthRemedy::log_n, n, trained))
      .tex();
}

constexpr double long_text = 1 << 19;  // some tenths of a second for each remedy

StudyResult compute(const Settings& settings, const Run& run) {
  const double trained = settings.real("trained_length");
  const Series series = entropies(settings, run, [&](const Series& so_far) {
    if (settings.real("longest") < long_text) return;
    run.publish({figure_of(settings, so_far, trained), {so_far.table()}, {}});
  });
  return {figure_of(settings, series, trained),
          {series.table()},
          checks_of(settings, run, series, trained),
          worked_of(settings, run, series, trained)};
}

constexpr auto tries = std::to_array<Try>({
    {"Scores that are all alike: no scale helps.", "deviation=0",
     [](auto& now, auto&) {
       const auto& plain = column(now, "entropy", "no remedy");
       return std::max(largest_difference(column(now, "entropy", "log n"), plain),
                       largest_difference(column(now, "entropy", "YaRN's temperature"), plain)) < 1e-9;
     }},
    {"Large scores freeze attention on a few keys.", "deviation=6",
     [](auto& now, auto& before) {  // as many keys as 15 that share evenly, not as thousands
       return most(column(now, "entropy", "no remedy")) < std::log(15) &&
              most(column(before, "entropy", "no remedy")) > std::log(1000);
     }},
    {"Trained on 4096 tokens, read to a million.", "trained_length=4096 longest=1048576",
     [](auto& now, auto&) {
       return at(now, "entropy", "scale, log n", 4096) == 1 &&
              column(now, "entropy", "length").back() == 1048576;
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/entropy",
    .title = "Entropy by length",
    .topic = "Past the trained length",
    .summary = "more keys, the same scores: attention spreads, unless something holds it",
    .formula =
        R"(H = -\sum_j p_j \ln p_j, \quad p = \mathrm{softmax}(\kappa(n)\, s), \quad H \approx \ln n - \kappa^2\sigma^2/2)",
    .about =
        "With independent scores of one deviation the entropy grows like ln n: in a long text no key stands "
        "out any more. Log n multiplies the scores by ln n over ln L, YaRN by the square of its attention "
        "factor; a sliding window keeps the number of keys. All act here from the trained length on, as in Qwen's "
        "code; Su's ln n acts at every length.",
    .source =
        "Su, kexue.fm 8823; Chiang and Cholak 2022, arXiv 2202.12172; Peng et al. 2023, arXiv 2309.00071, "
        "section 3.4",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_entropy
