// Decoding with a cache: every new token must be turned to its place in the text. What becomes of attention when a
// program forgets that.
#include "app/study/kit.h"
#include "app/study/rope/decoding.h"
#include "app/study/rope/source.h"

namespace orrery::study::rope_cache_offset {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    whole("prompt", "Prompt", "40", {1, 512}, "read at once, at positions 0, 1, 2 …",
          {.travel = Travel::log, .unit = "tokens"}),
    whole("decoded", "Decoded", "12", {1, 128}, "one by one, with the keys of all before them in the cache",
          {.travel = Travel::log, .unit = "tokens"}),
    choice("mistake", "Mistake", offset_mistakes,
           "decoded tokens at position 0, counted from 0, one too early, or shifted"),
    whole("shift", "Shift", "5", {-512, 512}, "of shifted: padding on the left, or merged caches",
          {.unit = "tokens", .only_when = "mistake=shifted"}),
    always_read(base_parameter),
    always_read(with_fallback(head_width_parameter, "64")),
    content_parameter("one vector for all queries and keys, so that only places count, or independent ones"),
    seed_parameter("another one gives other vectors"),
    show_parameter("all|positions|right|mistaken|last"),
});

Decoding decoding_of(const Settings& settings) {
  const Index width = settings.integer("head_width");
  Decoding d{.prompt = settings.integer("prompt"),
             .decoded = settings.integer("decoded"),
             .base = settings.real("base"),
             .q = {},
             .k = {}};
  auto drawn = queries_and_keys(settings, d.tokens(), width);
  d.q = std::move(drawn.q);
  d.k = std::move(drawn.k);
  return d;
}

/// A row of the table for every token: its place, rightly and by mistake, and how the last query looks at it.
Series token_series(const Decoding& d, const std::vector<double>& wrong, const Looks& good,
                    const Looks& bad) {
  const std::vector<double> right = right_positions(d);  // a token's number is its right position
  const Index last = d.decoded - 1;
  Series tokens("tokens", {"token", "", right});
  tokens.add({"right position", "tokens", right}).add({"mistaken position", "tokens", wrong});
  tokens.add("last query, score", row_of(good.scores, last)).add("mistaken score", row_of(bad.scores, last));
  tokens.add("weight", row_of(good.weights, last)).add("mistaken weight", row_of(bad.weights, last));
  return tokens;
}

Panel position_panel(const Decoding& d, const Series& tokens) {
  return {.title = "Position that each token is turned to",
          .x = counts("token"),
          .y = values("position"),
          .marks = {
              Rule{.at = number(d.prompt) - 0.5,
                   .to = number(d.tokens()) - 0.5,
                   .ink = ink(Role::accent_ground),
                   .text = "decoded from " + grouped(number(d.prompt)) + " on"},
              tokens.points("right position", {.ink = series(0), .radius = 1.8, .label = "right"}),
              tokens.points("mistaken position",
                            {.ink = series(1), .radius = 1.2, .symbol = Symbol::square, .label = "mistaken"}),
              Points{.x = {tokens.x().back()},
                     .y = {tokens["right position"].back()},
                     .ink = ink(Role::accent),
                     .radius = 2.6,
                     .reading = {.name = "the last query"}}}};
}

/// Decoded queries from top to bottom, keys from left to right; keys not yet there are masked.
Panel weight_panel(const Decoding& d, Matrix weights, double largest, std::string title) {
  for (Index row = 0; row < d.decoded; ++row)
    weights.row(row).tail(d.decoded - 1 - row).setConstant(-std::numeric_limits<double>::infinity());
  Heatmap map = heatmap(weights, {.range = Range{0, largest}, .label = "weight", .group = 1});
  map.y = {number(d.prompt) - 0.5, number(d.prompt) - 0.5 + number(d.decoded)};
  Panel panel = map_panel(std::move(title), std::move(map), "key", "query");
  panel.marks.emplace_back(row_frame(number(d.tokens() - 1), number(d.tokens())));
  return panel;
}

Panel last_panel(const Series& tokens) {
  return {.title = "Where the last query looks",
          .x = counts("key"),
          .y = values("weight"),
          .marks = {tokens.line("weight", {.ink = series(0), .label = "right"}),
                    tokens.line("mistaken weight", {.ink = series(1), .label = "mistaken"})}};
}

/// How much of a row's weight went elsewhere: half the sum of the differences, 0 to 1.
Table step_table(const Decoding& d, const Looks& good, const Looks& bad) {
  Table table{
      "steps",
      {{.name = "token"}, {.name = "weight that went elsewhere"}, {.name = "largest score difference"}}};
  for (Index row = 0; row < d.decoded; ++row) {
    const Index seen = d.prompt + row + 1;
    add_row(table, d.prompt + row, 0.5 * (good.weights.row(row) - bad.weights.row(row)).cwiseAbs().sum(),
            (good.scores.row(row).head(seen) - bad.scores.row(row).head(seen)).cwiseAbs().maxCoeff());
  }
  return table;
}

/// What the mistake costs at the end of the text.
std::string elsewhere_text(const Table& steps) {
  if (steps.columns[1].values.back() == 0)
    return "This mistake leaves the weights of the last token as they are";
  return "By mistake the last token gives " + short_text(100 * steps.columns[1].values.back(), 2) +
         " % of its weight to other keys";
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const Decoding& d, const Looks& good,
                             const Looks& bad, const std::vector<double>& elsewhere) {
  const double scale = 1 / std::sqrt(number(d.q.cols()));
  const double lengths = d.q.rowwise().norm().maxCoeff() * d.k.rowwise().norm().maxCoeff() * scale;
  // Two scores differ; angles up to some thousand radians are rounded by 2^-42.
  const double bound = lengths * (2 * twin::turned_score_slack(run, d.q.cols()) + 0x1p-40);
  const auto seen_difference = [&](const Matrix& a, const Matrix& b, Index from) {
    Worst worst;
    for (Index row = 0; row < d.decoded; ++row)
      for (Index n = from; n <= d.prompt + row; ++n) worst.meet(std::abs(a(row, n) - b(row, n)));
    return double(worst);
  };
  std::vector<Check> checks{{"decoding token by token gives the scores of the whole text at once",
                             seen_difference(scores_step_by_step(run, d, right_positions(d)), good.scores, 0),
                             bound}};
  if (settings.choice("mistake") == "at_zero") {
    Worst turned;  // a query at 0 is not turned: with an unturned key its score is the plain product
    for (Index row = 0; row < d.decoded; ++row)
      turned.meet(std::abs(bad.scores(row, 0) - scale * d.q.row(d.prompt + row).dot(d.k.row(0))));
    checks.push_back(
        {"at position 0 a query meets the first key unturned, as if it stood beside it", turned, bound});
  } else {
    checks.push_back({"a shift of all decoded tokens changes no score among them",
                      seen_difference(bad.scores, good.scores, d.prompt), bound});
  }
  double rows = 0;
  for (const Matrix* weights : {&good.weights, &bad.weights})
    rows = std::max(rows, (weights->rowwise().sum().array() - 1).abs().maxCoeff());
  const tensor::Bound softmax =
      run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound : attention::softmax_bound(d.tokens());
  const double length = number(d.tokens());
  // Each weight may be off by rel of itself, so their sum by rel of 1; double loses 2^-53 per term.
  const double sum_bound =
      run.device == DeviceChoice::ref ? length * 0x1p-52 : softmax.rel + length * (softmax.abs + 0x1p-52);
  checks.push_back({"every row of weights sums to 1", rows, sum_bound});
  Worst unshared;  // of two weights of a key the smaller one is shared
  for (Index row = 0; row < d.decoded; ++row)
    unshared.meet(std::abs(1 - good.weights.row(row).cwiseMin(bad.weights.row(row)).sum() - elsewhere[row]));
  checks.push_back({"what went elsewhere is what the two ways of looking do not share", unshared,
                    sum_bound + length * 0x1p-52});
  return checks;
}

/// How the last query meets the first key, which stands unturned at 0: from where it is, and from where it is taken to be.
std::string worked_of(const Run& run, const Decoding& d, double mistaken) {
  const Index last = d.tokens() - 1;
  const auto theta = position::rope_default_frequencies(d.q.cols(), d.base);
  const double width = number(d.q.cols());
  Worked worked;
  const auto add = [&](const char* letter, double position) {
    const Matrix q =
        twin::rope(twin::on_reference(run), d.q.row(last), position::rope_table(std::array{position}, theta),
                   position::RopeLayout::half);
    const double product = q.row(0).dot(d.k.row(0));
    worked.add(subscripted(letter, number(last), 0), worked::frac(product, sqrt(term(width))),
               product / std::sqrt(width));
  };
  add("s", number(last));
  add("\\hat s", mistaken);
  return worked.tex();
}

constexpr Index long_decoding =
    1 << 22;  // numbers of all caches together: each step is done again for a check

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Decoding d = decoding_of(settings);
  const std::vector<double> wrong = mistaken_positions(d, settings.choice("mistake"), settings.real("shift"));
  const Looks good = looks(run, d, right_positions(d)), bad = looks(run, d, wrong);
  run.check();
  const double largest = std::max(good.weights.maxCoeff(), bad.weights.maxCoeff());
  const Series tokens = token_series(d, wrong, good, bad);
  Table steps = step_table(d, good, bad);
  Picture picture(
      elsewhere_text(steps),
      "The position that each token of a prompt and of the decoded text is turned to, rightly and by "
      "mistake; two maps of the attention weights of the decoded queries; and the weights of the last one.");
  picture.at({0, 0}, "positions", position_panel(d, tokens));
  picture.at({0, 1}, "right", weight_panel(d, good.weights, largest, "Weights, right"));
  picture.at({1, 1}, "mistaken", weight_panel(d, bad.weights, largest, "Weights, mistaken"));
  picture.at({1, 0}, "last", last_panel(tokens));
  StudyResult result{
      std::move(picture).figure(
          settings, {.aspect = 1.35, .rows = {1, 1}, .cols = {1, 1.15}, .telling = {"right", "mistaken"}}),
      {tokens.table(), std::move(steps), key_table("weights_right", good.weights),
       key_table("weights_mistaken", bad.weights)},
      {}};
  run.progress(0.5);
  if (d.q.size() * d.decoded > long_decoding) run.publish(result);
  result.checks = checks_of(settings, run, d, good, bad, result.tables[1].columns[1].values);
  result.worked = worked_of(run, d, wrong.back());
  return result;
}

/// By how much the mistake moves a score of the last query, among the tokens from here on.
double score_moved_from(const StudyResult& result, double token) {
  return largest_difference(column_from(result, "tokens", "mistaken score", token),
                            column_from(result, "tokens", "last query, score", token));
}

constexpr auto tries = std::to_array<Try>({
    {"Count the decoded tokens from 0 again: they see each other rightly, and the prompt from its beginning.",
     "mistake=from_zero",
     [](auto& now, auto&) {
       return score_moved_from(now, 40) < 1e-4 && score_moved_from(now, 0) > 1 &&
              at(now, "tokens", "mistaken position", 40) == 0;
     }},
    {"Shift them by five, as merged caches did: the prompt seems five tokens further away.",
     "mistake=shifted shift=5",
     [](auto& now, auto&) {  // the last of the prompt looks as the one five before it should
       return score_moved_from(now, 40) < 1e-4 && std::abs(at(now, "tokens", "mistaken score", 39) -
                                                           at(now, "tokens", "last query, score", 34)) < 1e-4;
     }},
    {"Be one position behind: a small mistake, and hardly seen.", "mistake=one_behind",
     [](auto& now, auto&) { return most(column(now, "steps", "weight that went elsewhere")) < 0.1; }},
    {"Vectors without anything in common: at every step more than a fifth of the weight goes elsewhere.",
     "content=random",
     [](auto& now, auto&) { return least(column(now, "steps", "weight that went elsewhere")) > 0.2; }},
});

}  // namespace

extern const Study study{
    .id = "rope/cache-offset",
    .title = "Cache offset",
    .topic = "Rotary positions",
    .summary = "what a decode step at the wrong position looks at",
    .formula = R"(s_{t,n} = \frac{(R_{p(t)}\, q_t)^T (R_n k_n)}{\sqrt{d}}, \quad p(t) = t)",
    .about =
        "Keys are cached after they were turned, so that a decoded token needs its own place in the text: "
        "the length of the cache. A program that turns every new token to position 0 makes it look at the "
        "beginning of the prompt. After a long prompt the very first token is wrong already; after one or two "
        "tokens it still comes out well. Chunks, padding, eviction and frequencies that change stand in attention/cache.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 16; ml-explore/mlx-vlm#1983 (every decoded token at 0)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_cache_offset
