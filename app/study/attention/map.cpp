// A score map of a million tokens, of which no more is computed than what the screen shows.
//
//   the map
//   one row of it | means by block size, or the row summed
#include "app/study/attention/cell_terms.h"
#include "app/study/attention/head_files.h"
#include "app/study/attention/map_asked.h"
#include "app/study/attention/map_checks.h"
#include "app/study/attention/map_sampler.h"
#include "app/study/attention/map_series.h"
#include "app/study/attention/map_weight_pictures.h"
#include "app/study/attention/map_weights.h"
#include "app/study/attention/map_worked.h"
#include "app/study/kit.h"

namespace orrery::study::attention_map {
namespace {

using attention::ScoreMap;
using attention::Shows;
using attention::WeightMap;

constexpr double longest_text = 1 << 22;

constexpr std::string_view drawn = "content=topics|alike|random",
                           of_outlier = "content=topics|alike|random outlier=on";

constexpr auto parameters = std::to_array<Parameter>({
    whole("length", "Length", "1048576", {2, longest_text},
          "queries and keys; of files no more than they have",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice("values", "Values", "scores|weights",
           "scores of queries and keys; or what softmax makes of every row of them"),
    whole(
        "rows", "Rows looked at", "2", {2, 64},
        "of a pixel's rows, where it has more: its mean weight is estimated from them, each over all of its keys",
        {.travel = Travel::powers_of_two, .only_when = "values=weights"}),
    choice(
        "pixel", "A pixel shows", "mean|highest|lowest",
        "the mean of the scores in its block; or a score that none of them is above, or below: the highest "
        "or lowest itself where no more than 4096 × 4096 cells are shown",
        {.only_when = "values=scores"}),
    choice(
        "content", "Content", "topics|alike|random|files|projections",
        "what queries and keys share: one of six topics, in stretches; one vector everywhere; or nothing; or a "
        "model's own, one head of them out of files, or hidden states and projections out of files"),
    real("strength", "Shared part", "0.6", {0, 3}, "size of the components of what is shared",
         {.only_when = "content=topics|alike"}),
    real("noise", "Own part", "1", {0, 3},
         "size of the components that each token has alone: independent signs", {.only_when = drawn}),
    seed_parameter("another one gives other vectors"),
    whole("head_width", "Head width", "64", {2, 128}, "d: components of a query and of a key",
          {.travel = Travel::powers_of_two, .multiple = 2}),
    toggle("scaled", "Divide by √d", "on", "scores of every width then vary alike"),
    toggle(
        "rope", "RoPE", "on",
        "turns what is shared by its position; signs are signs, turned or not; of files it turns all, component i "
        "with i + d/2, as their models do",
        {.only_when = "content=topics|alike|files|projections"}),
    real("base", "Base", "10000", {2, 1e9}, "of RoPE's frequencies",
         {.travel = Travel::log, .only_when = "rope=on", .model_fact = "rope_theta"}),
    with_fallback(choice("mask", "Mask", "none|causal|sliding", "which keys a query may see"), "causal"),
    whole("window", "Window", "131072", {1, longest_text},
          "of the sliding mask: how many keys, the query's own among them",
          {.travel = Travel::log, .unit = "tokens", .only_when = "mask=sliding"}),
    toggle("outlier", "Outlier", "on", "one query and one key that are large, and meet in a large score",
           {.only_when = drawn}),
    whole("outlier_query", "Its query", "876543", {0, longest_text - 1}, "past the last token means the last",
          {.travel = Travel::log, .unit = "tokens", .only_when = of_outlier}),
    whole("outlier_key", "Its key", "210987", {0, longest_text - 1}, "past the last token means the last",
          {.travel = Travel::log, .unit = "tokens", .only_when = of_outlier}),
    real("outlier_score", "Its score", "60", {-200, 200}, "of the two", {.only_when = of_outlier}),
    whole("query", "Query", "700000", {1, longest_text - 1},
          "the row that is marked; a number past the last means the last",
          {.travel = Travel::log, .unit = "tokens"}),
    whole(
        "key", "Key", "-1", {-1, longest_text - 1},
        "of the marked row: the score with it is worked out, term by term; \u22121: that before the query's own",
        {.unit = "tokens"}),
    head_files::q_file,
    head_files::k_file,
    head_files::hidden,
    head_files::wq,
    head_files::wk,
    head_files::layer,
    head_files::head,
    show_parameter("all|map|row|blocks"),
});

Panel map_panel_of(const MapAsked& asked, figure::Heatmap map) {
  Panel panel = square_map_panel(asked.weights ? "Weights by query and key" : "Scores by query and key",
                                 std::move(map), "key $n$", "query $m$");
  panel.marks.emplace_back(level(number(asked.query), {.width = 0.7, .dash = Dash::dotted}));
  add_cell_handles(panel, {asked.query, asked.key}, number(asked.content.tokens) - 0.5);
  if (const auto& outlier = asked.content.outlier)
    panel.marks.push_back(Points{.x = {number(outlier->key)},
                                 .y = {number(outlier->query)},
                                 .ink = ink(Role::accent),
                                 .radius = 4,
                                 .symbol = Symbol::ring,
                                 .reading = {.name = "the outlier", .value = {outlier->height}}});
  return panel;
}

/// The band ends where parts have too many keys to be looked through.
Panel row_panel(const Series& row, Index query) {
  const std::vector<double>& looked = row["looked through"];
  const auto looked_through = static_cast<std::size_t>(std::ranges::find(looked, 0.0) - looked.begin());
  return {.title = "The marked row",
          .x = octaves("distance $m - n$", Range{1, std::max(2.0, number(query))}),
          .y = values("score"),
          .marks = {row.first(looked_through)
                        .band("none below", "none above",
                              {.ink = figure::series(0), .label = "lowest to highest"}),
                    row.line("mean", {.ink = figure::series(0), .label = "mean"})},
          .legend = LegendPlace::above};
}

Panel blocks_panel(const Series& blocks, std::string_view independent, Index tokens) {
  return {.title = "Means by block size",
          .x = octaves("side of the block", Range{1, number(tokens)}),
          .y = {.label = "mean score, rms", .scale = Scale::log(), .grid = true},
          .marks = {blocks.line(independent, {.ink = ink(Role::secondary),
                                              .dash = Dash::dotted,
                                              .label = std::string(independent)}),
                    blocks.points("these scores", {.ink = figure::series(1), .label = "these scores"})},
          .legend = LegendPlace::above};
}

/// Which head of files it is.
std::string head_of(const Settings& settings, const MapAsked& asked) {
  if (asked.files) return asked.files->head + ". ";
  return without_head_files(settings).empty() ? std::string() : "No file yet, vectors by chance. ";
}

/// What a key gets, by its distance; all alike get the dotted line.
Panel weight_panel(const WeightRow& row, Index query) {
  return {.title = "The marked row",
          .x = octaves("distance $m - n$", Range{1, std::max(2.0, number(query))}),
          .y = {.label = "mean weight", .scale = Scale::log(), .grid = true},
          .marks = {row.distances.line("mean weight", {.ink = figure::series(0)}),
                    quiet_level(1 / row.seen, "all alike")}};
}

Panel shares_panel(const WeightRow& row, Index query) {
  return {.title = "Summed from the nearest",
          .x = octaves("distance $m - n$", Range{1, std::max(2.0, number(query))}),
          .y = values("share of the row", Range{0, 1}),
          .marks = {row.distances.line("share so far", {.ink = figure::series(1)})}};
}

std::string title_of(const MapAsked& asked) {
  const std::string side = grouped(number(asked.content.tokens));
  if (asked.weights)
    return side + " × " + side + " weights: every pixel is the mean of its block, from at least " +
           grouped(number(asked.rows)) + " of its rows, or from all";
  const std::string what = side + " × " + side + " scores: ";
  if (asked.shows == Shows::mean) return what + "every pixel is the mean of its block";
  if (asked.shows == Shows::highest) return what + "none in a pixel's block is higher than it shows";
  return what + "none in a pixel's block is lower than it shows";
}

// On a page about as wide as high, as a window's is, a square beside two plots would be a stamp in a hole: it stands above
// them. It does not go across all columns, so that wide pages may still place panels side by side, where it is a little
// wider than its row, whose legend needs the width. The plot at the right has the room below the colour bar too.
const FigureShape arrangement{
    .aspect = 1.1, .rows = {2.2, 1}, .cols = {1, 0.05, 0.6}, .aspect_alone = 1.15, .telling = {"map"}};
constexpr figure::Cell above{0, 0, 1, 2}, below_left{1, 0}, below_right{1, 1, 1, 2};

StudyResult of_weights(const Settings& settings, const Run& run, const MapAsked& asked,
                       const std::shared_ptr<const ScoreMap>& map) {
  const auto weights = std::make_shared<const WeightMap>(map, asked.content.seed, tile_sums_of(asked));
  const WeightRow row = weight_row(run, *weights, asked.query);
  Picture picture(
      head_of(settings, asked) + title_of(asked),
      "A map of attention weights, query against key, one row of it marked, and a ring about an outlier where there is one. "
      "With it what that row gives to keys by their distance: each of them, and all of them up to there.");
  picture.at(above, "map", map_panel_of(asked, map_of_weights(weights, asked.rows)));
  picture.at(below_left, "row", weight_panel(row, asked.query));
  picture.at(below_right, "blocks", shares_panel(row, asked.query));
  std::vector<Check> checks = map_checks(run, asked, *map);
  for (Check& check : weight_checks(run, asked, *weights, row)) checks.push_back(std::move(check));
  std::vector<Table> tables{row.distances.table(), row.facts(asked.query),
                            way_down(run, score_map_of(asked, {})), map_cell_terms(asked, *map),
                            chosen_cell(asked, *map, &row)};
  if (asked.files) tables.push_back(asked.files->table);
  return {.figure = std::move(picture).figure(settings, arrangement),
          .tables = std::move(tables),
          .checks = std::move(checks),
          .worked = map_worked(asked, *map, &row),
          .remark = without_head_files(settings)};
}

StudyResult compute(const Settings& settings, const Run& run) {
  const MapAsked asked = map_asked(settings, run);
  const std::shared_ptr<const ScoreMap> map(new ScoreMap(score_map_of(asked, asked.mask)));
  if (asked.weights) return of_weights(settings, run, asked, map);
  const Index tokens = map->tokens();
  Picture picture(
      head_of(settings, asked) + title_of(asked),
      "A map of scores, query against key, one row of it marked, and a ring about an outlier where there is one. With "
      "it that row by distance to the key, and the mean scores of blocks by their size.");
  const Independent independent{own_square(asked), asked.files ? "independent vectors" : "own parts alone"};
  const Series blocks = means_by_size(run, *map, independent, asked.content.seed);
  run.check();
  const Series row = scores_by_distance(*map, asked.query);
  run.check();
  picture.at(above, "map", map_panel_of(asked, map_of_scores(map, asked.shows)));
  picture.at(below_left, "row", row_panel(row, asked.query));
  picture.at(below_right, "blocks", blocks_panel(blocks, independent.name, tokens));
  const Table way = way_down(run, score_map_of(asked, {}));  // of all scores, hidden or not
  std::vector<Table> tables{row.table(), blocks.table(), way, map_cell_terms(asked, *map),
                            chosen_cell(asked, *map, nullptr)};
  if (asked.files) tables.push_back(asked.files->table);
  return {.figure = std::move(picture).figure(settings, arrangement),
          .tables = std::move(tables),
          .checks = map_checks(run, asked, *map),
          .worked = map_worked(asked, *map, nullptr),
          .remark = without_head_files(settings)};
}

double last(const StudyResult& result, std::string_view table, std::string_view name) {
  return column(result, table, name).back();
}

constexpr auto tries = std::to_array<Try>({
    {"The highest instead of the mean: one score among a million million stands out. Zoom into the ring, with the "
     "wheel, down to its cell.",
     "pixel=highest",
     [](auto& now, auto&) {
       return last(now, "way_down", "first query") == 876543 &&
              last(now, "way_down", "first key") == 210987 &&
              std::abs(last(now, "way_down", "no score above") - 60) < 1e-4;
     }},
    {"4096 tokens: the mean of a pixel keeps waves that a longer text loses.", "length=4096 query=3000",
     [](auto& now, auto& before) {
       return last(now, "blocks", "these scores") > 4 * last(before, "blocks", "these scores");
     }},
    {"Without RoPE topics are plain: a stretch scores with its like wherever that stands.", "rope=off",
     [](auto& now, auto& before) {
       return at(now, "blocks", "these scores", 4096) > 2 * at(before, "blocks", "these scores", 4096);
     }},
    {"Weights of 4096 tokens: every row shares out 1, and the nearest keys get no more than all others do.",
     "values=weights length=4096 query=3000",
     [](auto& now, auto&) {
       return std::abs(column(now, "row", "share so far").back() - 1) < 1e-5 &&
              at(now, "row", "share so far", 4) < 0.1;
     }},
    {"Nothing shared: the mean of n × n scores falls as 1/n, and no pattern is left.",
     "content=random outlier=off",
     [](auto& now, auto&) {
       return between(
           0.4, at(now, "blocks", "these scores", 1024) / at(now, "blocks", "own parts alone", 1024), 2);
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/map",
    .title = "A million tokens",
    .topic = "Attention",
    .summary = "a score matrix of any length, of which only what is seen is computed",
    .formula =
        R"(\bar s_{MN} = \frac{1}{|M|\,|N|} \sum_{m \in M} \sum_{n \in N} \frac{q_m^T k_n}{\sqrt d} = \frac{\bar q_M^T\, \bar k_N}{\sqrt d})",
    .derivation =
        R"(A score is linear in its query and in its key, so sums over both can be taken first: $\sum_m \sum_n q_m^T k_n = (\sum_m q_m)^T (\sum_n k_n)$.)"
        "\n"
        R"(A block of a billion cells costs one product of two vectors; what is shared and turned by RoPE has sums in closed form, signs are counted.)"
        "\n"
        R"(The highest score of a block has no such rule. But every query lies within $r_q$ of $\bar q$ and every key within $r_k$ of $\bar k$,)"
        "\n"
        R"(so no score is farther from $\bar q^T \bar k$ than $r_q |\bar k| + r_k |\bar q| + r_q r_k$: an interval that is proven without a look at the cells.)",
    .about =
        "The matrix is never built. A pixel stands for its whole block: its mean is exact, and so no pattern is seen "
        "that is not there. The highest and lowest scores are exact where a block can be looked through, and "
        "bounds elsewhere, which the read-out says. Masks cover scores: a pixel is hidden where more than half "
        "of its cells are. Weights need every key of a row, so their means are estimated from some of a pixel's rows; "
        "the read-out says from how many, and the standard error.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, eq. 1; Su et al. 2021, arXiv 2104.09864",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_map
