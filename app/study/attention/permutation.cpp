// Attention without positions knows no order: a sentence put in another order gives the same outputs in that order.
#include "app/study/kit.h"
#include "app/study/kit/words.h"
#include "core/position/alibi.h"

namespace orrery::study::attention_permutation {
namespace {

constexpr std::size_t most_words = 64;

constexpr auto parameters = std::to_array<Parameter>({
    text("text", "Words", "dog bites man", {1, 400},
         "a sentence, divided by spaces; Chinese letter by letter"),
    choice("order", "Order", "reversed|shifted|shuffled", "reversed, every word one place on, or by chance"),
    choice(
        "positions", "Positions", "none|sinusoidal|rope|alibi|causal",
        "what tells the words' places in the maps: nothing; sinusoids added to the words; queries and keys turned; "
        "a bias by distance; a causal mask alone"),
    whole("head_width", "Head width", "32", {2, 256},
          "d: components of a word, and of its query, key and value",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "head_dim"}),
    real("base", "Base", "10000", {2, 1e9}, "of RoPE's and the sinusoids' frequencies",
         {.travel = Travel::log, .model_fact = "rope_theta"}),
    real("slope", "ALiBi's slope", "0.5", {0, 4}, "what a key loses of its score with every word between"),
    seed_parameter("another one gives other words and projections"),
    show_parameter("all|sentence|other|back|change"),
});

enum class Told : std::uint8_t { none, sinusoidal, rope, alibi, causal };
struct Scheme {
  Told told;
  const char* id;
  const char* name;
};
constexpr std::array<Scheme, 5> schemes{{{Told::none, "none", "no positions"},
                                         {Told::sinusoidal, "sinusoidal", "sinusoids"},
                                         {Told::rope, "rope", "RoPE"},
                                         {Told::alibi, "alibi", "ALiBi"},
                                         {Told::causal, "causal", "causal mask"}}};

struct Asked {
  std::vector<std::string> words;
  std::vector<Index> order;  ///< of every place of the other sentence the word that stands there
  Matrix embedded, w_q, w_k, w_v;
  double base, slope;
  const Scheme* shown;
};

std::vector<Index> order_of(const std::string& choice, Index count, std::uint64_t seed) {
  std::vector<Index> order;
  for (Index n = 0; n < count; ++n)
    order.push_back(choice == "reversed" ? count - 1 - n : (n + count - 1) % count);
  if (choice != "shuffled") return order;
  // Another order: what chance has left as it was is drawn again.
  do {
    const Matrix drawn = tensor::Random(seed++, 7).normals(1, count);
    std::ranges::sort(order, {}, [&](Index n) { return drawn(0, n); });
  } while (count > 1 && std::ranges::is_sorted(order));
  return order;
}

Asked asked_of(const Settings& settings) {
  const std::vector<std::string> words = words_in(settings, "text", most_words);
  const Index count = std::ssize(words), width = settings.integer("head_width");
  const std::uint64_t seed = seed_of(settings);
  Matrix embedded(count, width);
  for (Index n = 0; n < count; ++n)
    embedded.row(n) =
        tensor::Random(seed ^ number_of_word(words[static_cast<std::size_t>(n)]), 0).normals(1, width);
  const auto projection = [&](std::uint64_t stream) {
    return Matrix(tensor::Random(seed, stream).normals(width, width) / std::sqrt(number(width)));
  };
  const Scheme* shown = std::ranges::find(schemes, settings.choice("positions"),
                                          [](const Scheme& s) { return std::string(s.id); });
  return {words,
          order_of(settings.choice("order"), count, seed),
          embedded,
          projection(1),
          projection(2),
          projection(3),
          settings.real("base"),
          settings.real("slope"),
          shown};
}

struct Attended {
  Matrix q, k, v;  ///< as they meet
  Matrix scores, weights, output;
};

/// The words as they stand in `order`, from the position `first` on.
Attended attend(const Run& run, const Asked& asked, Told told, const std::vector<Index>& order,
                double first = 0) {
  const Index count = std::ssize(order), width = asked.embedded.cols();
  Matrix x(count, width);
  for (Index n = 0; n < count; ++n) x.row(n) = asked.embedded.row(order[static_cast<std::size_t>(n)]);
  if (told == Told::sinusoidal) x += twin::sinusoidal(run, count, width, {.base = asked.base});
  x = twin::rounded(x);
  Attended a{.q = twin::rounded(x * asked.w_q),
             .k = twin::rounded(x * asked.w_k),
             .v = x * asked.w_v,
             .scores = {},
             .weights = {},
             .output = {}};
  if (told == Told::rope) {
    std::vector<double> positions = counted(count);
    for (double& m : positions) m += first;
    const position::RopeTable table =
        position::rope_table(positions, position::rope_default_frequencies(width, asked.base));
    a.q = twin::rope(run, a.q, table, position::RopeLayout::half);
    a.k = twin::rope(run, a.k, table, position::RopeLayout::half);
  }
  attention::ScoresParams params{};
  if (told == Told::causal) params.mask = {.kind = attention::Mask::Kind::causal};
  a.scores = twin::scores(run, a.q, a.k, params);
  if (told == Told::alibi)
    for (Index m = 0; m < count; ++m)
      for (Index n = 0; n < count; ++n) a.scores(m, n) -= asked.slope * std::abs(number(m - n));
  a.weights = twin::softmax(run, a.scores, {});
  a.output = a.weights * a.v;
  return a;
}

std::vector<Index> as_it_is(Index count) {
  std::vector<Index> order;
  for (Index n = 0; n < count; ++n) order.push_back(n);
  return order;
}

/// What stands at the places of the other order, put back: rows, or rows and columns of a square.
Matrix rows_back(const Matrix& other, const std::vector<Index>& order) {
  Matrix back(other.rows(), other.cols());
  for (Index n = 0; n < back.rows(); ++n) back.row(order[static_cast<std::size_t>(n)]) = other.row(n);
  return back;
}
Matrix square_back(const Matrix& other, const std::vector<Index>& order) {
  return rows_back(rows_back(other, order).transpose(), order).transpose();
}

struct Compared {
  Attended sentence, other;
  std::vector<double> change;  ///< of each word's output, over its size
  double together = 0;         ///< of all outputs
};

Compared compared(const Run& run, const Asked& asked, Told told) {
  Compared c{.sentence = attend(run, asked, told, as_it_is(std::ssize(asked.words))),
             .other = attend(run, asked, told, asked.order),
             .change = {}};
  const Matrix back = rows_back(c.other.output, asked.order), &output = c.sentence.output;
  for (Index n = 0; n < back.rows(); ++n)
    c.change.push_back((back.row(n) - output.row(n)).norm() / output.row(n).norm());
  c.together = (back - output).norm() / output.norm();
  return c;
}

// The picture.

std::vector<std::string> in_order(const std::vector<std::string>& words, const std::vector<Index>& order) {
  std::vector<std::string> moved;
  for (const Index n : order) moved.push_back(words[static_cast<std::size_t>(n)]);
  return moved;
}

Panel weights_panel(std::string title, const Matrix& weights, const Matrix& scores,
                    const std::vector<std::string>& words) {
  const Matrix seen = scores.array().isInf().select(scores, weights);
  Heatmap map = heatmap(seen, {.range = Range{0, 1}, .label = "weight", .group = 1});
  map.decimals = 2;
  Panel panel = square_map_panel(std::move(title), std::move(map), "key", "query");
  panel.x.names = panel.y.names = as_typed(words);
  panel.x.typed_names = panel.y.typed_names = true;
  return panel;
}

Table changes_table(const Asked& asked, const std::vector<Compared>& all) {
  Table table{"changes", {{.name = "word", .typed = true}}};
  for (const Scheme& scheme : schemes) table.columns.push_back({.name = scheme.name});
  for (std::size_t n = 0; n < asked.words.size(); ++n)
    add_row(table, as_typed(asked.words[n]), all[0].change[n], all[1].change[n], all[2].change[n],
            all[3].change[n], all[4].change[n]);
  return table;
}

Table schemes_table(const std::vector<Compared>& all) {
  Table table{"schemes", {{.name = "told by"}, {.name = "change of all outputs"}}};
  for (std::size_t s = 0; s < schemes.size(); ++s) add_row(table, schemes[s].name, all[s].together);
  return table;
}

Panel change_panel(const std::vector<Compared>& all) {
  Panel panel{.title = "How much the outputs change",
              .x = {.range = cells(number(schemes.size()))},
              .y = values("relative change"),
              .legend = LegendPlace::none};
  Bars bars{.width = 0.55, .ink = series(0), .reading = {.name = "change"}};
  double most = 0;
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    panel.x.names.emplace_back(schemes[s].name);
    bars.x.push_back(number(s));
    bars.height.push_back(all[s].together);
    most = std::max(most, all[s].together);
  }
  panel.y.range = Range{0, most > 0 ? 1.2 * most : 1};
  for (std::size_t s = 0; s < schemes.size(); ++s)
    panel.marks.emplace_back(Note{.x = number(s),
                                  .y = all[s].together,
                                  .text = all[s].together < 1e-6 ? "0" : short_text(all[s].together, 2),
                                  .v = VAlign::bottom,
                                  .dy = -2,
                                  .numbers = true});
  panel.marks.emplace_back(std::move(bars));
  return panel;
}

// Checks.

/// By how much weights times values may be off where the scores are: a weight by twice of that, a value not at all.
double output_slack(const Run& run, const Attended& a, double of_scores) {
  const double keys = number(a.weights.cols());
  const tensor::Bound own = run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound
                                                            : attention::softmax_bound(a.weights.cols());
  const double of_weights = run.device == DeviceChoice::ref ? keys * 0x1p-52 : own.rel + keys * own.abs;
  return (2 * (2 * of_scores + of_weights) + keys * 0x1p-52) * a.v.cwiseAbs().maxCoeff();
}

double scores_slack(const Run& run, const Attended& a) {
  const double terms =
      (a.q.cwiseAbs() * a.k.cwiseAbs().transpose()).maxCoeff() / std::sqrt(number(a.q.cols()));
  const twin::Bounds bounds{attention::scores_bound(a.q.cols()),
                            {.abs = attention::scores_gpu_bound(a.q.cols()) * terms}};
  return slack(run, bounds, a.scores.cwiseMax(-terms), 2) + number(a.q.cols() + 2) * terms * 0x1p-53;
}

std::vector<Check> checks_of(const Run& run, const Asked& asked, const std::vector<Compared>& all) {
  const Compared& none = all[static_cast<std::size_t>(Told::none)];
  const Attended& causal = all[static_cast<std::size_t>(Told::causal)].sentence;
  const Attended &here = all[static_cast<std::size_t>(Told::rope)].sentence,
                 there = attend(run, asked, Told::rope, as_it_is(std::ssize(asked.words)), 100);
  // The angles of places past 100 are rounded to 2^-53 of themselves.
  const double angles = 2 * (100 + number(here.q.rows())) * 0x1p-52;
  const double turned = (twin::turned_score_slack(run, here.q.cols()) + angles) *
                        here.q.rowwise().norm().maxCoeff() * here.k.rowwise().norm().maxCoeff() /
                        std::sqrt(number(here.q.cols()));
  return {{"without positions the words' outputs change places and nothing else",
           (rows_back(none.other.output, asked.order) - none.sentence.output).cwiseAbs().maxCoeff(),
           2 * output_slack(run, none.sentence, scores_slack(run, none.sentence))},
          {"and so do rows and columns of the weights",
           (square_back(none.other.weights, asked.order) - none.sentence.weights).cwiseAbs().maxCoeff(),
           2 * output_slack(run, none.sentence, scores_slack(run, none.sentence)) /
               none.sentence.v.cwiseAbs().maxCoeff()},
          {"under a causal mask the first word's output is its own value",
           (causal.output.row(0) - causal.v.row(0)).cwiseAbs().maxCoeff(), output_slack(run, causal, 0)},
          {"RoPE: the same sentence 100 places on has the same outputs",
           (there.output - here.output).cwiseAbs().maxCoeff(), 2 * output_slack(run, here, turned)}};
}

// Words.

/// Whether more changed than what rounding leaves of outputs that are the same: the slack of the first check, and under
/// RoPE that of turned queries and keys.
bool is_changed(const Run& run, const Asked& asked, const std::vector<Compared>& all, Told told) {
  const Compared& c = all[static_cast<std::size_t>(told)];
  const Attended& a = c.sentence;
  double of_scores = scores_slack(run, a);
  if (told == Told::rope)
    of_scores += (twin::turned_score_slack(run, a.q.cols()) + 2 * number(a.q.rows()) * 0x1p-52) *
                 a.q.rowwise().norm().maxCoeff() * a.k.rowwise().norm().maxCoeff() /
                 std::sqrt(number(a.q.cols()));
  return (rows_back(c.other.output, asked.order) - a.output).cwiseAbs().maxCoeff() >
         2 * output_slack(run, a, of_scores);
}

std::string title_of(const Run& run, const Asked& asked, const std::vector<Compared>& all) {
  const auto changes = [&](Told told) { return is_changed(run, asked, all, told); };
  if (!changes(Told::rope) && !changes(Told::sinusoidal) && !changes(Told::causal))
    return "Nothing changes: outputs are the same without positions, with RoPE, sinusoids and a causal mask";
  const auto change = [&](Told told) {
    return short_text(changes(told) ? 100 * all[static_cast<std::size_t>(told)].together : 0, 2) + " %";
  };
  return "Without positions outputs only change places; RoPE changes them by " + change(Told::rope) +
         ", sinusoids by " + change(Told::sinusoidal) + ", a causal mask by " + change(Told::causal);
}

/// The first word's weight on itself, in double.
std::string worked_of(const Run& run, const Asked& asked) {
  const Attended a =
      attend(twin::on_reference(run), asked, asked.shown->told, as_it_is(std::ssize(asked.words)));
  std::vector<Term> all;
  for (Index n = 0; n < a.scores.cols(); ++n)
    if (std::isfinite(a.scores(0, n)))
      all.push_back(n == 0 ? Term(1) : exp(term(a.scores(0, n)) - a.scores(0, 0)));
  return Worked().add(subscripted("A", 0, 0), worked::frac(1, worked::sum(all)), a.weights(0, 0)).tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  std::vector<Compared> all;
  for (const Scheme& scheme : schemes) all.push_back(compared(run, asked, scheme.told));
  run.check();
  const Compared& shown = all[static_cast<std::size_t>(asked.shown->told)];
  const std::vector<std::string> moved = in_order(asked.words, asked.order);
  Picture picture(
      title_of(run, asked, all),
      "Three maps of weights, query against key: of a sentence, of the same words in another order, and of "
      "these put back in their places. Below, a bar for each way to tell positions: by how much the outputs "
      "change, once they are back in their places.");
  picture
      .at({0, 0}, "sentence",
          weights_panel("The sentence", shown.sentence.weights, shown.sentence.scores, asked.words))
      .at({0, 1}, "other", weights_panel("In another order", shown.other.weights, shown.other.scores, moved))
      .at({0, 2}, "back",
          weights_panel("Put back in order", square_back(shown.other.weights, asked.order),
                        square_back(shown.other.scores, asked.order), asked.words))
      .at({1, 0, 1, 3}, "change", change_panel(all));
  return {.figure = std::move(picture).figure(settings, {.aspect = 1.45,
                                                         .rows = {1.15, 1},
                                                         .cols = {1, 1, 1},
                                                         .titles_alone = true,
                                                         .telling = {"change", "other", "sentence", "back"}}),
          .tables = {schemes_table(all), changes_table(asked, all),
                     key_table("weights", shown.sentence.weights), key_table("other", shown.other.weights)},
          .checks = checks_of(run, asked, all),
          .worked = worked_of(run, asked)};
}

constexpr auto tries = std::to_array<Try>({
    {"In Chinese: who loves whom is the same to attention without positions.", "text=我爱猫",
     [](auto& now, auto&) { return at(now, "schemes", "change of all outputs", "no positions") < 1e-5; }},
    {"With RoPE the weights put back are others.", "positions=rope",
     [](auto& now, auto&) { return at(now, "schemes", "change of all outputs", "RoPE") > 0.01; }},
    {"ALiBi without a mask looks both ways alike: reversed, nothing changes.",
     "positions=alibi order=reversed",
     [](auto& now, auto&) { return at(now, "schemes", "change of all outputs", "ALiBi") < 1e-5; }},
    {"Every word one place on: now ALiBi tells them apart.", "positions=alibi order=shifted",
     [](auto& now, auto&) { return at(now, "schemes", "change of all outputs", "ALiBi") > 0.01; }},
});

}  // namespace

extern const Study study{
    .id = "attention/permutation",
    .title = "Order without positions",
    .topic = "Attention",
    .summary = "a sentence in another order, and what tells attention so",
    .formula = R"(\mathrm{Attention}(\Pi X) = \Pi\, \mathrm{Attention}(X))",
    .derivation =
        R"(A permutation $\Pi$ moves rows; $\Pi^T \Pi = I$. The projections act on each row by itself: $Q \to \Pi Q$, $K \to \Pi K$, $V \to \Pi V$.)"
        "\n"
        R"(The scores become $\Pi Q (\Pi K)^T = \Pi\, Q K^T\, \Pi^T$: rows and columns move, no number changes.)"
        "\n"
        R"(The softmax acts on each row by itself, so the weights become $\Pi A \Pi^T$, and the output $\Pi A \Pi^T\, \Pi V = \Pi\, A V$.)"
        "\n"
        R"(Positions break this: a sinusoid belongs to the place, not the word; RoPE makes a score depend on $m - n$, ALiBi here on $|m - n|$, which reversing leaves as it is; a causal mask hides what comes after.)",
    .about =
        "Self-attention sees a set of words. Without positions a word's output is the same wherever the others stand, so who bites "
        "and who is bitten cannot be told. Outputs are compared once they are back in their words' places. A causal mask alone tells "
        "order too: models without positions learn from it.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3.5; Lee et al. 2019, arXiv 1810.00825; Haviv et al. 2022, arXiv 2203.16634",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_permutation
