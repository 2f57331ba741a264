// Attention of three tokens by hand: scores, scale, mask, exponentials, weights, and the mean of the values.
#include <optional>

#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "app/study/kit/words.h"
#include "app/study/kit/worked_exact.h"
#include "core/attention/attention.h"

namespace orrery::study::attention_steps {
namespace {

constexpr Index tokens = 3, width = 2;

constexpr auto parameters = std::to_array<Parameter>({
    text("words", "Words", "I love cats", {1, 60}, "the three tokens"),
    matrix("q", "Queries", "1,0;0,1;1,1", {-10, 10}, "Q: a row for each token",
           {.length = width, .rows = tokens}),
    matrix("k", "Keys", "1,0;0,2;1,1", {-10, 10}, "K: a row for each token",
           {.length = width, .rows = tokens}),
    matrix("v", "Values", "1,2;3,4;5,6", {-10, 10}, "V: a row for each token",
           {.length = width, .rows = tokens}),
    whole("query", "Query", "3", {1, tokens}, "the token whose row is worked out"),
    choice("scale", "Divide by", "root_d|none|d", "√d as in the paper, nothing, or d itself"),
    with_fallback(choice("mask", "Mask", "none|causal", "which keys a query may see"), "causal"),
    whole("digits", "Digits", "4", {2, 10}, "after the point", {.presentation = true}),
    show_parameter("all|scores|weights|outputs|steps"),
});

struct Row {
  Matrix q, k, v;
  double divisor = 1;
  attention::Mask mask;
  Matrix products, scores, weights, outputs;
  Index query = 0;
  int digits = 4;

  bool seen(Index n) const { return mask.allows(query, n, tokens, tokens); }
  double exponential(Index n) const { return seen(n) ? std::exp(scores(query, n)) : 0; }
  double sum() const {
    double all = 0;
    for (Index n = 0; n < tokens; ++n) all += exponential(n);
    return all;
  }
};

double divisor_of(const Settings& settings) {
  const std::string& by = settings.choice("scale");
  return by == "none" ? 1 : by == "d" ? number(width) : std::sqrt(number(width));
}

/// "1 \cdot 1 + 0 \cdot 2"
std::string product_of(auto&& row, auto&& other) {
  std::string text;
  for (Index j = 0; j < row.size(); ++j)
    text += (j > 0 ? " + " : "") + tex_factor(row(j), 6) + " \\cdot " + tex_factor(other(j), 6);
  return text;
}

/// Products of decimals that are 0, and not so in double: what is left of them is no number of this attention.
void clear_residues(Row& w) {
  for (Index m = 0; m < tokens; ++m)
    for (Index n = 0; n < tokens; ++n)
      if (w.products(m, n) != 0 && worked::amount_of(product_of(w.q.row(m), w.k.row(n))).exact.is(0)) {
        w.products(m, n) = 0;
        if (std::isfinite(w.scores(m, n))) w.scores(m, n) = 0;
      }
}

Row worked_out(const Settings& settings) {
  Row w;
  w.q = matrix_of(settings, "q");
  w.k = matrix_of(settings, "k");
  w.v = matrix_of(settings, "v");
  w.divisor = divisor_of(settings);
  if (settings.choice("mask") == "causal") w.mask = {.kind = attention::Mask::Kind::causal};
  w.query = settings.integer("query") - 1;
  w.digits = static_cast<int>(settings.integer("digits"));
  const Run ref = twin::on_reference({});
  w.products = twin::scores(ref, w.q, w.k, {.scale = 1, .mask = {}});
  w.scores = twin::scores(ref, w.q, w.k, {.scale = 1 / w.divisor, .mask = w.mask});
  clear_residues(w);
  w.weights = twin::softmax(ref, w.scores, {});
  w.outputs = Matrix::Zero(tokens, width);
  attention::AttentionParams params;
  params.scores.scale = 1 / w.divisor;
  params.scores.mask = w.mask;
  tensor::View<double> outputs(w.outputs);
  attention::attention_ref(w.q, w.k, w.v, params, outputs);
  return w;
}

/// Exactly three: what is missing is counted, what is too much left out.
std::vector<std::string> names_of(const Settings& settings) {
  std::vector<std::string> words = words_in(settings.text("words"));
  for (std::size_t n = words.size(); n < std::size_t(tokens); ++n) words.push_back(std::to_string(n + 1));
  words.resize(tokens);
  return as_typed(std::move(words));
}

/// e^s grows large; its digits are counted from the first one.
std::string exponential_text(const Row& w, Index n) {
  return tex_digits(w.exponential(n), w.digits + 1);
}

/// "1 + 2.71828 \\approx 3.71828"
std::string sum_text(const Row& w) {
  std::string text;
  bool in_full = true;
  for (Index n = 0; n < tokens; ++n) {
    if (!w.seen(n)) continue;
    const std::string term = exponential_text(w, n);
    text += (text.empty() ? "" : " + ") + term;
    in_full = in_full && gives_back(term, w.exponential(n));
  }
  const std::string sum = tex_digits(w.sum(), w.digits + 1);
  return text == sum ? sum : text + equals(text, sum, w.sum(), in_full) + sum;
}

/// Outputs are means of values: none is off by more than a few roundings of the largest.
int output_decimals(const Row& w) {
  return right_decimals(w.digits, 0x1p-46 * (1 + w.v.cwiseAbs().maxCoeff()));
}

/// "0.5000 \\cdot 1 + 0.5000 \\cdot 3 = 2.0000"
std::string output_text(const Row& w, Index j) {
  std::string text;
  bool in_full = true;
  for (Index n = 0; n < tokens; ++n) {
    if (!w.seen(n)) continue;
    const std::string weight = tex_fixed(w.weights(w.query, n), w.digits);
    text += (text.empty() ? "" : " + ") + weight + " \\cdot " + tex_factor(w.v(n, j), 6);
    in_full = in_full && gives_back(weight, w.weights(w.query, n));
  }
  const std::string output = tex_fixed(w.outputs(w.query, j), output_decimals(w));
  return text + equals(text, output, w.outputs(w.query, j), in_full) + output;
}

/// Of a product worked out, as TeX: three of them stand side by side. Longer ones have a line each.
constexpr std::size_t widest_in_a_cell = 48;

std::vector<BoardLine> board_lines(const Row& w, const std::vector<std::string>& words) {
  const Index m = w.query;
  const auto for_keys = [&](std::string name, double height, const auto& text) {
    BoardLine line{.name = std::move(name), .height = height};
    for (Index n = 0; n < tokens; ++n) line.cells.push_back(text(n));
    return line;
  };
  std::vector<BoardLine> lines;
  BoardLine heads{.name = "key", .cells = words, .quiet = true, .typed = true};
  lines.push_back(std::move(heads));
  const auto product = [&](Index n) {
    const std::string sum = product_of(w.q.row(m), w.k.row(n)), shown = tex_digits(w.products(m, n), 6);
    return sum + equals(sum, shown, w.products(m, n)) + shown;
  };
  if (std::max({product(0).size(), product(1).size(), product(2).size()}) <= widest_in_a_cell)
    lines.push_back(for_keys("$q \\cdot k_n$", 1, [&](Index n) { return in_dollars(product(n)); }));
  else
    for (Index n = 0; n < tokens; ++n)
      lines.push_back(
          {.name = "$q \\cdot k_" + std::to_string(n + 1) + "$", .statement = in_dollars(product(n))});
  if (w.divisor != 1)
    lines.push_back(
        for_keys(w.divisor == 2 ? "$s_n = q \\cdot k_n / d$" : "$s_n = q \\cdot k_n / \\sqrt{d}$", 1,
                 [&](Index n) { return in_dollars(tex_fixed(w.products(m, n) / w.divisor, w.digits)); }));
  if (w.mask.kind == attention::Mask::Kind::causal)
    lines.push_back(for_keys("mask $m_n$", 1,
                             [&](Index n) { return std::string(w.seen(n) ? "$+\\,0$" : "$-\\infty$"); }));
  const std::string score = w.divisor == 1 ? "q \\cdot k_n" : "s_n",
                    power = w.mask.kind == attention::Mask::Kind::causal ? score + " + m_n" : score;
  lines.push_back(
      for_keys("$e^{" + power + "}$", 1, [&](Index n) { return in_dollars(exponential_text(w, n)); }));
  lines.push_back({.name = "$\\sum e^{" + power + "}$", .statement = in_dollars(sum_text(w))});
  BoardLine weights = for_keys("$a_n = e^{" + power + "} / \\sum$", 1,
                               [&](Index n) { return fixed_text(w.weights(m, n), w.digits); });
  weights.loud = true;
  lines.push_back(std::move(weights));
  for (Index j = 0; j < width; ++j)
    lines.push_back(
        {.name = "$o_" + std::to_string(j + 1) + "$", .statement = in_dollars(output_text(w, j))});
  return lines;
}

Panel map_of(std::string title, const Matrix& values, ColorScale colors, const Row& w,
             const std::vector<std::string>& words, bool of_keys) {
  colors.bar = false;
  Heatmap map = heatmap(values, std::move(colors));
  map.decimals = 2;
  map.writes_zeros = true;
  Panel panel = square_map_panel(std::move(title), std::move(map), of_keys ? "key" : "component", "query");
  panel.y.names = words;
  panel.y.typed_names = true;
  if (of_keys) {
    panel.x.names = words;
    panel.x.typed_names = true;
  } else {
    panel.x.names = {"1", "2"};
  }
  for (Index m = 0; m < values.rows(); ++m)
    for (Index n = 0; n < values.cols(); ++n)
      if (!std::isfinite(values(m, n)))
        panel.marks.emplace_back(Note{.x = number(n),
                                      .y = number(m),
                                      .text = "$-\\infty$",
                                      .room = 0.92,
                                      .room_y = 0.92,
                                      .whole = true});
  panel.marks.emplace_back(row_frame(number(w.query), number(values.cols())));
  return panel;
}

/// Twice the range of the values: pale colours, on which words can be read.
ColorScale pale(const Matrix& values) {
  double most = 1e-300;
  for (const double x : values.reshaped())
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  return {.map = ColorMap::diverging, .range = Range{-2.5 * most, 2.5 * most}};
}

Table key_steps(const Row& w) {
  Table table{"steps",
              {{.name = "key"},
               {.name = "product", .digits = 12},
               {.name = "scaled", .digits = 12},
               {.name = "exponential", .digits = 12},
               {.name = "weight", .digits = 12}}};
  for (Index n = 0; n < tokens; ++n)
    add_row(table, n + 1, w.products(w.query, n), w.products(w.query, n) / w.divisor, w.exponential(n),
            w.weights(w.query, n));
  return table;
}

Table output_table(const Row& w) {
  Table table{"outputs",
              {{.name = "query"}, {.name = "$o_1$", .digits = 12}, {.name = "$o_2$", .digits = 12}}};
  for (Index m = 0; m < tokens; ++m) add_row(table, m + 1, w.outputs(m, 0), w.outputs(m, 1));
  return table;
}

std::string worked_text(const Row& w) {
  using worked::term;
  const auto exponential = [&](Index n) {
    const worked::Term product = w.products(w.query, n);
    return exp(w.divisor == 1 ? product : product / (w.divisor == 2 ? term(2) : sqrt(term(2))));
  };
  std::optional<worked::Term> sum, output;
  const auto add = [](std::optional<worked::Term>& all, const worked::Term& next) {
    all = all ? *all + next : next;
  };
  for (Index n = 0; n < tokens; ++n) {
    if (!w.seen(n)) continue;
    add(sum, exponential(n));
    add(output, term(w.weights(w.query, n)) * w.v(n, 0));
  }
  return Worked()
      .add("a_{" + std::to_string(w.query + 1) + "1}", frac(exponential(0), *sum), w.weights(w.query, 0))
      .add("o_{1}", *output, w.outputs(w.query, 0))
      .tex();
}

std::vector<Check> checks_of(const Run& run, const Row& w) {
  const Matrix by_hand = [&] {
    Matrix means = Matrix::Zero(1, width);
    for (Index n = 0; n < tokens; ++n) means += w.exponential(n) / w.sum() * w.v.row(n);
    return means;
  }();
  Worst sums, outside;
  for (Index m = 0; m < tokens; ++m) {
    sums.meet(std::abs(w.weights.row(m).sum() - 1));
    for (Index j = 0; j < width; ++j)
      outside.meet(
          std::max({0.0, w.outputs(m, j) - w.v.col(j).maxCoeff(), w.v.col(j).minCoeff() - w.outputs(m, j)}));
  }
  const double most = w.v.cwiseAbs().maxCoeff(), score = w.products.cwiseAbs().maxCoeff();
  const Matrix scores = twin::rounded(w.products / w.divisor);
  // A score is off by its own rounding, and the exponential by as much of itself.
  return {{"the row worked out by hand is the row of the op",
           (by_hand - w.outputs.row(w.query)).cwiseAbs().maxCoeff(),
           (4 * score + 16) * 0x1p-52 * (most + 0x1p-1022)},
          {"the weights of a query sum to 1", sums, 4 * 0x1p-52},
          {"an output lies between the least and the largest value", outside, 8 * 0x1p-53 * most},
          twin::equals_reference(run, {attention::softmax_bound(tokens), attention::softmax_gpu_bound},
                                 [&](const Run& each) { return twin::softmax(each, scores, {}); })};
}

std::string title_of(const Row& w) {
  return "Attention by hand: query " + std::to_string(w.query + 1) + " gives key 1 the weight " +
         short_text(w.weights(w.query, 0), 3) + " and becomes " + short_text(w.outputs(w.query, 0), 3) +
         ", " + short_text(w.outputs(w.query, 1), 3);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Row w = worked_out(settings);
  const std::vector<std::string> words = names_of(settings);
  const std::vector<BoardLine> lines = board_lines(w, words);
  Picture picture(
      title_of(w),
      "Three matrices with their numbers in the cells: scores of each query and key, weights, and outputs. "
      "Below, the framed row step by step, from products to exponentials, weights and the mean of the values.");
  const std::string scaled = w.divisor == 1   ? "Scores $Q K^T$"
                             : w.divisor == 2 ? "Scores $Q K^T / d$"
                                              : "Scores $Q K^T / \\sqrt{d}$";
  picture.at({0, 0}, "scores", map_of(scaled, w.scores, pale(w.scores), w, words, true));
  picture.at({0, 1}, "weights", map_of("Weights $A$", w.weights, pale(w.weights), w, words, true));
  picture.at({0, 2}, "outputs", map_of("Outputs $A V$", w.outputs, pale(w.outputs), w, words, false));
  picture.at(
      {1, 0, 1, 3}, "steps",
      board_panel(
          {.title = "The framed row, step by step", .columns = std::size_t(tokens), .cells_from = 0.17},
          lines));
  return {
      .figure = std::move(picture).figure(settings, {.aspect = 1.15,
                                                     .rows = {1, 0.17 * board_height(lines)},
                                                     .cols = {1, 1, number(w.outputs.cols()) / tokens},
                                                     .telling = {"steps", "weights", "scores", "outputs"}}),
      .tables = {key_steps(w), output_table(w)},
      .checks = checks_of(run, w),
      .worked = worked_text(w)};
}

constexpr auto tries = std::to_array<Try>({
    {"The first query sees itself alone: its weight is 1, and its output is the first value.", "query=1",
     [](auto& now, auto&) {
       return at(now, "steps", "weight", 1) == 1 && at(now, "outputs", "$o_1$", 1) == 1 &&
              at(now, "outputs", "$o_2$", 1) == 2;
     }},
    {"Without the mask query 1 looks ahead: its output is no longer the first value.", "mask=none query=1",
     [](auto& now, auto&) {
       return at(now, "steps", "weight", 1) < 0.6 && at(now, "outputs", "$o_1$", 1) > 2;
     }},
    {"Do not divide by √d: the largest weight grows.", "scale=none",
     [](auto& now, auto& before) {
       return most(column(now, "steps", "weight")) > most(column(before, "steps", "weight")) + 0.02;
     }},
    {"Equal keys: every weight is a third, and the output is the mean of the values.", "k=1,1;1,1;1,1",
     [](auto& now, auto&) {
       return std::abs(least(column(now, "steps", "weight")) - 1.0 / 3) < 1e-15 &&
              std::abs(at(now, "outputs", "$o_1$", 3) - 3) < 1e-14;
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/steps",
    .title = "Attention by hand",
    .topic = "Attention",
    .summary = "three tokens, from products to weights to the mean of the values",
    .formula =
        R"(o_m = \sum_n a_{mn} v_n, \quad a_{mn} = \frac{e^{s_{mn}}}{\sum_j e^{s_{mj}}}, \quad s_{mn} = \frac{q_m \cdot k_n}{\sqrt{d}})",
    .derivation =
        "If the components of $q$ and $k$ are independent with mean 0 and variance 1, each product $q_j k_j$ has mean 0 "
        "and variance 1, and their sum $q \\cdot k$ has variance $d$.\n"
        "Divided by $\\sqrt{d}$ it has variance 1, whatever "
        "the width; without that the exponentials of a wide head would leave one key alone.\n"
        "Division by $d$ makes the "
        "variance $1/d$: then all keys weigh nearly the same.",
    .about =
        "Type queries, keys and values of three tokens: each step of one query's row stands on a line. The weights of a "
        "row are positive and sum to 1, so an output is a mean of the values; the mask takes keys out before the "
        "exponentials, with −∞.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, eq. 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_steps
