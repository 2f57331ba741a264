// The softmax behind fused attention, tile by tile: a running maximum, sum and output, what corrects them, and what it saves.
//
//   scores, and the maximum so far      | the result so far
//   the marked tile, step by step       (a board)
//   bytes moved, by length
#include "app/study/attention/tile_board.h"
#include "app/study/attention/tile_row.h"
#include "app/study/kit.h"

namespace orrery::study::attention_online {
namespace {

using attention::OnlineSoftmax;

constexpr auto parameters = std::to_array<Parameter>({
    matrix("keys", "Keys", "1,1;3,-1;2,2;0,1;4,-2;1,3;-2,0;5,1", {-1000, 1000},
           "a row for each key: its score, and its value", {.length = 2}),
    whole("tile", "Tile", "2", {1, 16}, "keys that are taken at once"),
    choice("order", "Order", "forwards|backwards", "in which the tiles are taken"),
    whole("step", "Step", "3", {1, 64}, "the tile that is worked out; the last one where there are fewer",
          {.plays = true}),
    whole("length", "Length", "4096", {64, 1048576}, "N: tokens of the text whose bytes are counted",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("head_width", "Head width", "64", {8, 512}, "d: components of a query",
          {.travel = Travel::powers_of_two, .model_fact = "head_dim"}),
    whole("memory", "Fast memory", "192", {16, 4096}, "of one multiprocessor: 192 KiB on an A100",
          {.travel = Travel::log, .unit = "KiB"}),
    choice("format", "Format", "f16|f32", "of what is moved"),
    whole("digits", "Digits", "4", {2, 10}, "of the board", {.presentation = true}),
    show_parameter("all|scores|result|step|bytes"),
});

Series tiles_of(const Row& row) {
  Series tiles("tiles", {"tile", "", numbered(std::ssize(row.steps))});
  const auto each = [&](auto&& f) {
    return [&row, f](double t) { return f(row.steps[static_cast<std::size_t>(t) - 1]); };
  };
  tiles.add("maximum", each([](const Step& s) { return s.after.max; }))
      .add("correction", each([](const Step& s) { return s.correction(); }))
      .add("sum", each([](const Step& s) { return s.after.sum; }))
      .add("output", each([](const Step& s) { return s.after.output[0]; }))
      .add("result", each([](const Step& s) { return s.after.result()[0]; }));
  return tiles;
}

Series keys_of(const Row& row) {
  Series keys("keys", {"key", "", numbered(row.scores.cols())});
  std::vector<double> maximum;
  for (const Step& step : row.steps) maximum.insert(maximum.end(), step.scores.size(), step.after.max);
  return std::move(keys.add("score", row_of(row.scores))
                       .add("value", row_of(Matrix(row.values.transpose())))
                       .add("maximum", maximum));
}

/// A band behind the keys of the tile that is worked out.
Rule marked_tile(const Row& row) {
  double first = 1;
  for (std::size_t t = 0; t < row.shown; ++t) first += number(row.steps[t].scores.size());
  return {
      .at = first - 0.5, .to = first + number(row.step().scores.size()) - 0.5, .ink = ink(Role::accent, 0.6)};
}

Panel scores_panel(const Row& row, const Series& keys) {
  Panel panel{.title = "Scores, and the maximum so far",
              .x = counts("key", Range{0.25, number(keys.size()) + 0.75}),
              .y = values("score"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(marked_tile(row));
  Line maximum{.ink = series(1), .width = 1.2, .label = "maximum so far", .dash_by_series = false};
  maximum.reading.name = "maximum";
  for (std::size_t n = 0; n < keys.size(); ++n)
    for (const double side : {-0.5, 0.5}) {
      maximum.x.push_back(keys.x()[n] + side);
      maximum.y.push_back(keys["maximum"][n]);
    }
  panel.marks.emplace_back(keys.stems("score", {.ink = series(0), .label = "score"}));
  panel.marks.emplace_back(std::move(maximum));
  return panel;
}

Panel result_panel(const Row& row, const Series& tiles) {
  const double whole = row.end().result()[0], last = number(tiles.size()) + 0.25;
  return {
      .title = "The result so far",
      .x = counts("tiles taken", Range{0.75, last}),
      .y = values("$o / \\ell$"),
      .marks = {Line{.x = {0.75, last},
                     .y = {whole, whole},
                     .ink = ink(Role::secondary),
                     .width = 0.8,
                     .dash = Dash::dashed,
                     .label = "of the whole row",
                     .reading = {.between = true}},
                tiles.line("result", {.ink = series(0), .dash_by_series = false, .reading = {.none = true}}),
                tiles.points("result", {.ink = series(0), .radius = 2.2}),
                Points{.x = {number(row.shown) + 1},
                       .y = {row.step().after.result()[0]},
                       .ink = ink(Role::accent),
                       .radius = 2.8,
                       .reading = {.none = true}}},
      .legend = LegendPlace::above};
}

double bytes_each(const Settings& settings) {
  return settings.choice("format") == "f16" ? 2 : 4;
}

struct Traffic {
  double standard = 0, tiled = 0;  ///< bytes of one head, forward
  double saved() const { return standard / tiled; }
};
Traffic traffic_at(const Settings& settings, double tokens) {
  const double each = bytes_each(settings), width = settings.real("head_width"),
               numbers = settings.real("memory") * 1024 / each;
  return {each * attention::standard_attention_traffic(tokens, width),
          each * attention::tiled_attention_traffic(tokens, width, numbers)};
}

/// Bytes by tiles where the fast memory holds all keys and values at once: no more of it would save any.
double one_tile(const Settings& settings, double tokens) {
  const double width = settings.real("head_width");
  return bytes_each(settings) * attention::tiled_attention_traffic(tokens, width, 4 * width * tokens);
}

Series traffic_of(const Settings& settings) {
  std::vector<double> lengths;
  for (double n = 64; n <= 1048576; n *= 2) lengths.push_back(n);
  Series traffic("bytes", {"length", "tokens", std::move(lengths)});
  traffic.add({.name = "matrix", .unit = "bytes"},
              [&](double n) { return traffic_at(settings, n).standard; });
  traffic.add({.name = "tiles", .unit = "bytes"}, [&](double n) { return traffic_at(settings, n).tiled; });
  return traffic;
}

Table table_here(const Settings& settings) {
  const double length = settings.real("length");
  const Traffic here = traffic_at(settings, length);
  Table table{"here",
              {{.name = "length", .unit = "tokens"},
               {.name = "matrix", .unit = "bytes"},
               {.name = "tiles", .unit = "bytes"},
               {.name = "saved"}}};
  add_row(table, length, here.standard, here.tiled, here.saved());
  return table;
}

Panel bytes_panel(const Settings& settings, const Series& traffic) {
  const double length = settings.real("length");
  const Traffic here = traffic_at(settings, length);
  return {.title = "Bytes between slow and fast memory, one head",
          .x = octaves("length $N$"),
          .y = {.label = "bytes", .scale = Scale::log(10), .grid = true},
          .marks = {traffic.line("matrix", {.ink = series(1), .label = "with the matrix written out"}),
                    traffic.line("tiles", {.ink = series(0), .label = "by tiles"}),
                    Points{.x = {length, length},
                           .y = {here.standard, here.tiled},
                           .ink = ink(Role::accent),
                           .radius = 2.6,
                           .reading = {.name = "at this length"}}},
          .legend = LegendPlace::above};
}

std::vector<Check> checks_of(const Row& row) {
  const Index count = row.scores.cols();
  Matrix weights(1, count), lse(1, 1);
  attention::softmax_ref(tensor::View<const double>(row.scores), {}, tensor::View<double>(weights));
  attention::softmax_lse_ref(tensor::View<const double>(row.scores), {}, tensor::View<double>(lse));
  const double whole = weights.row(0).dot(row.values.col(0)), most = row.values.cwiseAbs().maxCoeff(),
               range = row.scores.maxCoeff() - row.scores.minCoeff(),
               largest = row.scores.cwiseAbs().maxCoeff();
  const Index half = count / 2;
  const OnlineSoftmax apart = attention::merged(of_keys(row, 0, half), of_keys(row, half, count - half));
  Worst above;
  for (const Step& step : row.steps) {
    for (const double s : step.scores) above.meet(std::max(0.0, s - step.after.max));
    if (!step.first()) above.meet(std::max(0.0, step.before.max - step.after.max));
  }
  // Of each tile the correction, its product and its sum; and the range of the scores in the exponents.
  const double relative = (8 * number(row.steps.size() + 1) + 4 * range + number(count)) * 0x1p-52;
  return {{"$o / \\ell$ is the mean of the values under the softmax of the whole row",
           std::abs(row.end().result()[0] - whole), relative * most},
          {"$m + \\ln \\ell$ is the log-sum-exp of the whole row",
           std::abs(row.end().log_sum_exp() - lse(0, 0)), relative + 4 * largest * 0x1p-52},
          {"two halves of the row, worked out apart and merged, give the same",
           std::abs(apart.result()[0] - row.end().result()[0]), relative * most},
          {"no exponent is above 0, so nothing overflows", above, 0}};
}

std::string worked_of(const Row& row) {
  using worked::term;
  const Step& s = row.step();
  const auto weight = [&](std::size_t n) { return exp(term(s.scores[n]) - s.after.max); };
  std::vector<worked::Term> sums, outputs;
  if (!s.first()) {
    const worked::Term c = exp(term(s.before.max) - s.after.max);
    sums.push_back(c * term(s.before.sum));
    outputs.push_back(c * term(s.before.output[0]));
  }
  for (std::size_t n = 0; n < s.scores.size(); ++n) {
    sums.push_back(weight(n));
    outputs.push_back(weight(n) * term(s.values[n]));
  }
  return Worked()
      .add("\\ell'", worked::sum(sums), s.after.sum)
      .add("o'", worked::sum(outputs), s.after.output[0])
      .add("o' / \\ell'", worked::frac(s.after.output[0], s.after.sum), s.after.result()[0])
      .tex();
}

std::string title_of(const Settings& settings) {
  const double length = settings.real("length");
  const Traffic here = traffic_at(settings, length);
  const bool fewer = here.saved() >= 1;
  const std::string at = "at " + grouped(length) + " tokens ",
                    times = short_text(fewer ? here.saved() : 1 / here.saved(), 2);
  if (times == "1") return "Softmax in one pass: " + at + "about as many bytes are moved as with the matrix";
  if (fewer)
    return "Softmax in one pass: " + at + times + " times fewer bytes are moved than with the matrix";
  const double at_least = one_tile(settings, length);
  const std::string cause = at_least <= here.standard ? "with too little fast memory"
                            : at_least < here.tiled   ? "of too short a text and with too little fast memory"
                                                      : "of too short a text";
  return "Softmax in one pass, " + cause + ": " + at + times +
         " times as many bytes are moved as with the matrix";
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Row row = row_in(settings);
  const Series keys = keys_of(row), tiles = tiles_of(row), traffic = traffic_of(settings);
  const std::vector<BoardLine> lines = board_lines(row.step(), static_cast<int>(settings.integer("digits")));
  Picture picture(
      title_of(settings),
      "The scores of one query and the largest of them so far, tile by tile; the result after each tile beside that of "
      "the whole row; the marked tile worked out: the new maximum, what corrects the old sum and output, and the new "
      "ones. Below, the bytes that go between slow and fast memory, by length, with the matrix of weights written out "
      "and by tiles.");
  picture.at({0, 0}, "scores", scores_panel(row, keys));
  picture.at({0, 1}, "result", result_panel(row, tiles));
  picture.at({1, 0, 1, 2}, "step",
             board_panel({.title = "The marked tile, step by step", .columns = 1, .cells_from = 0.2}, lines));
  picture.at({2, 0, 1, 2}, "bytes", bytes_panel(settings, traffic));
  return {.figure = std::move(picture).figure(settings, {.aspect = 0.95,
                                                         .rows = {1, 0.15 * board_height(lines), 0.9},
                                                         .cols = {1.2, 1},
                                                         .telling = {"step", "scores", "result", "bytes"}}),
          .tables = {keys.table(), tiles.table(), traffic.table(), table_here(settings)},
          .checks = checks_of(row),
          .worked = worked_of(row)};
}

double end_of(const StudyResult& result) {
  return column(result, "tiles", "result").back();
}

constexpr auto tries = std::to_array<Try>({
    {"Take the tiles from the other end: the largest score comes first, nothing is corrected, and the result is the same.",
     "order=backwards",
     [](auto& now, auto& before) {
       return std::abs(end_of(now) - end_of(before)) < 1e-14 &&
              column(now, "tiles", "correction").back() == 1 && least(column(now, "tiles", "maximum")) == 5;
     }},
    {"One tile for all keys: softmax as the formula has it.", "tile=16",
     [](auto& now, auto& before) {
       return column(now, "tiles", "tile").size() == 1 && std::abs(end_of(now) - end_of(before)) < 1e-14;
     }},
    {"Scores near 1000: no exponential is larger than 1.", "keys=1000,1;998,-1;999,2;990,4",
     [](auto& now, auto&) { return most(column(now, "tiles", "sum")) < 4 && std::abs(end_of(now)) < 2; }},
    {"A wide head and little fast memory: the tiles are so small that they move more than the matrix.",
     "head_width=256 memory=16",
     [](auto& now, auto&) { return at(now, "bytes", "tiles", 4096) > at(now, "bytes", "matrix", 4096); }},
});

}  // namespace

extern const Study study{
    .id = "attention/online",
    .title = "Softmax in one pass",
    .topic = "Attention",
    .summary = "tile by tile, with a running maximum, sum and output: the way of fused kernels",
    .formula =
        R"(m' = \max(m, \max_n s_n), \quad \ell' = e^{m - m'} \ell + \sum_n e^{s_n - m'}, \quad o' = e^{m - m'} o + \sum_n e^{s_n - m'} v_n)",
    .derivation =
        "A softmax is the same whatever number is taken from all scores, so $\\ell = \\sum e^{s_n - m}$ may be kept for the "
        "largest score $m$ so far.\n"
        "Where a larger one comes, each of its terms is to be $e^{s_n - m'} = e^{m - m'} e^{s_n - m}$: one "
        "factor corrects all of them, the sum and the output alike.\n"
        "In the end $o / \\ell = \\sum e^{s_n} v_n / \\sum e^{s_n}$, and neither a row of weights nor the matrix was ever "
        "written down.",
    .about =
        "Attention's matrix of weights need not exist. Keys and values come in tiles that fit into fast memory; of a query's "
        "row a maximum, a sum and one vector are kept. FlashAttention is this. The bytes are those of the first "
        "version's algorithms, forward.",
    .source =
        "Milakov, Gimelshein 2018, arXiv 1805.02867; Dao et al. 2022, arXiv 2205.14135, algorithms 0 and 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_online
