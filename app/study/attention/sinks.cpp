// Attention sinks: a logit without a value, softmax plus one, and first tokens that must not leave the cache.
#include "app/study/kit.h"

namespace orrery::study::attention_sinks {
namespace {

constexpr double furthest = 12;  // shifts of the scores that the second panel goes to
constexpr Index shown_keys = 16;

constexpr auto parameters = std::to_array<Parameter>({
    real("sink", "Sink", "2", {-20, 20},
         "a logit beside the scores that no value stands behind; 0 is softmax plus one"),
    real("level", "Level", "-2", {-furthest, furthest}, "of all scores: below 0 no key is wanted",
         {.plays = true}),
    real("deviation", "Deviation", "1", {0, 5}, "σ: of the scores among each other"),
    whole("length", "Length", "256", {16, 2048}, "of the text that is read on",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    real(
        "boost", "Boost of first tokens", "6", {0, 12},
        "by how much scores of the first tokens are higher: a model without a sink puts there what it does not want"),
    whole("kept", "Kept", "4", {0, 16}, "first tokens that stay in the cache", {.unit = "tokens"}),
    whole("window", "Window", "32", {1, 1024}, "recent tokens that stay in the cache",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    seed_parameter("another one gives other scores"),
    show_parameter("all|row|total|cache|places"),
});

struct Asked {
  double sink, level, deviation, boost;
  Index length, kept, window;
  Matrix noise;  ///< of every key, deviation 1; the same for all queries
};

Asked asked_of(const Settings& settings) {
  const Index length = settings.integer("length");
  return {settings.real("sink"),
          settings.real("level"),
          settings.real("deviation"),
          settings.real("boost"),
          length,
          settings.integer("kept"),
          settings.integer("window"),
          tensor::Random(seed_of(settings)).normals(1, length)};
}

/// A row of scores of the first keys.
Matrix few_scores(const Asked& asked) {
  return twin::rounded((asked.level + asked.deviation * asked.noise.leftCols(shown_keys).array()).matrix());
}

Matrix plain(const Run& run, const Matrix& scores) {
  return twin::softmax(run, scores, {});
}
Matrix with_sink(const Run& run, const Matrix& scores, double sink) {
  return twin::softmax(run, scores, {.sink = sink});
}

Series row_of_weights(const Run& run, const Asked& asked) {
  const Matrix scores = few_scores(asked);
  Series row("row", {"key", "", counted(shown_keys)});
  row.add("score", row_of(scores));
  row.add("softmax", row_of(plain(run, scores)));
  return row.add("with the sink", row_of(with_sink(run, scores, asked.sink)));
}

/// What the keys of the row get in all, wherever its level stands.
Series totals(const Run& run, const Asked& asked) {
  Series totals("totals", {"level", "", symmetric(furthest, 49)});
  const auto total = [&](std::optional<double> sink) {
    return [&run, &asked, sink](double level) {
      Asked moved = asked;
      moved.level = level;
      return twin::softmax(run, few_scores(moved), {.sink = sink}).sum();
    };
  };
  totals.add("softmax", total({}));
  totals.add("softmax plus one", total(0.0));
  return totals.add("with the sink", total(asked.sink));
}

/// That draw what no key wants, in the text of the third panel.
constexpr Index first_tokens = 4;

/// Of every query: how much of its weight goes to the keys that a cache still holds.
Series cache_of(const Run& run, const Asked& asked) {
  std::vector<double> queries;
  for (Index m = 0; m < asked.length; m += std::max<Index>(1, asked.length / 128))
    queries.push_back(number(m));
  for (const Index m : {asked.window - 1, asked.window, asked.length - 1})
    if (m < asked.length && std::ranges::find(queries, number(m)) == queries.end())
      queries.push_back(number(m));
  std::ranges::sort(queries);
  Matrix scores = (asked.deviation * asked.noise.array()).matrix();
  scores.leftCols(std::min(first_tokens, asked.length)).array() += asked.boost;
  scores = twin::rounded(scores);
  std::vector<double> recent, kept;
  for (const double query : queries) {
    run.check();
    const auto keys = static_cast<Index>(query) + 1;
    const Matrix weights = plain(run, Matrix(scores.leftCols(keys)));
    const Index from = std::max<Index>(0, keys - asked.window), sinks = std::min(asked.kept, from);
    recent.push_back(weights.rightCols(keys - from).sum());
    kept.push_back(recent.back() + weights.leftCols(sinks).sum());
  }
  Series held("cache", {"query", "", std::move(queries)});
  held.add("recent tokens", std::move(recent));
  return held.add("and the first", std::move(kept));
}

/// Which position each cached key of the last query has: in the text, and in the cache, as StreamingLLM counts.
Series places_of(const Asked& asked) {
  const Index from = std::max<Index>(0, asked.length - asked.window), sinks = std::min(asked.kept, from);
  std::vector<double> slot, text;
  for (Index n = 0; n < sinks; ++n) text.push_back(number(n));
  for (Index n = from; n < asked.length; ++n) text.push_back(number(n));
  slot = counted(std::ssize(text));
  Series places("places", {"slot of the cache", "", slot});
  places.add("in the text", std::move(text));
  return places.add("in the cache", std::move(slot));
}

double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}

Table shares_table(const Series& row) {
  Table table{"shares", {{.name = "of all keys"}, {.name = "the sink's share"}}};
  const double keys = sum_of(row["with the sink"]);
  add_row(table, keys, 1 - keys);
  return table;
}

// The picture.

constexpr double sink_place = -2;

Panel row_panel(const Series& row) {
  const double rest = 1 - sum_of(row["with the sink"]);
  Panel panel{
      .title = "One row of weights",
      .x = counts("key $n$", Range{sink_place - 0.8, number(shown_keys) - 0.3}),
      .y = values("",
                  Range{0, 1.15 * std::max({largest(row["softmax"]), largest(row["with the sink"]), rest})}),
      .legend = LegendPlace::above,
      .series_group = 1};
  panel.marks.emplace_back(
      row.bars("softmax", {.width = 0.8, .ink = Ink{Role::series, 0, 0.35}, .label = "softmax"}));
  panel.marks.emplace_back(
      row.bars("with the sink", {.width = 0.45, .ink = series(1), .label = "with the sink"}));
  panel.marks.emplace_back(
      Bars{.x = {sink_place}, .height = {rest}, .width = 0.8, .ink = series(2), .label = "the sink's share"});
  return panel;
}

Panel total_panel(const Series& totals, double level) {
  Panel panel{.title = "What all keys get together",
              .x = {.label = "level of the scores"},
              .y = values("", Range{0, 1.1}),
              .legend = LegendPlace::best,
              .series_group = 1};
  panel.marks.emplace_back(totals.line("softmax", {.ink = series(0), .label = "softmax"}));
  panel.marks.emplace_back(
      totals.line("softmax plus one", {.ink = series(3), .width = 1.4, .label = "softmax plus one"}));
  panel.marks.emplace_back(totals.line("with the sink", {.ink = series(1), .label = "with the sink"}));
  panel.marks.emplace_back(Rule{.at = level, .dash = Dash::dotted});
  return panel;
}

Panel cache_panel(const Series& cache, const Asked& asked) {
  Panel panel{.title = "Weight that the cache still holds",
              .x = counts("query"),
              .y = values("", Range{0, 1.1}),
              .legend = LegendPlace::best,
              .series_group = 1};
  panel.marks.emplace_back(
      cache.line("and the first", {.ink = series(2), .label = "recent and first tokens"}));
  panel.marks.emplace_back(cache.line("recent tokens", {.ink = series(0), .label = "recent tokens alone"}));
  panel.marks.emplace_back(
      Rule{.at = number(asked.window), .ink = ink(Role::secondary), .dash = Dash::dotted});
  return panel;
}

Panel places_panel(const Series& places) {
  Panel panel{.title = "Positions of what is cached",
              .x = counts("slot of the cache"),
              .y = values("position"),
              .legend = LegendPlace::best,
              .series_group = 1};
  panel.marks.emplace_back(
      places.points("in the text", {.ink = series(0), .radius = 1.5, .label = "in the text"}));
  panel.marks.emplace_back(places.points(
      "in the cache", {.ink = series(1), .radius = 1.5, .symbol = Symbol::ring, .label = "in the cache"}));
  return panel;
}

// Checks.

double rel_of(const Run& run, Index keys) {
  if (run.device == DeviceChoice::ref) return number(keys + 4) * 0x1p-52;
  const tensor::Bound own =
      run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound : attention::softmax_bound(keys);
  return own.rel + own.row + number(keys) * (own.abs + 0x1p-52);
}

std::vector<Check> checks_of(const Run& run, const Asked& asked) {
  const Matrix scores = few_scores(asked), weights = with_sink(run, scores, asked.sink);
  const double sink = twin::rounded(Matrix::Constant(1, 1, asked.sink))(0, 0);
  Matrix beside(1, shown_keys + 1);
  beside << scores, Matrix::Constant(1, 1, sink);
  const Matrix as_a_key = plain(run, beside).leftCols(shown_keys);
  const double allowed = 2 * rel_of(run, shown_keys + 1) + std::abs(asked.sink - sink);
  // A power of two is added to both: what rounding that costs a score is no more than half a unit of its sum.
  const Matrix raised = twin::rounded((scores.array() + 16).matrix());
  const double moved = 2 * (raised.cwiseAbs().maxCoeff() + std::abs(asked.sink) + 16) * 0x1p-24;
  const Matrix all = plain(run, scores);
  const double share = weights.sum();
  return {{"a sink is one more key, whose weight is thrown away", (weights - as_a_key).cwiseAbs().maxCoeff(),
           allowed},
          {"the keys share among each other as without a sink", (weights - share * all).cwiseAbs().maxCoeff(),
           2 * rel_of(run, shown_keys + 1)},
          {"scores and sink raised alike: the same weights",
           (with_sink(run, raised, asked.sink + 16) - weights).cwiseAbs().maxCoeff(),
           2 * rel_of(run, shown_keys + 1) + 2 * moved},
          known_answer("softmax plus one: one score of 0 gets a half",
                       std::abs(with_sink(run, Matrix::Zero(1, 1), 0)(0, 0) - 0.5), 0x1p-24)};
}

// Words.

std::string title_of(const Series& row, const Series& cache, const Asked& asked) {
  const auto percent = [](double share) { return short_text(100 * share, 2) + " %"; };
  return "With a sink of " + short_text(asked.sink, 3) + " the keys get " +
         percent(sum_of(row["with the sink"])) + "; of the last token's weight recent tokens hold " +
         percent(cache["recent tokens"].back()) + ", with the first ones " +
         percent(cache["and the first"].back());
}

std::string worked_of(const Run& run, const Asked& asked) {
  const Matrix scores = few_scores(asked);
  std::vector<Term> all;
  for (Index n = 0; n < scores.cols(); ++n) all.push_back(exp(term(scores(0, n))));
  const double weight = with_sink(twin::on_reference(run), scores, asked.sink)(0, 0);
  return Worked()
      .add("A_0", worked::frac(exp(term(scores(0, 0))), exp(term(asked.sink)) + worked::sum(all)), weight)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const Series row = row_of_weights(run, asked), total = totals(run, asked), cache = cache_of(run, asked),
               places = places_of(asked);
  Picture picture(
      title_of(row, cache, asked),
      "Bars of one row of weights with a sink and without, and the sink's own share; what all keys get together, by "
      "the level of their scores; how much of a query's weight falls on the tokens that a cache still holds, with "
      "the first tokens and without; and which positions the cached tokens have.");
  picture.at({0, 0}, "row", row_panel(row))
      .at({0, 1}, "total", total_panel(total, asked.level))
      .at({1, 0}, "cache", cache_panel(cache, asked))
      .at({1, 1}, "places", places_panel(places));
  return {
      .figure = std::move(picture).figure(
          settings,
          {.aspect = 1.35, .rows = {1, 1}, .cols = {1, 1}, .telling = {"row", "total", "cache", "places"}}),
      .tables = {row.table(), shares_table(row), total.table(), cache.table(), places.table()},
      .checks = checks_of(run, asked),
      .worked = worked_of(run, asked)};
}

constexpr auto tries = std::to_array<Try>({
    {"Scores far below the sink: the head passes next to nothing on.", "level=-10 sink=0",
     [](auto& now, auto&) {
       return sum_of(column(now, "row", "with the sink")) < 0.01 &&
              sum_of(column(now, "row", "softmax")) > 0.999;
     }},
    {"A sink far below the scores: plain softmax again.", "sink=-20 level=2",
     [](auto& now, auto&) { return sum_of(column(now, "row", "with the sink")) > 0.999; }},
    {"No first tokens kept: what they drew is gone from the cache.", "kept=0 boost=8",
     [](auto& now, auto&) { return column(now, "cache", "and the first").back() < 0.5; }},
    {"First tokens that nothing draws: with them or without is nearly the same.", "boost=0",
     [](auto& now, auto&) {
       return column(now, "cache", "and the first").back() - column(now, "cache", "recent tokens").back() <
              0.15;
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/sinks",
    .title = "Sinks",
    .topic = "Attention",
    .summary = "where weight goes that no key wants: a sink's logit, softmax plus one, the first tokens",
    .formula = R"(A_n = \frac{e^{s_n}}{e^{z} + \sum_k e^{s_k}}, \qquad z = 0:\ \text{softmax plus one})",
    .derivation =
        R"(A row of softmax sums to 1, so a head that has nothing to say must still give its weight to somebody.)"
        "\n"
        R"(Trained models give it to the first tokens, which every later token sees; their values are small, so little is added.)"
        "\n"
        R"(A cache of recent tokens alone throws these out: the denominator loses its largest terms, and what is left is magnified.)"
        "\n"
        R"(A logit $z$ with no value behind it does the same openly: with $\Sigma = \sum_k e^{s_k}$ the keys get $\Sigma / (e^z + \Sigma)$, and the rest is nobody's.)",
    .about =
        "StreamingLLM keeps the first four tokens beside the recent ones, and gives each its place in the cache as position, not that "
        "in the text, so that no distance is longer than in training. gpt-oss learns a sink for each head. Softmax plus one is a sink "
        "of 0. Scores here are seeded: a level, a spread, and for the panel of the cache what the first four tokens have more; there every query has the same scores.",
    .source =
        "Xiao et al. 2024, arXiv 2309.17453; Miller 2023, “Attention is off by one”; model card of gpt-oss 2025, arXiv 2508.10925",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_sinks
