// Which changes of its input a norm does not answer to, measured: a table of yes and no, and where epsilon breaks it.
#include "app/study/kit.h"
#include "app/study/norm/norm_ops.h"

namespace orrery::study::norm_invariance {
namespace {

constexpr double furthest_shift = 10;
constexpr Index groups = 4;
constexpr double dyt_alpha = 0.5;
constexpr double unchanged = 1e-3;  // a result that changes by less counts as the same

constexpr auto parameters = std::to_array<Parameter>({
    real("factor", "Factor", "3", {1e-3, 1e3}, "a: what is scaled is multiplied by it",
         {.travel = Travel::log, .plays = true}),
    real("shift", "Shift", "2", {-furthest_shift, furthest_shift}, "c: what is shifted has it added",
         {.unit = "deviations", .plays = true}),
    real("size", "Size", "1", {1e-6, 1e3}, "the deviation of the input, before any change",
         {.travel = Travel::log}),
    real("eps", "Epsilon", "1e-5", {1e-12, 1}, "of every norm; of ScaleNorm the least norm",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    whole("tokens", "Tokens", "8", {2, 16}, "rows of the batch"),
    whole("width", "Width", "32", {8, 128}, "D: features of a token, in four groups for GroupNorm",
          {.travel = Travel::powers_of_two, .multiple = 8}),
    seed_parameter("another one gives another batch"),
    show_parameter("all|table|scaled|shifted"),
});

constexpr std::array norms{"LayerNorm", "RMSNorm", "GroupNorm", "BatchNorm", "ScaleNorm", "DyT"};
constexpr std::array changes{"all scaled", "all shifted", "one token scaled", "one feature scaled",
                             "one feature shifted"};
constexpr std::array short_changes{"all $\\times a$", "all $+ c$", "token $\\times a$", "feature $\\times a$",
                                   "feature $+ c$"};
enum Place : std::size_t { layer, rms, group, batch, scale, dyt };

Matrix normed(const Run& run, std::size_t which, const Matrix& x, double eps) {
  switch (which) {
    case layer:
      return twin::layer_norm(run, x, {.eps = eps});
    case rms:
      return twin::rms_norm(run, x, {.eps = eps});
    case group:
      return twin::group_norm(run, x, {}, {.eps = eps, .groups = groups});
    case batch:
      return twin::batch_norm(run, x, {}, {.eps = eps});
    case scale:
      return twin::scale_norm(run, x, std::sqrt(number(x.cols())), {.eps = eps});
    default:
      return twin::dyt(run, x, {}, {.alpha = dyt_alpha});
  }
}

/// The batch after one of the changes; what is changed alone is the first token, the first feature.
Matrix changed(const Matrix& x, std::size_t change, double factor, double shift) {
  Matrix y = x;
  if (change == 0) y *= factor;
  if (change == 1) y.array() += shift;
  if (change == 2) y.row(0) *= factor;
  if (change == 3) y.col(0) *= factor;
  if (change == 4) y.col(0).array() += shift;
  return twin::rounded(y);
}

/// The root mean square of what a result has changed by, over that of the result before.
double relative_change(const Matrix& after, const Matrix& before) {
  return (after - before).norm() / before.norm();
}

struct Asked {
  Matrix x;
  double factor, shift, eps;  ///< the shift in units of the input
};

Asked asked_of(const Settings& settings) {
  const double size = settings.real("size");
  return {twin::rounded(size * tensor::Random(seed_of(settings))
                                   .normals(settings.integer("tokens"), settings.integer("width"))),
          settings.real("factor"), settings.real("shift") * size, settings.real("eps")};
}

/// A row for each norm, a column for each change.
Matrix answers_of(const Run& run, const Asked& asked) {
  Matrix answers(std::ssize(norms), std::ssize(changes));
  for (std::size_t n = 0; n < norms.size(); ++n) {
    const Matrix before = normed(run, n, asked.x, asked.eps);
    for (std::size_t c = 0; c < changes.size(); ++c)
      answers(static_cast<Index>(n), static_cast<Index>(c)) =
          relative_change(normed(run, n, changed(asked.x, c, asked.factor, asked.shift), asked.eps), before);
  }
  return answers;
}

/// Yes where the result stays; with room for it, what was measured below it.
Panel table_panel(const Matrix& answers, bool with_numbers) {
  Panel panel{.title = "Does the result stay the same?",
              .x = {.range = cells(number(changes.size()))},
              .y = {.range = cells(number(norms.size())), .reversed = true},
              .legend = LegendPlace::none,
              .frame = true};
  panel.x.names = {short_changes.begin(), short_changes.end()};
  panel.y.names = {norms.begin(), norms.end()};
  for (Index n = 0; n < answers.rows(); ++n)
    for (Index c = 0; c < answers.cols(); ++c) {
      const double x = number(c), y = number(n);
      const bool stays = answers(n, c) < unchanged;
      if (stays)
        panel.marks.emplace_back(figure::Shape{.x = {x - 0.5, x + 0.5, x + 0.5, x - 0.5},
                                               .y = {y - 0.5, y - 0.5, y + 0.5, y + 0.5},
                                               .fill = Ink{Role::series, 2, 0.22}});
      panel.marks.emplace_back(Note{.x = x,
                                    .y = y,
                                    .text = stays ? "yes" : "no",
                                    .ink = ink(stays ? Role::text : Role::secondary),
                                    .v = with_numbers ? VAlign::bottom : VAlign::middle,
                                    .room = 1,
                                    .room_y = with_numbers ? 0.5 : 1,
                                    .whole = true});
      if (with_numbers)
        panel.marks.emplace_back(Note{.x = x,
                                      .y = y,
                                      .text = short_text(answers(n, c), 2),
                                      .ink = ink(Role::secondary),
                                      .v = VAlign::top,
                                      .size = 0.85,
                                      .room = 1,
                                      .room_y = 0.5,
                                      .whole = true});
    }
  return panel;
}

/// By how much the result of one norm changes with each of these changes of all tokens. All are one batch: side by side for
/// the norm that looks down the columns, else one below the other.
std::vector<double> changes_of(const Run& run, std::size_t n, const Asked& asked, std::size_t change,
                               const std::vector<double>& values) {
  const Index tokens = asked.x.rows(), width = asked.x.cols(), count = std::ssize(values);
  const bool beside = n == batch;
  const auto part = [&](Matrix& all, Index i) {
    return beside ? all.block(0, i * width, tokens, width) : all.block(i * tokens, 0, tokens, width);
  };
  Matrix all(beside ? tokens : count * tokens, beside ? count * width : width);
  for (Index i = 0; i < count; ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    part(all, i) = changed(asked.x, change, value, value);
  }
  Matrix after = normed(run, n, all, asked.eps);
  const Matrix before = normed(run, n, asked.x, asked.eps);
  std::vector<double> result;
  for (Index i = 0; i < count; ++i) result.push_back(relative_change(part(after, i), before));
  return result;
}

Series by_factor(const Run& run, const Asked& asked) {
  std::vector<double> factors;
  for (int i = -24; i <= 12; ++i) factors.push_back(std::pow(10, i / 4.0));
  Series series("by_factor", {"factor", "", factors});
  for (std::size_t n = 0; n < norms.size(); ++n) series.add(norms[n], changes_of(run, n, asked, 0, factors));
  return series;
}

Series by_shift(const Run& run, const Asked& asked, double size) {
  Series series("by_shift", {"shift", "deviations", symmetric(furthest_shift, 21)});
  std::vector<double> shifts = series.x();
  for (double& c : shifts) c *= size;
  for (std::size_t n = 0; n < norms.size(); ++n) series.add(norms[n], changes_of(run, n, asked, 1, shifts));
  return series;
}

constexpr std::array dashes{Dash::solid,    Dash::dashed,    Dash::dotted,
                            Dash::dash_dot, Dash::long_dash, Dash::solid};

Panel scaled_panel(const Series& curves, double factor) {
  constexpr double least = 1e-9;
  Panel panel{.title = "All scaled",
              .x = {.label = "factor $a$", .scale = Scale::log(10)},
              .y = values("relative change"),
              .legend = LegendPlace::above,
              .series_group = 1};
  panel.y.scale = Scale::log(10);
  double most = 10;
  for (const Column& each : curves.columns()) most = std::max(most, largest(each.values));
  panel.y.range = Range{least, 2 * most};
  panel.marks.emplace_back(Rule{.at = factor});
  for (std::size_t n = 0; n < norms.size(); ++n) {
    Line line = curves.line(norms[n], {.ink = series(static_cast<int>(n)),
                                       .width = n == layer ? 2.2 : 1.0,  // others run along it
                                       .dash = dashes[n],
                                       .label = norms[n],
                                       .dash_by_series = false});
    for (double& y : line.y)
      if (y < least) y = std::numeric_limits<double>::quiet_NaN();
    panel.marks.emplace_back(std::move(line));
  }
  return panel;
}

Panel shifted_panel(const Series& curves, double shift) {
  Panel panel{.title = "All shifted",
              .x = {.label = "shift $c$ / deviation"},
              .y = values("relative change"),
              .legend = LegendPlace::none,
              .series_group = 1};
  panel.marks.emplace_back(Rule{.at = shift});
  for (std::size_t n = 0; n < norms.size(); ++n)
    panel.marks.emplace_back(curves.line(norms[n], {.ink = series(static_cast<int>(n)),
                                                    .width = n == layer ? 2.2 : 1.0,
                                                    .dash = dashes[n],
                                                    .label = norms[n],
                                                    .dash_by_series = false}));
  return panel;
}

Table table_of(const Matrix& answers) {
  Table table{"answers",
              {{.name = "norm", .values = counted(answers.rows()), .words = {norms.begin(), norms.end()}}}};
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const auto column = answers.col(static_cast<Index>(c));
    table.columns.push_back({.name = changes[c], .values = {column.begin(), column.end()}});
  }
  return table;
}

/// The least deviation with epsilon, over parts of rows, or over columns.
double least_deviation(const Matrix& x, double eps, Index parts, bool columns) {
  const Matrix rows = columns ? Matrix(x.transpose()) : x;
  const Index width = rows.cols() / parts;
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index k = 0; k < parts; ++k) {
      const auto part = rows.row(i).segment(k * width, width).array();
      least = std::min(least, std::sqrt((part - part.mean()).square().mean() + eps));
    }
  return least;
}

/// Numbers that were shifted or scaled were rounded to float, which a norm magnifies by what they are larger than the
/// deviation, and its mean and its deviation feel it besides; in double the sums lose as much of theirs.
double change_slack(const Run& run, const twin::Bounds& bounds, const Matrix& y, const Matrix& larger,
                    double least) {
  const double size = larger.cwiseAbs().maxCoeff() / least, terms = number(y.size());
  return 2 * slack(run, bounds, y, terms) +
         (4 * 0x1p-24 + terms * 0x1p-53) * size * (1 + y.cwiseAbs().maxCoeff());
}

/// With the square of the factor for epsilon too nothing changes.
Check scaled_with_epsilon(const Run& run, const Asked& asked, std::size_t n, const twin::Bounds& bounds,
                          std::string statement) {
  const double a = asked.factor, eps = a * a * asked.eps;
  const Matrix before = normed(run, n, asked.x, asked.eps), scaled = changed(asked.x, 0, a, 0),
               after = normed(run, n, scaled, eps);
  return {std::move(statement), (after - before).cwiseAbs().maxCoeff(),
          change_slack(run, bounds, before, scaled, least_deviation(scaled, eps, 1, n == batch))};
}

Check shifted_alike(const Run& run, const Asked& asked, std::size_t n, const twin::Bounds& bounds,
                    std::size_t change, std::string statement) {
  const Matrix before = normed(run, n, asked.x, asked.eps),
               moved = changed(asked.x, change, asked.factor, asked.shift),
               after = normed(run, n, moved, asked.eps),
               larger = asked.x.cwiseAbs().cwiseMax(moved.cwiseAbs());
  const double least = least_deviation(asked.x, asked.eps, n == group ? groups : 1, n == batch);
  return {std::move(statement), (after - before).cwiseAbs().maxCoeff(),
          change_slack(run, bounds, before, larger, least)};
}

std::vector<Check> checks_of(const Run& run, const Asked& asked) {
  return {
      scaled_with_epsilon(run, asked, layer, layer_norm_bounds,
                          "LayerNorm: the input scaled, epsilon by the square: the same result"),
      scaled_with_epsilon(run, asked, rms, rms_norm_bounds,
                          "RMSNorm: the input scaled, epsilon by the square: the same result"),
      scaled_with_epsilon(run, asked, batch, batch_norm_bounds,
                          "BatchNorm: the input scaled, epsilon by the square: the same result"),
      shifted_alike(run, asked, layer, layer_norm_bounds, 1,
                    "LayerNorm does not answer to a shift of all features"),
      shifted_alike(run, asked, group, group_norm_bounds, 1,
                    "GroupNorm does not answer to a shift of all features"),
      shifted_alike(run, asked, batch, batch_norm_bounds, 4,
                    "BatchNorm does not answer to a shift of one feature"),
      named("LayerNorm",
            twin::equals_reference(run, layer_norm_bounds,
                                   [&](const Run& each) { return normed(each, layer, asked.x, asked.eps); })),
  };
}

/// The first token, and LayerNorm of it before and after it is scaled, by the reference.
Series first_token(const Run& run, const Asked& asked) {
  const Run exact = twin::on_reference(run);
  const Matrix x = asked.x.topRows(1);
  Series series("first_token", {"component", "", counted(x.cols())});
  series.add("$x$", row_of(x));
  series.add("LayerNorm", row_of(normed(exact, layer, x, asked.eps)));
  series.add("LayerNorm, scaled", row_of(normed(exact, layer, asked.factor * x, asked.eps)));
  return series;
}

std::string title_of(const Settings& settings, const Matrix& answers) {
  const auto said = [&](Index norm, Index change) { return short_text(answers(norm, change), 2); };
  return "Scaled by " + short_text(settings.real("factor"), 3) + ", LayerNorm changes by " + said(layer, 0) +
         ", RMSNorm by " + said(rms, 0) + "; shifted by " + short_text(settings.real("shift"), 3) +
         " σ, by " + said(layer, 1) + " and " + said(rms, 1);
}

std::string worked_of(const Asked& asked, const Series& token) {
  const double x = asked.x(0, 0), mean = asked.x.row(0).mean(), a = asked.factor, eps = asked.eps,
               variance = (asked.x.row(0).array() - mean).square().mean();
  return Worked()
      .add("\\mathrm{LayerNorm}(x)_0", frac(term(x) - mean, sqrt(term(variance) + eps)),
           token["LayerNorm"][0])
      .add("\\mathrm{LayerNorm}(a x)_0",
           frac(term(a) * (term(x) - mean), sqrt(worked::power(a, 2) * term(variance) + eps)),
           token["LayerNorm, scaled"][0])
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const Matrix answers = answers_of(run, asked);
  run.check();
  const Series scaled = by_factor(run, asked), shifted = by_shift(run, asked, settings.real("size")),
               token = first_token(run, asked);
  Picture picture(
      title_of(settings, answers),
      "A table of norms and of changes of their input: yes where the result stays the same, and by how much it "
      "changes, relative to its size. Below, that change by the factor and by the shift of the whole batch.");
  picture.at({0, 0, 1, 2}, "table", table_panel(answers, settings.choice("show") == "table"))
      .at({1, 0}, "scaled", scaled_panel(scaled, settings.real("factor")))
      .at({1, 1}, "shifted", shifted_panel(shifted, settings.real("shift")));
  return {.figure = std::move(picture).figure(
              settings,
              {.aspect = 0.95, .rows = {1, 1}, .cols = {1.15, 1}, .telling = {"table", "scaled", "shifted"}}),
          .tables = {table_of(answers), scaled.table(), shifted.table(), token.table()},
          .checks = checks_of(run, asked),
          .worked = worked_of(asked, token)};
}

constexpr auto tries = std::to_array<Try>({
    {"A tiny input, scaled: epsilon answers, for LayerNorm and for RMSNorm alike.", "size=0.001",
     [](auto& now, auto& before) {
       const auto scaled = [](auto& result, double norm) {
         return at(result, "answers", "all scaled", norm);
       };
       return scaled(now, 0) > 0.5 && scaled(now, 1) > 0.5 && scaled(before, 0) < 1e-4 &&
              scaled(before, 1) < 1e-4;
     }},
    {"A larger shift: RMSNorm and ScaleNorm answer more, LayerNorm not at all.", "shift=10",
     [](auto& now, auto& before) {
       const auto shifted = [](auto& result, double norm) {
         return at(result, "answers", "all shifted", norm);
       };
       return shifted(now, 1) > shifted(before, 1) && shifted(now, 4) > shifted(before, 4) &&
              shifted(now, 0) < 1e-5;
     }},
    {"One token scaled a thousandfold: BatchNorm's result changes for all tokens, LayerNorm's for none.",
     "factor=1000",
     [](auto& now, auto&) {
       return at(now, "answers", "one token scaled", 3) > 0.5 &&
              at(now, "answers", "one token scaled", 0) < 1e-4;
     }},
    {"Neither scaled nor shifted: every answer is yes.", "factor=1 shift=0",
     [](auto& now, auto&) {
       return largest(column(now, "answers", "all scaled")) == 0 &&
              largest(column(now, "answers", "one feature shifted")) == 0;
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/invariance",
    .title = "What norms do not answer to",
    .topic = "Normalisation",
    .summary =
        "a scale leaves both LayerNorm and RMSNorm as they are, a shift of all features only the first of the two",
    .formula =
        R"(\mathrm{LayerNorm}(a x + c \mathbf{1}) = \mathrm{LayerNorm}(x), \quad \mathrm{RMSNorm}(a x) = \mathrm{RMSNorm}(x) \qquad (a > 0,\ \epsilon = 0))",
    .derivation =
        R"(Scale the token: $x \to a x$ with $a > 0$. Then $\mu \to a \mu$ and $\sigma \to a \sigma$.)"
        "\n"
        R"(LayerNorm: $(a x - a \mu) / (a \sigma) = (x - \mu) / \sigma$. The factor cancels, as it does in RMSNorm: $a x / (a \sqrt{\overline{x^2}})$.)"
        "\n"
        R"(Shift it: $x \to x + c$. Then $\mu \to \mu + c$, and $\sigma$ stays: $x + c - (\mu + c) = x - \mu$, so LayerNorm stays.)"
        "\n"
        R"(RMSNorm does not: its mean square becomes $\overline{x^2} + 2 c \mu + c^2$, and $c$ stands above the line too.)"
        "\n"
        R"(With $\epsilon$ no factor cancels wholly: $a^2 \sigma^2 + \epsilon$ is $a^2 (\sigma^2 + \epsilon / a^2)$, as if $\epsilon$ were $\epsilon / a^2$.)",
    .about =
        "It is often said that RMSNorm alone does not answer to the scale of its input. LayerNorm does not either; a shift of all "
        "features is what tells them apart. BatchNorm does not answer to what happens to a feature in all tokens. DyT is no norm: it "
        "answers to everything, unless it is saturated. Epsilon breaks each of these scalings where the input is about as small as its root.",
    .source =
        "Ba et al. 2016, arXiv 1607.06450, section 5.1; Zhang, Sennrich 2019, arXiv 1910.07467, table 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_invariance
