// Six ways to say where a token stands: one table, and the score against distance that each gives.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/bias_curves.h"
#include "app/study/position/schemes.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/tables.h"
#include "app/study/text.h"
#include "core/position/alibi.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;

constexpr std::string_view parts = "all|table|sinusoidal|learned|rope|alibi|t5|none";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "trained_length",
     .label = "Trained length",
     .kind = Kind::integer,
     .fallback = "512",
     .min = 16,
     .max = 8192,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "L: rows of the learned table; what every scheme has seen",
     .model_fact = "trained_length"},
    {.name = "reach",
     .label = "Reach",
     .kind = Kind::integer,
     .fallback = "8",
     .min = 2,
     .max = 8,
     .help = "length of the longer text, in trained lengths"},
    {.name = "width",
     .label = "Width",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 2,
     .max = 256,
     .travel = Travel::powers_of_two,
     .multiple = 2,
     .help = "d: of embeddings, queries and keys; a model of one head",
     .model_fact = "head_dim"},
    {.name = "base",
     .label = "Base",
     .kind = Kind::real,
     .fallback = "10000",
     .min = 2,
     .max = 1e7,
     .travel = Travel::log,
     .help = "b: of the sinusoids and of RoPE",
     .model_fact = "rope_theta"},
    {.name = "head",
     .label = "ALiBi's head",
     .kind = Kind::integer,
     .fallback = "6",
     .min = 1,
     .max = 8,
     .help = "h of 8: its slope is 2^-h"},
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("of random contents and of the learned table"),
    show_parameter(parts),
});

SchemeModel model_of(const Settings& settings) {
  SchemeModel model{
      .trained = settings.integer("trained_length"),
      .width = settings.integer("width"),
      .base = settings.real("base"),
      .slope = position::alibi_slopes(8)[static_cast<std::size_t>(settings.integer("head") - 1)],
      .query = std::vector<double>(static_cast<std::size_t>(settings.integer("width")), 1),
      .seed = static_cast<std::uint64_t>(settings.integer("seed"))};
  model.key = model.query;
  if (settings.choice("content") == "alike") return model;
  const tensor::Random random(model.seed + (1ULL << 32));  // apart from the table's own numbers
  for (std::size_t i = 0; i < model.query.size(); ++i) {
    model.query[i] = random.normal(2 * i);
    model.key[i] = random.normal(2 * i + 1);
  }
  return model;
}

/// What a query sees behind it: distances from 1 to the first token, evenly spread on a log axis.
struct View {
  Index query = 0;
  std::vector<Index> distances;
};

View view_from(Index query) {
  View view{query, {}};
  for (const double r : spread_distances(static_cast<double>(query), 200))
    view.distances.push_back(std::lround(r));
  view.distances.erase(std::ranges::unique(view.distances).begin(), view.distances.end());
  return view;
}

/// The same distances as the longer view, as far as this query reaches.
View view_within(const View& whole, Index query) {
  View view{query, whole.distances};
  std::erase_if(view.distances, [&](Index r) { return r >= query; });
  view.distances.push_back(query);
  return view;
}

/// Of each scheme, in their order.
struct Curves {
  View view;
  std::vector<std::vector<double>> scores;
};

Curves curves_of(const Run& run, const SchemeModel& model, View view) {
  Curves curves{std::move(view), {}};
  for (const SchemeFacts& facts : scheme_facts()) {
    run.check();
    curves.scores.push_back(
        scheme_scores(run, facts.scheme, model, curves.view.query, curves.view.distances));
  }
  return curves;
}

/// How far the score of one distance differs between queries at trained positions.
double spread_of(const Run& run, Scheme scheme, const SchemeModel& model) {
  const Index last = model.trained - 1, farthest = model.trained / 2;
  std::vector<Index> distances;
  for (Index r = 1; r <= farthest; r *= 2) distances.push_back(r);
  const std::vector<double> base = scheme_scores(run, scheme, model, last, distances);
  double spread = 0;
  for (const Index query :
       {farthest, farthest + (last - farthest) / 3, farthest + 2 * (last - farthest) / 3}) {
    const std::vector<double> here = scheme_scores(run, scheme, model, query, distances);
    for (std::size_t i = 0; i < here.size(); ++i) spread = std::max(spread, std::abs(here[i] - base[i]));
  }
  return spread;
}

/// Text cannot stand in a table of numbers: yes is 1 and no is 0, schemes in the order of the picture.
figure::Table scheme_table(const Run& run, const SchemeModel& model, const Curves& inside,
                           const Curves& whole) {
  figure::Table table{"schemes",
                      {{.name = "scheme"},
                       {.name = "relative"},
                       {.name = "multiplied"},
                       {.name = "parameters"},
                       {.name = "spread over positions"},
                       {.name = "score at L - 1"},
                       {.name = "score past L, least"},
                       {.name = "score past L, most"}}};
  for (const SchemeFacts& facts : scheme_facts()) {
    run.check();
    // Where there is no row past L, the last score there is stands for both ends.
    const auto index = static_cast<std::size_t>(facts.scheme);
    const double end = inside.scores[index].back();
    double least = end, most = end;
    const std::vector<double>& scores = whole.scores[index];
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (whole.view.distances[i] < model.trained || std::isnan(scores[i])) continue;
      least = std::min(least, scores[i]);
      most = std::max(most, scores[i]);
    }
    const std::array row{static_cast<double>(facts.scheme) + 1,
                         facts.relative ? 1.0 : 0.0,
                         facts.scheme == Scheme::rope ? 1.0 : 0.0,
                         static_cast<double>(scheme_parameters(facts.scheme, model)),
                         spread_of(run, facts.scheme, model),
                         end,
                         least,
                         most};
    add_row(table, row);
  }
  return table;
}

/// The same in words, one line a scheme.
figure::Panel words_panel(const SchemeModel& model) {
  constexpr std::array columns{0.0, 0.185, 0.345, 0.6, 0.78};
  figure::Panel panel;
  panel.title = "What each scheme is";
  panel.x = {.range = figure::Range{0, 1}, .visible = false};
  panel.y = {.range = figure::Range{-0.6, 6.6}, .visible = false, .reversed = true};
  panel.legend = figure::LegendPlace::none;
  const auto write = [&](double row, std::array<std::string, 5> words, figure::Role role) {
    for (std::size_t c = 0; c < words.size(); ++c) {
      figure::Note note{.x = columns[c], .y = row, .text = words[c], .ink = {role, 0, 1}};
      note.h = figure::HAlign::left;
      note.size = 0.85;
      panel.marks.push_back(std::move(note));
    }
  };
  write(0, {"scheme", "says", "enters", "learned", "past $L$"}, figure::Role::secondary);
  panel.marks.push_back(figure::Rule{.direction = figure::Direction::horizontal,
                                     .at = 0.5,
                                     .ink = {figure::Role::axis, 0, 1},
                                     .width = 0.6,
                                     .dash = figure::Dash::solid});
  double row = 1;
  for (const SchemeFacts& facts : scheme_facts()) {
    std::string count = grouped(static_cast<double>(scheme_parameters(facts.scheme, model)));
    if (facts.scheme == Scheme::t5) count += " a head";
    write(row++,
          {std::string(facts.name),
           facts.scheme == Scheme::none ? "order"
           : facts.relative             ? "relative"
                                        : "absolute",
           std::string(facts.enters), count, std::string(facts.beyond)},
          figure::Role::text);
  }
  return panel;
}

figure::Panel score_panel(const SchemeFacts& facts, const SchemeModel& model, const Curves& inside,
                          const Curves& whole) {
  const double end = static_cast<double>(whole.view.query);
  figure::Panel panel;
  panel.title = facts.name;
  panel.x = {.label = "distance $m - n$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{1, end},
             .ticks = figure::TickHint::powers_of_two,
             .group = 1};
  panel.y = {.label = "score", .grid = true};
  panel.legend = figure::LegendPlace::none;
  panel.marks = trained_marks(static_cast<double>(model.trained), end, "");
  double lowest = 1e300, highest = -1e300;
  for (const auto& [curves, series] : {std::pair{&whole, 1}, {&inside, 0}}) {
    const std::vector<double>& y = curves->scores[static_cast<std::size_t>(facts.scheme)];
    const std::vector<Index>& r = curves->view.distances;
    for (const double each : y) {
      if (std::isnan(each)) continue;
      lowest = std::min(lowest, each);
      highest = std::max(highest, each);
    }
    // The longer query lies beneath, broad: where both are one the score does not know where the query stands.
    figure::Line line =
        curve({r.begin(), r.end()}, y, series, "$m$ = " + grouped(static_cast<double>(curves->view.query)));
    line.width = series == 1 ? 2.2 : 1;
    if (series == 1) line.ink.alpha = 0.5;  // so that the other one reads on it
    line.dash_by_series = false;
    panel.marks.push_back(std::move(line));
  }
  // Rounding is no feature: an even score is drawn as a straight line in the middle.
  if (highest - lowest < 1e-3) panel.y.range = figure::Range{lowest - 1, highest + 1};
  return panel;
}

std::vector<Check> checks_of(const Run& run, const SchemeModel& model, const figure::Table& table,
                             const View& whole) {
  const auto& spread = table.columns[4].values;
  const double d = static_cast<double>(model.width), root = std::sqrt(d);
  const auto length = [](const std::vector<double>& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  };
  // Scores of turned vectors, twice; and angles up to L, rounded to 2^-53 of themselves, for both of the two.
  const double products = length(model.query) * length(model.key) / root,
               turned = products * (2 * twin::turned_score_slack(run, model.width) +
                                    static_cast<double>(model.trained) * 0x1p-50);
  SchemeModel ones = model, bare = model;
  ones.query = ones.key = std::vector<double>(model.query.size(), std::sqrt(0.5));
  bare.query = bare.key = std::vector<double>(model.query.size(), 0);
  Run exact = run;
  exact.device = DeviceChoice::ref;
  const std::vector<double> rope = scheme_scores(exact, Scheme::rope, ones, whole.query, whole.distances),
                            waves =
                                scheme_scores(exact, Scheme::sinusoidal, bare, whole.query, whole.distances);
  double apart = 0, level = 0;
  for (std::size_t i = 0; i < rope.size(); ++i) apart = std::max(apart, std::abs(rope[i] - waves[i]));
  std::vector<Index> far;
  for (const Index r : whole.distances)
    if (r >= 128) far.push_back(r);
  const std::vector<double> beyond = scheme_scores(exact, Scheme::t5, model, whole.query, far);
  for (const double score : beyond) level = std::max(level, std::abs(score - beyond.front()));
  const SchemeModel known{.trained = 512,
                          .width = 128,
                          .base = 10000,
                          .query = std::vector<double>(128, 0),
                          .key = std::vector<double>(128, 0)};
  const double published =
      scheme_scores(exact, Scheme::sinusoidal, known, 1100, {1024}).front() * std::sqrt(128);
  return {
      {"RoPE: one score for one distance, wherever the query stands", spread[2], turned},
      {"ALiBi: the same", spread[3], 0},
      {"T5: the same", spread[4], 0},
      {"none: one score for all", spread[5], 0},
      {"RoPE of equal vectors is the dot product of sinusoidal rows", apart,
       root * (static_cast<double>(whole.query) + d) * 0x1p-51},
      {"T5: every key beyond 128 tokens has one score", level, 0},
      {"sinusoidal rows 1024 apart, $d = 128$: 13.084250832", std::abs(published - 13.084250832), 5e-10},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const SchemeModel model = model_of(settings);
  const View farthest = view_from(model.trained * settings.integer("reach") - 1);
  const Curves inside = curves_of(run, model, view_within(farthest, model.trained - 1)),
               whole = curves_of(run, model, farthest);
  figure::Table table = scheme_table(run, model, inside, whole);

  StudyResult result;
  figure::Figure& figure = result.figure;
  figure.title = "Where a token stands, said in six ways";
  figure.description =
      "A table of six schemes: absolute or relative, added or multiplied, learned parameters, and what "
      "happens past the "
      "trained length. Below, for each the score against distance of a query at the end of the trained "
      "length, and of "
      "one at the end of a longer text: where the lines differ the score knows the absolute position.";
  figure.panels = {words_panel(model)};
  figure.panels[0].cell = {0, 0, 1, 3};
  figure::Table scores{"scores",
                       {{.name = "distance",
                         .unit = "tokens",
                         .values = {farthest.distances.begin(), farthest.distances.end()}}}};
  for (const SchemeFacts& facts : scheme_facts()) {
    const int i = static_cast<int>(facts.scheme);
    figure.panels.push_back(score_panel(facts, model, inside, whole));
    figure.panels.back().cell = {1 + i / 3, i % 3};
    if (facts.scheme != Scheme::learned)
      scores.columns.push_back(
          {.name = std::string(facts.name), .values = whole.scores[static_cast<std::size_t>(i)]});
  }
  figure.row_weights = {1.05, 1, 1};
  figure.col_weights = {1, 1, 1};
  figure.aspect = 1.15;
  const bool alone = settings.choice("show") != "all";
  show_only(figure, parts, settings.choice("show"));
  // One legend says it for all panels: the first that is no table.
  if (settings.choice("show") != "table") figure.panels[alone ? 0 : 1].legend = figure::LegendPlace::above;
  result.checks = checks_of(run, model, table, farthest);
  result.tables = {std::move(table), std::move(scores)};
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Random contents: RoPE's score waves, the biases only shift.", "content=random"},
    {"ALiBi's steepest head.", "head=1"},
    {"A base that suits the length: RoPE does not turn back so soon.", "base=500000"},
});

}  // namespace

const Study position_compare{
    .id = "position/compare",
    .title = "Schemes compared",
    .topic = "Absolute and additive",
    .summary = "where a token stands, said in six ways",
    .formula =
        R"(\langle x + p_m, x' + p_n\rangle, \quad \langle R_m q, R_n k\rangle, \quad \langle q, k\rangle + b(m - n))",
    .about =
        "Absolute schemes add a vector to each embedding, and the score keeps terms that know where the "
        "query stands; "
        "relative ones turn query and key, or add to the score what depends on the distance alone. Each "
        "curve is drawn "
        "for a query at the end of what was trained and for one far beyond it: the learned table has no row "
        "there. Its "
        "rows are random here, as before training, and T5's table is one that falls like a logarithm.",
    .source =
        "Vaswani et al., arXiv 1706.03762; Su et al., arXiv 2104.09864; Press et al., arXiv 2108.12409; "
        "Raffel et al., "
        "arXiv 1910.10683; Kazemnejad et al., arXiv 2305.19466",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
