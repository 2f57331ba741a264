// From a state to the next word: logits, probabilities, what a rule cuts of them, what is drawn from, and what a target costs.
//
//   terms h_j E_vj, row by row | probabilities in order, by what cuts them
//   their running sum          | the loss of a target over its logit
#include <numeric>

#include "app/study/kit.h"
#include "app/study/kit/words.h"
#include "app/study/output/cut.h"
#include "app/study/output/loss.h"
#include "core/embedding/unembedding.h"

namespace orrery::study::output_head {
namespace {

using output::Cut;
using output::Vocabulary;

constexpr auto parameters = std::to_array<Parameter>({
    text("words", "Vocabulary", "the a cat dog mat hat sat ran on under quickly .", {1, 200},
         "divided by spaces; the first 16 count"),
    choice("logits", "Logits", "hidden|typed",
           "products of a hidden state with a row for each word, or typed"),
    numbers("typed", "Typed logits", "3,2.5,2.2,1.4,1.1,0.8,0.5,0.2,0,-0.5,-1,-2", {-50, 50},
            "one for each word; those that are missing are 0", {.only_when = "logits=typed"}),
    whole("width", "Width", "8", {1, 64}, "D: components of the hidden state",
          {.travel = Travel::powers_of_two, .only_when = "logits=hidden"}),
    real("temperature", "Temperature", "1", {0.05, 10}, "of the softmax: low is sharp, high is even",
         {.travel = Travel::log, .plays = true}),
    choice("rule", "Rule", "in_turn|top_k|top_p|min_p|none",
           "what cuts; in turn: top-k, then top-p of what is left, then min-p"),
    whole("k", "Top k", "8", {1, 16}, "so many of the largest logits are kept",
          {.unit = "tokens", .only_when = "rule=in_turn|top_k"}),
    real("p", "Top p", "0.9", {0.01, 1}, "the fewest tokens that have so much probability are kept",
         {.only_when = "rule=in_turn|top_p"}),
    real("min_p", "Min p", "0.1", {0.001, 1},
         "tokens with at least so much of the largest probability are kept",
         {.only_when = "rule=in_turn|min_p"}),
    whole("target", "Target", "2", {0, 15},
          "the word that came, by its place in the vocabulary: for the loss"),
    real("smoothing", "Label smoothing", "0.1", {0, 0.9},
         "so much of the target is spread evenly over all words; the first Transformer: 0.1"),
    seed_parameter("another one gives another state and table", "logits=hidden"),
    show_parameter("all|logits|kept|cumulative|loss"),
});

struct Products {
  Matrix terms;   // h_j E_vj; empty where logits are typed
  Matrix logits;  // 1 × V
};

/// Rows of deviation 2/√D, so that logits have deviation 2 whatever the width.
Products products_of(const Settings& settings, Index words) {
  if (settings.choice("logits") == "typed") {
    Matrix logits = Matrix::Zero(1, words);
    const auto& typed = settings.vector("typed");
    for (Index v = 0; v < std::min(words, std::ssize(typed)); ++v)
      logits(0, v) = typed[static_cast<std::size_t>(v)];
    return {{}, twin::rounded(logits)};
  }
  const Index width = settings.integer("width");
  const Matrix state = twin::rounded(tensor::Random(seed_of(settings), 1).normals(1, width)),
               table = twin::rounded(Matrix(2 / std::sqrt(number(width)) *
                                            tensor::Random(seed_of(settings), 2).normals(words, width)));
  Matrix logits(1, words);
  embedding::unembedding_ref(state, table, logits);
  return {table.array().rowwise() * state.row(0).array(), twin::rounded(logits)};
}

output::Rules rules_of(const Settings& settings) {
  const std::string& rule = settings.choice("rule");
  const auto is = [&](std::string_view name) { return rule == name || rule == "in_turn"; };
  const double temperature = settings.real("temperature");
  output::Rules rules{.temperature = temperature};
  if (is("top_k")) rules.top_k = attention::TopK{settings.integer("k")};
  if (is("top_p")) rules.top_p = attention::TopP{settings.real("p"), temperature};
  if (is("min_p")) rules.min_p = attention::MinP{settings.real("min_p"), temperature};
  return rules;
}

/// Word by word in the order of their logits.
/// In the order of Reason.
constexpr std::array<const char*, 4> reasons{"kept", "cut by top-k", "cut by top-p", "cut by min-p"};

Series tokens_of(const Cut& cut, const Matrix& logits, const Vocabulary& vocabulary) {
  const auto in_order = [&](const Matrix& row) {
    std::vector<double> values;
    for (const Index v : cut.order) values.push_back(row(0, v));
    return values;
  };
  Column word{.name = "word", .typed = true}, reason{.name = "outcome"};
  std::vector<double> sums;
  for (const Index v : cut.order) {
    const auto at = static_cast<std::size_t>(v);
    add_cell(word, Called{as_typed(vocabulary.words[at]), number(v)});
    add_cell(reason, Called{reasons[static_cast<std::size_t>(cut.reason[at])],
                            number(static_cast<int>(cut.reason[at]))});
    sums.push_back((sums.empty() ? 0 : sums.back()) + cut.seen(0, v));
  }
  Series tokens("tokens", {.name = "rank", .values = counted(logits.cols())});
  tokens.add(std::move(word))
      .add("logit", in_order(logits))
      .add("probability", in_order(cut.probability))
      .add(std::move(reason))
      .add("running sum", sums)
      .add("drawn with", in_order(cut.drawn));
  return tokens;
}

Panel logits_panel(const Products& products, const Vocabulary& vocabulary) {
  const std::vector<double> logits = row_of(products.logits);
  if (products.terms.size() == 0) {
    Panel panel{.title = "Logits, as typed",
                .x = counts("", cells(number(logits.size()))),
                .y = values("logit $x_v$"),
                .marks = {Bars{.x = counted(std::ssize(logits)), .height = logits, .ink = series(0)}},
                .legend = LegendPlace::none};
    vocabulary.name(panel.x);
    return panel;
  }
  Panel panel =
      map_panel("Terms $h_j E_{vj}$: a row adds up to the logit",
                heatmap(products.terms, {.map = ColorMap::diverging, .bar = false}), "component $j$", "");
  std::vector<std::string> names;
  for (std::size_t v = 0; v < logits.size(); ++v)
    names.push_back(vocabulary.words[v] + "  " + fixed_text(logits[v], 2));
  panel.y.names = Vocabulary{names}.as_names();
  panel.y.typed_names = true;
  panel.legend = LegendPlace::none;
  return panel;
}

Panel kept_panel(const Series& tokens, const Vocabulary& vocabulary, const Cut& cut) {
  Panel panel{.title = "What is kept, and what cuts the others",
              .x = counts("", cells(number(tokens.size()))),
              .y = values("probability"),
              .legend = LegendPlace::best};
  for (int r = 0; r < 4; ++r) {
    std::vector<double> heights = tokens["probability"];
    bool any = false;
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const bool own = tokens["outcome"][i] == r;
      any = any || own;
      if (!own) heights[i] = std::numeric_limits<double>::quiet_NaN();
    }
    if (any)
      panel.marks.emplace_back(Bars{.x = tokens.x(),
                                    .height = heights,
                                    .ink = series(r),
                                    .label = reasons[static_cast<std::size_t>(r)]});
  }
  std::vector<double> drawn = tokens["drawn with"];
  for (std::size_t i = 0; i < drawn.size(); ++i)
    if (tokens["outcome"][i] != 0) drawn[i] = std::numeric_limits<double>::quiet_NaN();
  panel.marks.emplace_back(Points{.x = tokens.x(),
                                  .y = drawn,
                                  .ink = ink(Role::accent),
                                  .radius = 2.6,
                                  .symbol = Symbol::diamond,
                                  .label = "drawn with",
                                  .symbol_by_series = false});
  vocabulary.in_order(cut.order).name(panel.x);
  return panel;
}

Panel sum_panel(const Series& tokens, const Vocabulary& vocabulary, const Cut& cut,
                const std::optional<attention::TopP>& rule) {
  Panel panel{.title = rule ? "Running sum, as top-p sees it" : "Running sum of the probabilities",
              .x = counts("", cells(number(tokens.size()))),
              .y = values("running sum", Range{0, 1.05}),
              .marks = {tokens.line("running sum", {.ink = series(0), .course = Course::step_middle}),
                        tokens.points("running sum", {.ink = series(0), .symbol_by_series = false})},
              .legend = LegendPlace::none};
  if (rule) panel.marks.emplace_back(level(rule->p, {.text = "$p$"}));
  vocabulary.in_order(cut.order).name(panel.x);
  return panel;
}

std::vector<Check> checks_of(const Run& run, const Matrix& logits, const output::Rules& rules, const Cut& cut,
                             const output::Loss& loss) {
  const Index words = logits.cols();
  const twin::Bounds bounds{attention::softmax_bound(words), attention::softmax_gpu_bound};
  const double off = slack(run, bounds, cut.probability, number(words) + 4),
               off_drawn = slack(run, bounds, cut.drawn, number(words) + 4);
  double kept = 0;
  for (const Index v : cut.order)
    if (cut.is_kept(v)) kept += cut.probability(0, v);
  Worst apart;
  for (const Index v : cut.order)
    if (cut.is_kept(v)) apart.meet(std::abs(cut.drawn(0, v) - cut.probability(0, v) / kept));
  std::vector<Check> checks{
      {"what is drawn with sums to 1", std::abs(cut.drawn.sum() - 1), number(words) * off_drawn},
      {"a kept token is drawn with its probability over that of all kept", apart,
       off_drawn + (1 + number(words)) * off / kept},
      named("softmax", twin::equals_reference(run, bounds, [&](const Run& each) {
              return twin::softmax(each, logits, {.temperature = rules.temperature});
            }))};
  if (rules.top_p)
    checks.push_back({"top-p keeps the fewest tokens that reach $p$", output::missed(*rules.top_p, cut),
                      0x1p-20 + number(words) * slack(run, bounds, cut.seen, number(words) + 4)});
  if (loss.smoothing > 0 && words > 1)
    checks.push_back({"the smoothed loss is level where the target has $1 - \\epsilon + \\epsilon/V$",
                      std::abs(loss.slope_at_least()), loss.slope_slack()});
  return checks;
}

std::string worked_of(const Settings& settings, const Run& run, const Matrix& logits,
                      const output::Rules& rules, const output::Loss& loss) {
  const Cut exact = output::cut_of(twin::on_reference(run), logits, rules);
  const double temperature = settings.real("temperature");
  std::vector<Term> exponentials;
  for (const Index v : exact.order) exponentials.push_back(exp(term(logits(0, v)) / temperature));
  std::vector<Term> kept;
  for (const Index v : exact.order)
    if (exact.is_kept(v)) kept.emplace_back(exact.probability(0, v));
  const Index first = exact.order[0];
  Worked worked;
  worked.add("p_1", worked::frac(exponentials[0], worked::sum(exponentials)), exact.probability(0, first));
  worked.add("q_1", worked::frac(exact.probability(0, first), worked::sum(kept)), exact.drawn(0, first));
  worked.add("L", -worked::ln(loss.probability), loss.cross_entropy);
  return worked.tex();
}

std::string title_text(const Settings& settings, const Vocabulary& vocabulary, const Cut& cut,
                       const output::Loss& loss) {
  if (settings.choice("show") == "loss")
    return "“" + vocabulary.as_names()[static_cast<std::size_t>(loss.target)] + "” came: cross-entropy " +
           fixed_text(loss.cross_entropy, 3) + " nat, smoothed " + fixed_text(loss.smoothed, 3);
  double mass = 0;
  for (const Index v : cut.order)
    if (cut.is_kept(v)) mass += cut.probability(0, v);
  return grouped(number(cut.kept)) + " of " + grouped(number(cut.order.size())) +
         (cut.order.size() == 1 ? " token is kept, with "
          : cut.kept == 1       ? " tokens is kept, with "
                                : " tokens are kept, with ") +
         fixed_text(100 * mass, 1) + " % of the probability";
}

Table losses_table(const output::Loss& loss, const Vocabulary& vocabulary) {
  Table table{"losses",
              {{.name = "target",
                .values = {number(loss.target)},
                .words = {as_typed(vocabulary.words[static_cast<std::size_t>(loss.target)])},
                .typed = true},
               {"probability", "", {loss.probability}},
               {"cross-entropy", "nat", {loss.cross_entropy}},
               {"perplexity", "", {std::exp(loss.cross_entropy)}},
               {"smoothed", "nat", {loss.smoothed}}}};
  if (std::isfinite(loss.best_logit())) {
    table.columns.push_back({"least smoothed", "nat", {loss.least()}});
    table.columns.push_back({"at logit", "", {loss.best_logit()}});
  }
  return table;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Vocabulary vocabulary = Vocabulary::of(settings.text("words"));
  const auto words = std::ssize(vocabulary.words);
  const Products products = products_of(settings, words);
  const output::Rules rules = rules_of(settings);
  const Cut cut = output::cut_of(run, products.logits, rules);
  const Series tokens = tokens_of(cut, products.logits, vocabulary);
  const auto target = std::min(static_cast<Index>(settings.integer("target")), words - 1);
  const output::Loss loss(products.logits, target, settings.real("smoothing"));
  const Series curve = loss.curve();
  Picture picture(
      title_text(settings, vocabulary, cut, loss),
      "From logits to the next word: every logit, with its terms where it comes of a hidden state; the probabilities in falling "
      "order, by what cuts them, and what the kept ones are drawn with; their running sum; and the loss "
      "of one word over its logit, plain and with smoothed labels.");
  picture.at({0, 0}, "logits", logits_panel(products, vocabulary));
  picture.at({0, 1}, "kept", kept_panel(tokens, vocabulary, cut));
  picture.at({1, 1}, "cumulative", sum_panel(tokens, vocabulary, cut, rules.top_p));
  picture.at({1, 0}, "loss", output::loss_panel(loss, curve, vocabulary));
  // A row of terms has its word and its logit beside it: that takes width from the plots, and they need the height.
  const bool terms = products.terms.size() > 0;
  return {std::move(picture).figure(settings, {.aspect = terms ? 0.85 : 1.3,
                                               .rows = {1.2, 1},
                                               .cols = {1, 1.15},
                                               .telling = {"kept", "cumulative", "logits", "loss"}}),
          {tokens.table(), curve.table(), losses_table(loss, vocabulary)},
          checks_of(run, products.logits, rules, cut, loss),
          worked_of(settings, run, products.logits, rules, loss)};
}

double kept_of(const StudyResult& result) {
  return number(std::ranges::count(column(result, "tokens", "outcome"), 0));
}

constexpr auto tries = std::to_array<Try>({
    {"Hot: the same top-p keeps more tokens.", "rule=top_p temperature=2.5",
     [](auto& now, auto& before) { return kept_of(now) > kept_of(before); }},
    {"Cold: one token has nine tenths, and nothing is left to chance.", "rule=top_p temperature=0.1",
     [](auto& now, auto&) { return kept_of(now) == 1 && column(now, "tokens", "probability")[0] >= 0.9; }},
    {"Min-p alone: what has a tenth of the likeliest stays, however little that is.",
     "rule=min_p temperature=3",
     [](auto& now, auto& before) {
       const auto &p = column(now, "tokens", "probability"), &cut = column(now, "tokens", "outcome");
       for (std::size_t i = 0; i < p.size(); ++i)
         if ((p[i] >= 0.1 * p[0]) != (cut[i] == 0)) return false;
       return kept_of(now) > kept_of(before);
     }},
    {"The loss alone: with smoothed labels, a word can be too likely.", "show=loss",
     [](auto& now, auto&) {
       const auto& smoothed = column(now, "loss", "smoothed");
       return smoothed.back() > least(smoothed) &&
              column(now, "loss", "cross-entropy").back() == least(column(now, "loss", "cross-entropy"));
     }},
});

}  // namespace

extern const Study study{
    .id = "output/head",
    .title = "The next word",
    .topic = "Embeddings and output",
    .summary = "logits, temperature, top-k, top-p, min-p, and the loss",
    .formula =
        R"(x = E h, \quad p_v = \frac{e^{x_v/\tau}}{\sum_w e^{x_w/\tau}}, \quad q_v = \frac{p_v}{\sum_{w \in K} p_w}, \quad L = \ln \sum_w e^{x_w} - x_t)",
    .about =
        "A model ends with a logit for each word, the product of its state with the word's row. The softmax makes them "
        "probabilities; rules cut the unlikely ones, and the next word is drawn from what is left. In training nothing is "
        "cut: the loss is the negative logarithm of the probability of the word that came, at temperature 1.",
    .source =
        "Fan et al. 2018, arXiv 1805.04833 (top-k); Holtzman et al. 2019, arXiv 1904.09751 (top-p); Nguyen et al. "
        "2024, arXiv 2407.01082 (min-p); Szegedy et al. 2015, arXiv 1512.00567, section 7 (label smoothing)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::output_head
