// Several heads: tokens are projected, split into heads, looked up by each for itself, put side by side, and mixed.
#include "app/study/attention/multi_head.h"
#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "app/study/kit/words.h"
#include "core/attention/attention.h"
#include "core/tensor/error.h"

namespace orrery::study::attention_heads {
namespace {

constexpr std::size_t most_words = 48;

constexpr auto parameters = std::to_array<Parameter>({
    text("text", "Words", "The cat sat on the mat", {1, 400},
         "whose tokens ask: T, divided by spaces; the same word is the same vector"),
    toggle("cross", "Cross-attention", "off", "keys and values are those of another sentence"),
    text("source", "Source", "Die Katze sitzt", {0, 400},
         "of which keys and values are then: S words; none: the words above themselves",
         {.only_when = "cross=on"}),
    with_fallback(choice("width", "Width", "64|128|256|512", "D: of a token"), "512"),
    with_fallback(choice("heads", "Heads", "1|2|4|8|16", "H: query heads, of d = D/H numbers"), "8"),
    choice("shared_by", "Share a key head", "1|2|4|8|16",
           "as many query heads as read one key head: 1 is multi-head, H and more multi-query, between them "
           "grouped-query attention"),
    toggle("one_projection", "One projection", "off", "every head has the matrices of the first"),
    toggle("tied", "Keys are queries", "off", "W^K is W^Q, of each group that of its first query head"),
    toggle("norm", "QK-norm", "off", "queries and keys of each head divided by their root mean square"),
    choice("mask", "Mask", "none|causal", "which keys a query may see", {.only_when = "cross=off"}),
    whole("head", "Head", "0", {0, 15}, "the one that is drawn large; a number past the last means the last"),
    seed_parameter("other matrices and other vectors"),
    show_parameter("all|stages|one|heads|sharing"),
});

struct Sentence {
  std::vector<std::string> words;
  Matrix x;
};

Sentence sentence_of(const Settings& settings, const char* name, Index width) {
  Sentence s{words_in(settings.text(name)), {}};
  if (s.words.empty() || s.words.size() > most_words)
    throw InvalidArgument(about(Subject::Kind::parameter, name)
                              .found(std::to_string(s.words.size()))
                              .fault("it has {} words", std::to_string(s.words.size()))
                              .allowed("{} to {}", 1, most_words));
  s.x = Matrix(std::ssize(s.words), width);
  for (Index t = 0; t < s.x.rows(); ++t)
    s.x.row(t) = tensor::Random(seed_of(settings) ^ number_of_word(s.words[static_cast<std::size_t>(t)]), 9)
                     .normals(1, width);
  s.x = twin::rounded(s.x);
  return s;
}

struct Asked {
  Sentence text, source;
  HeadsAsked heads;
  HeadWeights weights;
  Index width = 1, head = 0;
  bool cross = false, tied = false, one_projection = false;

  Index head_width() const { return width / heads.heads; }
  Index group() const { return heads.heads / heads.key_heads; }
  Index key_head(Index h) const { return attention::key_value_head(h, heads.heads, heads.key_heads); }
};

/// Of variance 1/D: what goes in with variance 1 comes out so.
Matrix projection(std::uint64_t seed, std::uint32_t stream, Index rows, Index cols) {
  const double edge = std::sqrt(3.0 / number(rows));
  return twin::rounded(tensor::Random(seed, stream).uniforms(rows, cols, -edge, edge));
}

void repeat_first_head(Matrix& weights, Index width) {
  for (Index at = width; at < weights.cols(); at += width)
    weights.middleCols(at, width) = weights.leftCols(width);
}

HeadWeights weights_of(const Settings& settings, const Asked& asked) {
  const std::uint64_t seed = seed_of(settings);
  const Index D = asked.width, d = asked.head_width(), kept = asked.heads.key_heads * d;
  HeadWeights w{projection(seed, 1, D, D), projection(seed, 2, D, kept), projection(seed, 3, D, kept),
                projection(seed, 4, D, D)};
  if (asked.one_projection)
    for (Matrix* each : {&w.query, &w.key, &w.value}) repeat_first_head(*each, d);
  if (asked.tied)
    for (Index g = 0; g < asked.heads.key_heads; ++g)
      w.key.middleCols(g * d, d) = w.query.middleCols(g * asked.group() * d, d);
  return w;
}

Asked asked_of(const Settings& settings) {
  Asked asked;
  asked.width = std::stol(settings.choice("width"));
  asked.cross = settings.toggle("cross");
  asked.tied = settings.toggle("tied");
  asked.one_projection = settings.toggle("one_projection");
  asked.text = sentence_of(settings, "text", asked.width);
  asked.source = asked.cross && !words_in(settings.text("source")).empty()
                     ? sentence_of(settings, "source", asked.width)
                     : asked.text;
  asked.heads.heads = std::stol(settings.choice("heads"));
  asked.heads.key_heads = std::max<Index>(1, asked.heads.heads / std::stol(settings.choice("shared_by")));
  asked.heads.normalised = settings.toggle("norm");
  if (!asked.cross && settings.choice("mask") == "causal")
    asked.heads.mask = {.kind = attention::Mask::Kind::causal};
  asked.head = std::min<Index>(settings.integer("head"), asked.heads.heads - 1);
  asked.weights = weights_of(settings, asked);
  return asked;
}

MultiHead all_of(const Run& run, const Asked& asked) {
  return multi_head(run, asked.text.x, asked.source.x, asked.weights, asked.heads);
}

// Tables.

struct Stage {
  const char* name;
  const char* formula;
  Index copies, rows, cols;
};

std::vector<Stage> stages_of(const Asked& asked) {
  const Index T = asked.text.x.rows(), S = asked.source.x.rows(), D = asked.width, d = asked.head_width(),
              H = asked.heads.heads, kv = asked.heads.key_heads;
  return {{"tokens", "$X$", 1, T, D},
          {"queries", "$X W^Q$", H, T, d},
          {"keys", "$X W^K$", kv, S, d},
          {"projected values", "$X W^V$", kv, S, d},
          {"scores", "$Q_h K_g^T / \\sqrt{d}$", H, T, S},
          {"weights", "$A_h$", H, T, S},
          {"outputs of heads", "$A_h V_g$", H, T, d},
          {"side by side", "$[O_0 \\ldots O_{H-1}]$", 1, T, D},
          {"result", "$Y = O\\,W^O$", 1, T, D}};
}

Table stages_table(const Asked& asked) {
  Table table{
      "stages",
      {{.name = "stage"}, {.name = "heads"}, {.name = "rows"}, {.name = "columns"}, {.name = "numbers"}}};
  for (const Stage& s : stages_of(asked))
    add_row(table, s.name, s.copies, s.rows, s.cols, s.copies * s.rows * s.cols);
  return table;
}

double entropy_of(const Matrix& weights) {
  double sum = 0;
  for (Index i = 0; i < weights.size(); ++i)
    if (const double p = weights.data()[i]; p > 0) sum -= p * std::log(p);
  return sum / number(weights.rows());
}

Series heads_of(const Asked& asked, const MultiHead& all) {
  Series heads("heads", {"head", "", counted(asked.heads.heads)});
  const auto of = [&](double h) { return static_cast<std::size_t>(h); };
  heads.add("key head", [&](double h) { return number(asked.key_head(static_cast<Index>(h))); });
  heads.add(Column{.name = "mean entropy", .unit = "nat"},
            [&](double h) { return entropy_of(all.weights[of(h)]); });
  heads.add("largest weight", [&](double h) { return all.weights[of(h)].maxCoeff(); });
  heads.add("off the first head",
            [&](double h) { return (all.weights[of(h)] - all.weights[0]).cwiseAbs().maxCoeff(); });
  return heads.add("largest score", [&](double h) { return all.scores[of(h)].cwiseAbs().maxCoeff(); });
}

Table kept_table(const Asked& asked) {
  Table table{"kept",
              {{.name = "key heads"}, {.name = "numbers a token"}, {.name = "of heads of their own"}}};
  add_row(table, asked.heads.key_heads, 2 * asked.heads.key_heads * asked.head_width(), 2 * asked.width);
  return table;
}

// Panels.

std::string shape_text(const Stage& s) {
  const std::string one = grouped(number(s.rows)) + " × " + grouped(number(s.cols));
  return s.copies == 1 ? one : grouped(number(s.copies)) + " × (" + one + ")";
}

Panel stages_panel(const Asked& asked) {
  std::vector<BoardLine> lines;
  for (const Stage& s : stages_of(asked))
    lines.push_back({.name = s.name, .statement = s.formula, .shape = shape_text(s)});
  lines.back().loud = true;
  return board_panel({.title = "Shapes on the way", .cells_from = 0.43}, lines);
}

double largest_weight(const MultiHead& all) {
  double most = 0;
  for (const Matrix& each : all.weights) most = std::max(most, each.maxCoeff());
  return most;
}

ColorScale weight_colors(const MultiHead& all) {
  return {.range = Range{0, largest_weight(all)}, .label = "weight", .group = 1};
}

/// More key heads than colours have one together: two of a colour would look like one.
int ink_of_key(const Asked& asked, Index g) {
  return asked.heads.key_heads > 6 ? 0 : static_cast<int>(g);
}
int key_ink(const Asked& asked, Index h) {
  return ink_of_key(asked, asked.key_head(h));
}

/// Small maps beside and below each other, the rows of queries from the top.
Panel heads_panel(const Asked& asked, const MultiHead& all) {
  const Index H = asked.heads.heads, across = H <= 4 ? H : H / 2, down = (H + across - 1) / across;
  const double T = number(all.weights[0].rows()), S = number(all.weights[0].cols());
  const double gap = 0.12 * std::max(T, S), above = (H > 8 ? 0.65 : 0.5) * std::max(T, S);
  Panel panel{
      .title = "Weights of every head",
      .x = {.range = Range{-0.5 - gap, number(across) * (S + gap) - 0.5}, .visible = false},
      .y = {.range = Range{-0.5, number(down) * (T + above) - 0.5 + gap}, .visible = false, .reversed = true},
      .legend = LegendPlace::none,
      .equal_aspect = true};
  for (Index h = 0; h < H; ++h) {
    Heatmap map = heatmap(all.weights[static_cast<std::size_t>(h)], weight_colors(all));
    const double x = number(h % across) * (S + gap), y = number(h / across) * (T + above) + above;
    map.x = {x - 0.5, x + S - 0.5};
    map.y = {y - 0.5, y + T - 0.5};
    panel.marks.emplace_back(std::move(map));
    panel.marks.emplace_back(
        figure::Shape{.x = {x - 0.5, x + S - 0.5, x + S - 0.5, x - 0.5},
                      .y = {y - 0.5, y - 0.5, y + T - 0.5, y + T - 0.5},
                      .fill = {},
                      .edge = h == asked.head ? ink(Role::accent) : series(key_ink(asked, h)),
                      .width = h == asked.head ? 1.8 : 1});
    panel.marks.emplace_back(Note{.x = x - 0.5,
                                  .y = y - 0.5,
                                  .text = "$A_{" + std::to_string(h) + "}$",
                                  .ink = ink(h == asked.head ? Role::accent : Role::text),
                                  .h = HAlign::left,
                                  .v = VAlign::bottom,
                                  .dy = -1,
                                  .size = 0.8});
  }
  return panel;
}

Panel one_panel(const Asked& asked, const MultiHead& all, bool alone) {
  Heatmap map = heatmap(all.weights[static_cast<std::size_t>(asked.head)], weight_colors(all));
  map.decimals = 2;
  map.colors.group = 0;
  map.colors.bar = alone;  // else that of all heads
  Panel panel = square_map_panel("The framed head", std::move(map), "key", "query");
  panel.x.names = asked.source.words;
  panel.y.names = asked.text.words;
  panel.x.typed_names = panel.y.typed_names = true;
  return panel;
}

/// A row of query heads above a row of key heads, a line from each to the one that it reads.
Panel sharing_panel(const Asked& asked) {
  const Index H = asked.heads.heads, kv = asked.heads.key_heads;
  const double group = number(asked.group());
  Panel panel{.title = "Which key head a query head reads",
              .x = {.range = Range{-0.6, number(H) - 0.4}, .visible = false},
              .y = {.range = Range{-1, 2}, .visible = false},
              .legend = LegendPlace::none};
  const auto middle = [&](Index g) { return (number(g) + 0.5) * group - 0.5; };
  for (Index h = 0; h < H; ++h)
    panel.marks.emplace_back(Line{.x = {number(h), middle(asked.key_head(h))},
                                  .y = {0.9, 0.1},
                                  .ink = h == asked.head ? ink(Role::accent) : series(key_ink(asked, h)),
                                  .width = h == asked.head ? 1.8 : 1,
                                  .dash_by_series = false,
                                  .reading = {.none = true}});
  const auto box = [&](double x, double y, Ink fill, std::string text) {
    panel.marks.emplace_back(figure::Shape{.x = {x - 0.36, x + 0.36, x + 0.36, x - 0.36},
                                           .y = {y - 0.5, y - 0.5, y + 0.5, y + 0.5},
                                           .fill = Ink{fill.role, fill.index, 0.35}});
    panel.marks.emplace_back(Note{.x = x, .y = y, .text = std::move(text), .size = H > 8 ? 0.75 : 1});
  };
  for (Index h = 0; h < H; ++h)
    box(number(h), 1.4, h == asked.head ? ink(Role::accent) : series(key_ink(asked, h)),
        "$Q_{" + std::to_string(h) + "}$");
  for (Index g = 0; g < kv; ++g)
    box(middle(g), -0.4, series(ink_of_key(asked, g)), "$K_{" + std::to_string(g) + "}$");
  return panel;
}

// Checks.

/// What a score, and from it a weight, may be off by on the run's device.
double weights_slack(const Run& run, const Asked& asked, const MultiHead& all) {
  const Index d = asked.head_width();
  const double keys = number(all.weights[0].cols());
  const double scale = 1 / std::sqrt(number(d));
  double score = 0;
  for (Index h = 0; h < asked.heads.heads; ++h) {
    const Matrix &q = all.q[static_cast<std::size_t>(h)],
                 &k = all.k[static_cast<std::size_t>(asked.key_head(h))];
    const double terms = scale * Matrix(q.cwiseAbs() * k.cwiseAbs().transpose()).maxCoeff();
    const twin::Bounds bounds{attention::scores_bound(d), {.abs = attention::scores_gpu_bound(d) * terms}};
    score = std::max(score, slack(run, bounds, all.scores[static_cast<std::size_t>(h)], 1) +
                                (number(d) + 4) * terms * 0x1p-52);
  }
  const tensor::Bound own = run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound
                                                            : attention::softmax_bound(all.weights[0].cols());
  const double softmax = run.device == DeviceChoice::ref ? 0 : own.rel + keys * own.abs;
  return std::expm1(2 * score) + softmax + (keys + 8) * 0x1p-51;
}

/// The op does all steps at once: what it gives, in double, beside what the steps gave.
double off_the_op(const Asked& asked, const MultiHead& all) {
  attention::AttentionParams params;
  params.scores.scale = 1 / std::sqrt(number(asked.head_width()));
  params.scores.mask = asked.heads.mask;
  Worst worst;
  for (Index h = 0; h < asked.heads.heads; ++h) {
    const auto g = static_cast<std::size_t>(asked.key_head(h));
    Matrix o = Matrix::Zero(asked.text.x.rows(), asked.head_width());
    tensor::View<double> out(o);
    attention::attention_ref(all.q[static_cast<std::size_t>(h)], all.k[g], all.v[g], params, out);
    worst.meet((o - all.outputs[static_cast<std::size_t>(h)]).cwiseAbs().maxCoeff());
  }
  return worst;
}

double largest_value(const MultiHead& all) {
  double most = 0;
  for (const Matrix& v : all.v) most = std::max(most, v.cwiseAbs().maxCoeff());
  return most;
}

/// Each head through its own rows of W^O, and the sum of all.
Matrix summed_heads(const Asked& asked, const MultiHead& all) {
  const Index d = asked.head_width();
  Matrix sum = Matrix::Zero(asked.text.x.rows(), asked.width);
  for (Index h = 0; h < asked.heads.heads; ++h)
    sum += all.outputs[static_cast<std::size_t>(h)] * asked.weights.output.middleRows(h * d, d);
  return sum;
}

/// Keys and values repeated, so that every query head has its own: repeat_interleave.
double off_the_repeated(const Run& run, const Asked& asked, const MultiHead& all) {
  const Index d = asked.head_width();
  Asked repeated = asked;
  for (Index h = 0; h < asked.heads.heads; ++h) {
    if (h == 0) repeated.weights.key = repeated.weights.value = Matrix(asked.width, asked.width);
    repeated.weights.key.middleCols(h * d, d) = asked.weights.key.middleCols(h / asked.group() * d, d);
    repeated.weights.value.middleCols(h * d, d) = asked.weights.value.middleCols(h / asked.group() * d, d);
  }
  repeated.heads.key_heads = asked.heads.heads;
  return (all_of(run, repeated).beside - all.beside).cwiseAbs().maxCoeff();
}

std::vector<Check> checks_of(const Run& run, const Asked& asked, const MultiHead& all, const Series& heads) {
  const double weights = weights_slack(run, asked, all), keys = number(all.weights[0].cols());
  Worst rows;
  for (const Matrix& each : all.weights)
    rows.meet(Matrix(each.rowwise().sum().array() - 1).cwiseAbs().maxCoeff());
  const double terms = Matrix(all.beside.cwiseAbs() * asked.weights.output.cwiseAbs()).maxCoeff();
  std::vector<Check> checks{
      {"every row of weights sums to 1", rows, weights},
      {"scores, softmax and mean give what the op attention gives", off_the_op(asked, all),
       2 * weights * largest_value(all)},
      {"side by side and through $W^O$ is the sum of what each head adds through its own rows of it",
       (summed_heads(asked, all) - all.result).cwiseAbs().maxCoeff(),
       2 * number(asked.width) * terms * 0x1p-53}};
  if (asked.group() > 1)
    checks.push_back({"key heads repeated for each of their query heads give the same",
                      off_the_repeated(run, asked, all), 2 * weights * largest_value(all) + keys * 0x1p-52});
  if (asked.tied && !asked.cross) {
    Worst off;
    for (Index h = 0; h < asked.heads.heads; h += asked.group()) {
      const Matrix& s = all.scores[static_cast<std::size_t>(h)];
      off.meet(Matrix(s - s.transpose()).cwiseAbs().maxCoeff());
    }
    checks.push_back({"keys that are queries: a score is the same from either side", off, 2 * weights});
  }
  if (asked.one_projection)
    checks.push_back({"one projection for all: every head has the weights of the first",
                      largest(heads["off the first head"]), 2 * weights});
  if (asked.heads.normalised)
    checks.push_back({"QK-norm: no score is above $\\sqrt{d}$", largest(heads["largest score"]),
                      std::sqrt(number(asked.head_width())) * (1 + 0x1p-20)});
  return checks;
}

// Words.

std::string title_text(const Asked& asked) {
  return "Query heads: " + grouped(number(asked.heads.heads)) +
         ", key and value heads: " + grouped(number(asked.heads.key_heads)) + "; kept are " +
         grouped(number(2 * asked.heads.key_heads * asked.head_width())) + " numbers a token, of " +
         grouped(number(2 * asked.width));
}

/// The key head of the framed one, and the largest weight of its last query, by the reference.
std::string worked_of(const Run& run, const Asked& asked) {
  const MultiHead exact = all_of(twin::on_reference(run), asked);
  const Matrix &w = exact.weights[static_cast<std::size_t>(asked.head)],
               &s = exact.scores[static_cast<std::size_t>(asked.head)];
  const Index last = w.rows() - 1;
  Index best = 0;
  w.row(last).maxCoeff(&best);
  std::vector<Term> exponentials;
  for (Index n = 0; n < s.cols(); ++n)
    exponentials.push_back(exp(term(s(last, n))));  // the last query sees all keys
  Worked worked;
  worked.add("g", floor(worked::frac(number(asked.head), number(asked.group()))),
             number(asked.key_head(asked.head)));
  return worked
      .add(subscripted("A", number(last), number(best)),
           worked::frac(exp(term(s(last, best))), worked::sum(exponentials)), w(last, best))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  run.check();
  const MultiHead all = all_of(run, asked);
  const Series heads = heads_of(asked, all);
  Picture picture(
      title_text(asked),
      "The shapes from tokens to result, stage by stage; a small map of weights for every head, all in one "
      "scale of colours; one of them large, with its words; and which key head each query head reads.");
  picture.at({0, 0}, "stages", stages_panel(asked));
  picture.at({0, 1}, "one", one_panel(asked, all, settings.choice("show") == "one"));
  picture.at({1, 0, 1, 2}, "heads", heads_panel(asked, all));
  picture.at({2, 0, 1, 2}, "sharing", sharing_panel(asked));
  const Matrix& framed = all.weights[static_cast<std::size_t>(asked.head)];
  return {.figure = std::move(picture).figure(settings, {.aspect = 0.95,
                                                         .rows = {1.1, 1.2, 0.6},
                                                         .cols = {1.25, 1},
                                                         .telling = {"heads", "stages", "one", "sharing"}}),
          .tables = {stages_table(asked), heads.table(), kept_table(asked), key_table("weights", framed),
                     key_table("scores", all.scores[static_cast<std::size_t>(asked.head)])},
          .checks = checks_of(run, asked, all, heads),
          .worked = worked_of(run, asked)};
}

constexpr auto tries = std::to_array<Try>({
    {"Four query heads to a key head: a quarter of the keys and values.", "heads=8 shared_by=4",
     [](auto& now, auto&) {
       return 4 * column(now, "kept", "numbers a token")[0] ==
              column(now, "kept", "of heads of their own")[0];
     }},
    {"One projection for all heads: eight times the same map.", "heads=8 one_projection=on",
     [](auto& now, auto& before) {
       return largest(column(now, "heads", "off the first head")) < 1e-6 &&
              most(column(before, "heads", "off the first head")) > 0.1;
     }},
    {"Keys that are queries: a word that stands once finds itself, and scores are the same from either side.",
     "heads=8 shared_by=1 tied=on",
     [](auto& now, auto&) {
       for (std::size_t n = 1; n < 4; ++n)
         if (column(now, "weights", "key " + std::to_string(n))[n] < 0.9) return false;
       return std::abs(column(now, "scores", "key 1")[2] - column(now, "scores", "key 2")[1]) < 1e-6;
     }},
    {"Cross-attention: six words ask three of another sentence.",
     "cross=on text='The cat sat on the mat' source='Die Katze sitzt'",
     [](auto& now, auto&) {
       return at(now, "stages", "rows", "weights") == 6 && at(now, "stages", "columns", "weights") == 3;
     }},
    {"QK-norm holds scores of keys that are queries to √d.", "tied=on norm=on",
     [](auto& now, auto&) { return most(column(now, "heads", "largest score")) <= 8.001; }},
});

}  // namespace

extern const Study study{
    .id = "attention/heads",
    .title = "Several heads",
    .topic = "Attention",
    .summary =
        "from tokens to heads and back: projections, a map for each head, shared keys, the last projection",
    .formula =
        R"(Y = [A_0 V_{g(0)} \ldots A_{H-1} V_{g(H-1)}]\,W^O, \quad A_h = \mathrm{softmax}\left(\frac{Q_h K_{g(h)}^T}{\sqrt{d}}\right), \quad g(h) = \left\lfloor \frac{h}{H / H_{kv}} \right\rfloor)",
    .derivation =
        "Why three projections? With $W^K = W^Q$ the score $x_m^T W^Q (W^Q)^T x_n$ is the same from either side, and a word scores itself by a square: it mostly finds itself.\n"
        "Why a projection for each head? With one for all, every head has the same queries, keys and values, so the same weights: $H$ heads say what one says.\n"
        "Why $W^O$? Side by side, a head's numbers stand in its own columns. The product with $W^O$ is a sum over heads, $\\sum_h O_h W^O_h$: each head writes into the whole width.\n"
        "Why share keys? Only keys and values are kept while a text is written: $2 H_{kv} d$ numbers a token and layer, however many query heads there are.",
    .about =
        "Tokens are projected to queries, keys and values and split into heads; each head attends for itself; their outputs stand side by "
        "side and are mixed by the last projection. Vectors and matrices are random, of words alike where the word is: what is seen is what "
        "the arithmetic does, not what a trained model has learnt. No positions are added.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2; Shazeer 2019, arXiv 1911.02150; Ainslie et al. 2023, "
        "arXiv 2305.13245; QK-norm: Henry et al. 2020, arXiv 2010.04245",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_heads
