// Six ways to say where a token stands: one table, and the score against distance that each gives.
#include <numeric>

#include "app/study/kit.h"
#include "app/study/position/schemes.h"
#include "app/study/rope/rules.h"
#include "core/position/alibi.h"

namespace orrery::study::position_compare {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    whole("trained_length", "Trained length", "512", {16, 8192},
          "L: rows of the learned table; what every scheme has seen",
          {.travel = Travel::powers_of_two, .unit = "tokens", .model_fact = "trained_length"}),
    whole("reach", "Reach", "8", {2, 8}, "length of the longer text, in trained lengths"),
    whole("width", "Width", "64", {2, 256}, "d: of embeddings, queries and keys; a model of one head",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "head_dim"}),
    real("base", "Base", "10000", {2, 1e7}, "b: of the sinusoids and of RoPE",
         {.travel = Travel::log, .model_fact = "rope_theta"}),
    whole("head", "ALiBi's head", "6", {1, 8}, "h of 8: its slope is 2^-h"),
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("of random contents and of the learned table"),
    show_parameter("all|table|sinusoidal|learned|rope|alibi|t5|none"),
});

SchemeModel model_of(const Settings& settings) {
  SchemeModel model{
      .trained = settings.integer("trained_length"),
      .width = settings.integer("width"),
      .base = settings.real("base"),
      .slope = position::alibi_slopes(8)[static_cast<std::size_t>(settings.integer("head") - 1)],
      .query = std::vector<double>(static_cast<std::size_t>(settings.integer("width")), 1),
      .seed = seed_of(settings)};
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
  for (const double r : spread_distances(number(query), 200)) view.distances.push_back(std::lround(r));
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
Table scheme_table(const Run& run, const SchemeModel& model, const Curves& inside, const Curves& whole) {
  Table table{"schemes",
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
    add_row(table, index + 1, facts.relative, facts.scheme == Scheme::rope,
            scheme_parameters(facts.scheme, model), spread_of(run, facts.scheme, model), end, least, most);
  }
  return table;
}

/// The same in words, one line a scheme.
Panel words_panel(const SchemeModel& model) {
  constexpr std::array columns{0.0, 0.185, 0.345, 0.6, 0.78};
  Panel panel{.title = "What each scheme is",
              .x = {.range = Range{0, 1}, .visible = false},
              .y = {.range = Range{-0.6, 6.6}, .visible = false, .reversed = true},
              .legend = LegendPlace::none};
  const auto write = [&](double row, std::array<std::string, 5> words, Role role) {
    for (std::size_t c = 0; c < words.size(); ++c)
      panel.marks.push_back(Note{
          .x = columns[c], .y = row, .text = words[c], .ink = ink(role), .h = HAlign::left, .size = 0.85});
  };
  write(0, {"scheme", "says", "enters", "learned", "past $L$"}, Role::secondary);
  panel.marks.push_back(level(0.5, {.ink = ink(Role::axis), .width = 0.6, .dash = Dash::solid}));
  double row = 1;
  constexpr Index last_bucket = 113;  // where T5's begins
  for (const SchemeFacts& facts : scheme_facts()) {
    const std::string says = facts.scheme == Scheme::none ? "order"
                             : facts.relative             ? "relative"
                                                          : "absolute";
    std::string count = grouped(number(scheme_parameters(facts.scheme, model)));
    std::string beyond(facts.beyond);
    if (facts.scheme == Scheme::t5) {
      count += " a head";
      if (model.trained < last_bucket) beyond = "level from " + grouped(number(last_bucket));
    }
    write(row++, {std::string(facts.name), says, std::string(facts.enters), count, beyond}, Role::text);
  }
  return panel;
}

/// The longer query lies beneath, broad: where both are one the score does not know where the query stands.
Panel score_panel(const SchemeFacts& facts, const SchemeModel& model, const Curves& inside,
                  const Curves& whole) {
  const double end = number(whole.view.query);
  Panel panel{.title = std::string(facts.name),
              .x = octaves("distance $m - n$", Range{1, end}),
              .y = values("score"),
              .marks = trained_marks(number(model.trained), end, ""),
              .legend = LegendPlace::none};
  panel.x.group = 1;
  double lowest = 1e300, highest = -1e300;
  const auto add = [&](const Curves& curves, Line line) {
    line.x = {curves.view.distances.begin(), curves.view.distances.end()};
    line.y = curves.scores[static_cast<std::size_t>(facts.scheme)];
    line.label = "$m$ = " + grouped(number(curves.view.query));
    line.dash_by_series = false;
    for (const double each : line.y) {
      if (std::isnan(each)) continue;
      lowest = std::min(lowest, each);
      highest = std::max(highest, each);
    }
    panel.marks.push_back(std::move(line));
  };
  add(whole, {.ink = {Role::series, 1, 0.5},
              .width = 2.2,
              .reading = {.role = "whole"}});  // so that the other one reads on it
  add(inside, {.ink = series(0), .reading = {.role = "inside"}});
  // Rounding is no feature: an even score is drawn as a straight line in the middle.
  if (highest - lowest < 1e-3) panel.y.range = Range{lowest - 1, highest + 1};
  return panel;
}

std::vector<Check> checks_of(const Run& run, const SchemeModel& model, const Table& table,
                             const View& whole) {
  const auto& spread = std::ranges::find(table.columns, "spread over positions", &Column::name)->values;
  const double d = number(model.width), root = std::sqrt(d);
  const auto length = [](const std::vector<double>& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  };
  // Scores of turned vectors, twice; and angles up to L, rounded to 2^-53 of themselves, for both of the two.
  const double products = length(model.query) * length(model.key) / root,
               turned = products *
                        (2 * twin::turned_score_slack(run, model.width) + number(model.trained) * 0x1p-50);
  SchemeModel ones = model, bare = model;
  ones.query = ones.key = std::vector<double>(model.query.size(), std::sqrt(0.5));
  bare.query = bare.key = std::vector<double>(model.query.size(), 0);
  const Run exact = twin::on_reference(run);
  const std::vector<double> rope = scheme_scores(exact, Scheme::rope, ones, whole.query, whole.distances),
                            waves =
                                scheme_scores(exact, Scheme::sinusoidal, bare, whole.query, whole.distances);
  std::vector<Index> far;
  for (const Index r : whole.distances)
    if (r >= 128) far.push_back(r);
  const std::vector<double> beyond = scheme_scores(exact, Scheme::t5, model, whole.query, far);
  double uneven = 0;
  for (const double score : beyond) uneven = std::max(uneven, std::abs(score - beyond.front()));
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
      {"RoPE of equal vectors is the dot product of sinusoidal rows", largest_difference(rope, waves),
       root * (number(whole.query) + d) * 0x1p-51},
      {"T5: every key beyond 128 tokens has one score", uneven, 0},
      {"sinusoidal rows 1024 apart, $d = 128$: 13.084250832", std::abs(published - 13.084250832), 5e-10},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  const SchemeModel model = model_of(settings);
  const View farthest = view_from(model.trained * settings.integer("reach") - 1);
  const Curves inside = curves_of(run, model, view_within(farthest, model.trained - 1)),
               whole = curves_of(run, model, farthest);
  const Table table = scheme_table(run, model, inside, whole);
  Picture picture("Where a token stands, said in six ways",
                  "A table of six schemes: absolute or relative, added or multiplied, learned parameters, "
                  "and what happens past the trained length. Below, for each the score against distance of a "
                  "query at the end of the trained length, and of one at the end of a longer text: where the "
                  "lines differ the score knows the absolute position.");
  picture.at({0, 0, 1, 3}, "table", words_panel(model));
  Series scores("scores", {"distance", "tokens", {farthest.distances.begin(), farthest.distances.end()}});
  const std::string& shown = settings.choice("show");
  for (const SchemeFacts& facts : scheme_facts()) {
    const int i = static_cast<int>(facts.scheme);
    Panel panel = score_panel(facts, model, inside, whole);
    if (shown != "all" || i == 0) panel.legend = LegendPlace::above;  // one legend says it for all panels
    picture.at({1 + i / 3, i % 3}, std::string(facts.id), std::move(panel));
    if (facts.scheme != Scheme::learned)
      scores.add(std::string(facts.name), whole.scores[static_cast<std::size_t>(i)]);
  }
  return {std::move(picture).figure(settings,
                                    {.aspect = 1.15,
                                     .rows = {1.05, 1, 1},
                                     .cols = {1, 1, 1},
                                     .telling = {"sinusoidal", "learned", "rope", "alibi", "t5", "none"}}),
          {table, scores.table()},
          checks_of(run, model, table, farthest)};
}

constexpr auto tries = std::to_array<Try>({
    {"Random contents: RoPE's score waves, the biases only shift.", "content=random"},
    {"ALiBi's steepest head.", "head=1"},
    {"A base that suits the length: RoPE does not turn back so soon.", "base=500000"},
});

}  // namespace

extern const Study study{
    .id = "position/compare",
    .title = "Schemes compared",
    .topic = "Absolute and additive",
    .summary = "where a token stands, said in six ways",
    .formula =
        R"(\langle x + p_m, x' + p_n\rangle, \quad \langle R_m q, R_n k\rangle, \quad \langle q, k\rangle + b(m - n))",
    .about =
        "Absolute schemes add a vector to each embedding, and the score keeps terms that know where the "
        "query stands; relative ones turn query and key, or add to the score what depends on the distance "
        "alone. Each curve is drawn for a query at the end of what was trained and for one far beyond it: "
        "the learned table has no row there. Its rows are random here, as before training, and T5's table is "
        "one that falls like a logarithm.",
    .source =
        "Vaswani et al., arXiv 1706.03762; Su et al., arXiv 2104.09864; Press et al., arXiv 2108.12409; "
        "Raffel et al., arXiv 1910.10683; Kazemnejad et al., arXiv 2305.19466",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_compare
