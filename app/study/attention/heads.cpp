// Several heads: tokens are projected, split into heads, looked up by each for itself, put side by side, and mixed.
#include "app/study/attention/heads_checks.h"
#include "app/study/attention/heads_picture.h"
#include "app/study/attention/weights_entropy.h"
#include "app/study/kit.h"

namespace orrery::study::attention_heads {
namespace {

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

// Tables.

Table stages_table(const Asked& asked) {
  Table table{
      "stages",
      {{.name = "stage"}, {.name = "heads"}, {.name = "rows"}, {.name = "columns"}, {.name = "numbers"}}};
  for (const Stage& s : stages_of(asked))
    add_row(table, s.name, s.copies, s.rows, s.cols, s.copies * s.rows * s.cols);
  return table;
}

/// The mean over the queries.
double entropy_of(const Matrix& weights) {
  double sum = 0;
  for (Index m = 0; m < weights.rows(); ++m) sum += weights_entropy(row_of(weights, m));
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
                                                         .cols = {1.8, 1},
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
