// Attention scores step by step: the products, the mask, the weights, and how many keys a query really looks at.
#include "app/study/attention/attend.h"
#include "app/study/attention/score_checks.h"
#include "app/study/attention/weights_entropy.h"
#include "app/study/kit.h"

namespace orrery::study::attention_scores {
namespace {

using attention::Mask;

constexpr auto parameters = std::to_array<Parameter>({
    choice("content", "Content", "words|random|alike",
           "queries and keys of words, which share half of their length where the word is the same; of "
           "independent normal numbers; or one vector for all"),
    text("text", "Words", "The cat sat on the mat", {1, 4000},
         "what stands at the positions, divided by spaces", {.only_when = "content=words"}),
    whole("length", "Length", "24", {2, 512}, "queries and keys",
          {.travel = Travel::log, .unit = "tokens", .only_when = "content=random|alike"}),
    whole("query", "Query", "4", {0, 511}, "the row that is framed; a number past the last means the last"),
    whole("head_width", "Head width", "64", {2, 256}, "d: components of a query and of a key",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "head_dim"}),
    seed_parameter("another one gives other vectors"),
    toggle("rope", "RoPE", "on", "turn queries and keys"),
    real("base", "Base", "10000", {2, 1e9}, "of RoPE's frequencies",
         {.travel = Travel::log, .only_when = "rope=on", .model_fact = "rope_theta"}),
    toggle("scaled", "Divide by √d", "on",
           "without it the scores of wide heads are large, and one key takes all"),
    real("temperature", "Temperature", "1", {0.05, 20}, "of the softmax: low is sharp, high is even",
         {.travel = Travel::log}),
    with_fallback(choice("mask", "Mask", "none|causal|sliding", "which keys a query may see"), "causal"),
    whole("window", "Window", "8", {1, 512}, "of the sliding mask: how many keys, the query's own among them",
          {.travel = Travel::log,
           .unit = "tokens",
           .only_when = "mask=sliding",
           .model_fact = "sliding_window"}),
    show_parameter("all|scores|masked|weights|entropy"),
});

/// What stands at the positions, and the row that is looked at.
struct Axes {
  std::vector<std::string> words;
  Index query = 0;
};

Panel matrix_panel(std::string title, const Matrix& matrix, ColorScale colors, const Axes& axes) {
  Heatmap map = heatmap(matrix, std::move(colors));
  map.decimals = 1;
  Panel panel = square_map_panel(std::move(title), std::move(map), axes.words.empty() ? "key $n$" : "key",
                                 axes.words.empty() ? "query $m$" : "query");
  panel.x.names = panel.y.names = axes.words;
  panel.x.typed_names = panel.y.typed_names = true;
  panel.marks.emplace_back(row_frame(number(axes.query), number(matrix.cols())));
  return panel;
}

/// Weights that the mask made 0 are shown as masked, not as a small weight.
Matrix seen_weights(const Matrix& weights, const Mask& mask) {
  Matrix seen = weights;
  for (Index m = 0; m < seen.rows(); ++m)
    for (Index n = 0; n < seen.cols(); ++n)
      if (!mask.allows(m, n, seen.rows(), seen.cols())) seen(m, n) = -std::numeric_limits<double>::infinity();
  return seen;
}

/// The first rows have few keys to share their weight among, and would leave the others in the dark: the
/// colours end at the largest weight of the later rows, and the bar says so.
ColorScale weight_colors(const Matrix& weights) {
  const double later = weights.bottomRows(weights.rows() - weights.rows() / 4).maxCoeff();
  const bool clipped = weights.maxCoeff() > later;
  return {.range = Range{0, later},
          .label = clipped ? "weight, clipped at " + short_text(later, 2) : "weight"};
}

Series row_series(const Attention& a, const Mask& mask) {
  const Index rows = a.weights.rows(), cols = a.weights.cols();
  const auto seen = [&](double query) {
    double keys = 0;
    for (Index n = 0; n < cols; ++n) keys += mask.allows(static_cast<Index>(query), n, rows, cols);
    return keys;
  };
  Series series("rows", {"query", "tokens", counted(rows)});
  series.add("keys seen", seen);
  series.add({.name = "entropy", .unit = "nat", .digits = 5},
             [&](double m) { return weights_entropy(row_of(a.weights, Index(m))); });
  series.add({.name = "entropy if even", .unit = "nat", .digits = 5},
             [&](double m) { return std::log(seen(m)); });
  series.add({.name = "largest weight", .digits = 5},
             [&](double m) { return a.weights.row(Index(m)).maxCoeff(); });
  return series;
}

Panel entropy_panel(const Series& rows, const Axes& axes) {
  const double here = rows["entropy"][static_cast<std::size_t>(axes.query)];
  return {.title = "Entropy by row",
          .x = counts("query $m$"),
          .y = values("nat"),
          .marks = {rows.line("entropy if even",
                              {.ink = ink(Role::secondary), .dash = Dash::dotted, .label = "all keys alike"}),
                    rows.line("entropy", {.label = "these weights"}),
                    Points{.x = {number(axes.query)},
                           .y = {here},
                           .ink = ink(Role::accent),
                           .radius = 2.4,
                           .reading = {.name = "the framed row"}}}};
}

/// "“cat” at 8", or "key 8" where nothing is known of it.
std::string named(const Axes& axes, Index at) {
  const std::string place = grouped(number(at));
  if (axes.words.empty()) return "key " + place;
  return "\u201C" + axes.words[static_cast<std::size_t>(at)] + "\u201D at " + place;
}

/// What the framed query makes of its keys: how much it keeps for the one where it stands, and where most of the rest goes.
std::string looking_text(const Matrix& weights, const Axes& axes) {
  const auto row = weights.row(axes.query);
  std::string who = named(axes, axes.query);
  if (axes.words.empty()) who = "Query " + grouped(number(axes.query));
  Index other = axes.query == 0 ? row.size() - 1 : 0;
  for (Index n = 0; n < row.size(); ++n)
    if (n != axes.query && row(n) > row(other)) other = n;
  const std::string kept = short_text(row(axes.query), 2);
  if (row.size() == 1 || row(other) == 0) return who + " gives all its weight to itself";
  return who + " keeps " + kept + " of its weight; the largest other share, " + short_text(row(other), 2) +
         ", goes to " + named(axes, other);
}

/// Of the framed query and the key that gets most of its weight, in double: their score, and what the softmax makes of it.
std::string worked_of(const Settings& settings, const Run& run, const Mask& mask, Index query) {
  const Run exact = twin::on_reference(run);
  const Vectors v = vectors_that_meet(settings, exact);
  const Index keys = v.k.rows(), width = v.k.cols();
  const double scale = scale_of(settings), temperature = settings.real("temperature");
  const Matrix products = v.q.row(query) * v.k.transpose();
  Index best = -1;
  for (Index n = 0; n < keys; ++n)
    if (mask.allows(query, n, keys, keys) && (best < 0 || products(0, n) > products(0, best))) best = n;
  const double product = products(0, best), score = scale * product;
  std::vector<Term> parts, weights;
  for (Index j = 0; j < width; ++j) parts.push_back(term(v.q(query, j)) * v.k(best, j));
  double sum = 0;
  for (Index n = 0; n < keys; ++n) {
    if (!mask.allows(query, n, keys, keys)) continue;
    const Term apart = term(scale * products(0, n)) - score;
    weights.push_back(n == best ? Term(1) : exp(temperature == 1 ? apart : worked::frac(apart, temperature)));
    sum += std::exp((scale * products(0, n) - score) / temperature);
  }
  Worked worked;
  worked.add(
      subscripted("s", number(query), number(best)),
      settings.toggle("scaled") ? worked::frac(product, sqrt(term(number(width)))) : worked::sum(parts),
      score);
  return worked
      .add(subscripted("A", number(query), number(best)), worked::frac(1, worked::sum(weights)), 1 / sum)
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Attention a = attend(settings, run);
  const Axes axes{words_at(settings), std::min<Index>(settings.integer("query"), a.weights.rows() - 1)};
  const Mask mask = mask_of(settings);
  const Series rows = row_series(a, mask);
  run.check();
  const double largest = a.free.cwiseAbs().maxCoeff();
  const ColorScale colors{.map = ColorMap::diverging, .range = Range{-largest, largest}};
  const bool masks = mask.kind != Mask::Kind::none;
  Picture picture(
      looking_text(a.weights, axes),
      "Three maps of query against key: the scores, the scores with what is masked left blank, and "
      "the weights after the softmax; beside them the entropy of every row of weights. One row is framed.");
  picture.at({0, 0}, "scores", matrix_panel("Scores before the mask", a.free, colors, axes));
  picture.at({0, 1}, "masked",
             matrix_panel(masks ? "Scores, masked" : "Scores, none masked", a.masked, colors, axes));
  picture.at({1, 0}, "weights",
             matrix_panel("Weights", seen_weights(a.weights, mask), weight_colors(a.weights), axes));
  picture.at({1, 1}, "entropy", entropy_panel(rows, axes));
  run.check();
  return {std::move(picture).figure(settings,
                                    {.aspect = 1.12, .rows = {1, 1}, .cols = {1, 1}, .telling = {"weights"}}),
          {rows.table(), key_table("scores", a.free), key_table("weights", a.weights)},
          score_checks(settings, run, a),
          worked_of(settings, run, mask, axes.query)};
}

constexpr auto tries = std::to_array<Try>({
    {"Chinese, letter by letter: what stands twice finds itself.", "text=猫坐在垫子上因为猫累了 query=8",
     [](auto& now, auto&) {
       return column(now, "weights", "key 0")[8] == at(now, "rows", "largest weight", 8);
     }},
    {"One vector everywhere: what is left is RoPE's own pattern.", "content=alike rope=on",
     [](auto& now, auto&) {  // the same along every diagonal, and not the same everywhere
       const auto &at_0 = column(now, "scores", "key 0"), &at_5 = column(now, "scores", "key 5");
       return std::abs(at_0[10] - at_5[15]) < 1e-4 && std::abs(at_0[10] - at_0[0]) > 1;
     }},
    {"Do not divide by the root of d: in every row one key takes more than half of the weight.",
     "scaled=off content=random",
     [](auto& now, auto&) { return least(column(now, "rows", "largest weight")) > 0.5; }},
    {"A sliding window of three: a query sees itself and two keys before it.", "mask=sliding window=3",
     [](auto& now, auto&) { return most(column(now, "rows", "keys seen")) == 3; }},
});

}  // namespace

extern const Study study{
    .id = "attention/scores",
    .title = "Score matrices",
    .topic = "Attention",
    .summary = "from products to weights: scores, mask, softmax",
    .formula = R"(A = \mathrm{softmax}\left(\frac{Q K^T}{\sqrt{d}} + M\right))",
    .derivation =
        R"(Let all components of $q$ and $k$ be independent, with mean 0 and variance 1.)"
        "\n"
        R"(Then $q_j k_j$ has mean $0$ and variance $\mathrm{E}[q_j^2]\,\mathrm{E}[k_j^2] = 1$.)"
        "\n"
        R"(Variances of independent terms add: $q^T k = \sum_{j=1}^{d} q_j k_j$ has variance $d$, and deviation $\sqrt{d}$.)"
        "\n"
        R"(Divided by $\sqrt{d}$ scores have variance $1$ at every width; divided by $d$ it would be $1/d$, and the weights of wide heads nearly even.)"
        "\n"
        R"(Undivided, the scores of wide heads lie far apart: the softmax gives one key nearly all weight, and passes hardly any gradient.)",
    .about =
        "A score is the product of a query and a key over the root of the head width; the mask forbids keys "
        "by setting scores to minus infinity; the softmax makes each row a distribution. Its entropy says "
        "how many keys share the weight.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, eq. 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_scores
