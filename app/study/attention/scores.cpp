// Attention step by step: products, scores, mask, weights, outputs, and how many keys a query really looks at.
//
//   products | scores  | masked          alone: the framed row as curves, the mean by offset,
//   weights  | outputs | entropy         one word in two contexts
#include "app/study/attention/attend.h"
#include "app/study/attention/cell_terms.h"
#include "app/study/attention/score_checks.h"
#include "app/study/attention/score_contexts.h"
#include "app/study/attention/score_panels.h"
#include "app/study/attention/score_worked.h"
#include "app/study/kit.h"
#include "app/study/kit/words.h"

namespace orrery::study::attention_scores {
namespace {

constexpr std::string_view of_words = "content=words|embedded",
                           of_numbers = "content=random|low_rank|topics|alike|files|projections";

constexpr auto parameters = std::to_array<Parameter>({
    choice(
        "content", "Content", "words|embedded|random|low_rank|topics|alike|files|projections",
        "queries and keys of words, which share half of their length where the word is the same; projections of "
        "words' embeddings; independent normal numbers; the same of a low rank; topics of four tokens that come "
        "back; one vector for all; or a model's own, one head of them out of files, or hidden states and projections "
        "out of files"),
    text("text", "Words", "The cat sat on the mat", {1, 4000},
         "what stands at the positions, divided by spaces", {.only_when = of_words}),
    whole("length", "Length", "24", {2, 512}, "queries and keys; of files no more than they have",
          {.travel = Travel::log, .unit = "tokens", .only_when = of_numbers}),
    whole("rank", "Rank", "4", {1, 256}, "r: directions in which all queries and keys lie",
          {.travel = Travel::powers_of_two, .only_when = "content=low_rank"}),
    whole("topics", "Topics", "3", {1, 16}, "before the first one comes back",
          {.only_when = "content=topics"}),
    whole("query", "Query", "4", {0, 511}, "the row that is framed; a number past the last means the last"),
    whole("key", "Key", "-1", {-1, 511},
          "the cell that is framed and worked out; \u22121: that of the largest weight, without a frame"),
    whole("head_width", "Head width", "64", {2, 256}, "d: components of a query and of a key",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "head_dim"}),
    seed_parameter("another one gives other vectors"),
    choice(
        "positions", "Position scheme",
        "rope|none|sinusoidal|learned|alibi|t5|kerple|fire|sandwich|xpos|self_extend",
        "what tells places: queries and keys turned; nothing; sinusoids, or the rows of a table that nothing has "
        "trained yet, added to them, or to the embeddings; a bias added to the scores; xpos, turned and scaled, so "
        "that scores fall with distance; or, self_extend, turned as far as groups of tokens are apart, from W tokens on"),
    toggle("rope", "RoPE", "on", "turn queries and keys", {.only_when = "positions=rope"}),
    real("base", "Base", "10000", {2, 1e9}, "of RoPE's and the sinusoids' frequencies",
         {.travel = Travel::log,
          .only_when = "positions=rope|sinusoidal|xpos|self_extend",
          .model_fact = "rope_theta"}),
    choice("rule", "Rule",
           "none|linear|ntk|dynamic|dynamic_paper|yarn|yarn_paper|llama3|proportional|resonance",
           "what a context extension makes of RoPE's frequencies", {.only_when = "positions=rope"}),
    real(
        "factor", "Factor", "8", {1, 64}, "s: how many times longer than the trained length",
        {.travel = Travel::log, .only_when = "rule=linear|ntk|dynamic|dynamic_paper|yarn|yarn_paper|llama3"}),
    real("original", "Original length", "64", {16, 1e6}, "L: the trained length, of the rule",
         {.travel = Travel::log, .unit = "tokens", .only_when = "rule=yarn|yarn_paper|llama3"}),
    whole("group", "Group", "4", {1, 64}, "G: so many tokens share a position where they are far apart",
          {.only_when = "positions=self_extend"}),
    whole("near", "Near", "8", {0, 512},
          "W: nearer tokens keep their distances; drawn up to whole groups, since G must divide it",
          {.travel = Travel::log, .unit = "tokens", .only_when = "positions=self_extend"}),
    real("slope", "ALiBi's slope", "0.5", {0, 4}, "what a key loses of its score with every step of distance",
         {.only_when = "positions=alibi"}),
    with_fallback(
        choice("scaled", "Divide by", "root_d<on<true<yes<1|none<off<false<no<0|d",
               "√d, nothing, or d: undivided the scores of wide heads are large, and one key takes all"),
        "root_d"),
    choice(
        "log_n", "Log n", "off|on|clipped",
        "scores times the logarithm of the keys that are seen over that of the trained length; clipped: never by "
        "less than 1"),
    real("trained_length", "Trained length", "512", {2, 1e6}, "L, of log n",
         {.travel = Travel::log, .unit = "tokens", .only_when = "log_n=on|clipped"}),
    real("cap", "Cap", "off", {1, 1000}, "c: scores are bent to $c \\tanh(s/c)$, before bias and mask",
         {.travel = Travel::log, .word = "off"}),
    real("temperature", "Temperature", "1", {0.05, 20}, "of the softmax: low is sharp, high is even",
         {.travel = Travel::log}),
    real("sink", "Sink", "off", {-20, 20},
         "a logit beside each row that no value stands behind; 0 is softmax plus one", {.word = "off"}),
    with_fallback(choice("mask", "Mask", "none|causal|sliding", "which keys a query may see"), "causal"),
    whole("window", "Window", "8", {1, 512}, "of the sliding mask: how many keys, the query's own among them",
          {.travel = Travel::log,
           .unit = "tokens",
           .only_when = "mask=sliding",
           .model_fact = "sliding_window"}),
    head_files::q_file,
    head_files::k_file,
    head_files::v_file,
    head_files::hidden,
    head_files::wq,
    head_files::wk,
    head_files::wv,
    head_files::layer,
    head_files::head,
    whole(
        "first", "First token", "0", {0, 1 << 24},
        "of the files; it stands at position 0, and no token before it is seen; where they have no more, their "
        "last ones are shown",
        {.travel = Travel::log, .unit = "tokens", .only_when = head_files::of_both}),
    show_parameter("all|products|scores|masked|weights|outputs|entropy|row|offsets|contexts"),
});

/// "“cat” at 8", or "key 8" where nothing is known of it.
std::string word_at_place(const std::vector<std::string>& words, Index at) {
  const std::string place = grouped(number(at));
  if (words.empty()) return "key " + place;
  return "\u201C" + as_typed(words[static_cast<std::size_t>(at)]) + "\u201D at " + place;
}

/// What the framed query makes of its keys: how much it keeps for the one where it stands, and where most of the rest goes.
std::string looking_text(const Attention& a, Index query, bool sink) {
  const auto row = a.weights.row(query);
  const std::vector<std::string>& words = a.content.words;
  const std::string who = words.empty() ? "Query " + grouped(number(query)) : word_at_place(words, query);
  Index other = query == 0 ? row.size() - 1 : 0;
  for (Index n = 0; n < row.size(); ++n)
    if (n != query && row(n) > row(other)) other = n;
  const std::string kept = short_text(row(query), 2);
  if (row.size() == 1 || row(other) == 0) {
    if (sink) return who + " keeps " + kept + " of its weight, and the sink has the rest";
    return who + " gives all its weight to itself";
  }
  const double of_sink = sink ? 1 - row.sum() : 0;
  const bool to_sink = of_sink > row(other);
  return who + " keeps " + kept + " of its weight; the largest other share, " +
         short_text(to_sink ? of_sink : row(other), 2) + ", goes to " +
         (to_sink ? "the sink" : word_at_place(words, other));
}

/// Which head and which tokens of files these are.
std::string head_text(const FromFiles& from, Index length) {
  return from.files.words() + ", tokens " + grouped(number(from.first)) + " to " +
         grouped(number(from.first + length - 1)) + " of " + grouped(number(from.files.tokens())) + ". ";
}

std::string title_of(const Settings& settings, const Attention& a, Index query, bool sink) {
  const std::string looking = looking_text(a, query, sink);
  if (a.content.from) {
    const std::string& show = settings.choice("show");
    const bool of_values = !a.content.from->files.v && (show == "outputs" || show == "contexts");
    return head_text(*a.content.from, a.content.length()) + (of_values ? "Values by chance. " : "") + looking;
  }
  return without_head_files(settings).empty() ? looking : "No file yet, vectors by chance. " + looking;
}

std::string remark_of(const Settings& settings, const Attention& a) {
  return a.content.from && !a.content.from->files.v ? "no file of values: the outputs are of values by chance"
                                                    : without_head_files(settings);
}

Framed framed_of(const Settings& settings, Index length) {
  Framed framed{.query = std::min<Index>(settings.integer("query"), length - 1)};
  if (settings.integer("key") >= 0) framed.key = std::min<Index>(settings.integer("key"), length - 1);
  return framed;
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Attention a = attend(settings, run);
  const Attention exact = attend(settings, twin::on_reference(run));
  const Framed framed = framed_of(settings, a.content.length());
  const MapCell cell = worked_cell(exact, framed);
  const auto sink = softmax_params(settings).sink;
  const Series rows = score_rows(a), row = framed_row(a, framed.query), offsets = score_offsets(a);
  run.check();
  const std::vector<Repeated> repeated = repeated_words(a);
  const std::string looking = title_of(settings, a, framed.query, sink.has_value());
  Picture picture(
      looking,
      "Maps of query against key, one row framed: the products, the scores, the scores with what is masked left "
      "blank, and the weights after the softmax. Then the outputs, a row of components for each query, and the "
      "entropy of every row of weights.");
  // One of the maps is enough to choose a cell on: that which stands alone, or the weights.
  const auto held = [&](std::string_view name, Panel panel) {
    const std::string& show = settings.choice("show");
    if (show == name || (show == "all" && name == "weights"))
      add_cell_handles(panel, cell, number(a.content.length()) - 0.5);
    return panel;
  };
  picture.at({0, 0}, "products", held("products", products_panel(a, framed)))
      .at({0, 1}, "scores", held("scores", scores_panel(a, framed)))
      .at({0, 2}, "masked", held("masked", masked_panel(a, framed)))
      .at({1, 0}, "weights", held("weights", weights_panel(a, framed)))
      .at({1, 1}, "outputs", outputs_panel(a, framed))
      .at({1, 2}, "entropy", entropy_panel(rows, framed));
  picture.instead("row", [&] { return row_figure(looking, a, row, sink); })
      .instead("offsets", [&] { return offset_figure(looking, offsets); })
      .instead("contexts",
               [&] { return contexts_figure(contexts_title(repeated, framed.query, looking), a); });
  run.check();
  std::vector<Table> tables{rows.table(),
                            key_table("scores", a.free),
                            key_table("weights", a.weights),
                            outputs_table(a),
                            row.table(),
                            offsets.table(),
                            cell_terms(row_of(exact.meeting.of(cell.query, cell.key).q, cell.query),
                                       row_of(exact.meeting.of(cell.query, cell.key).k, cell.key))};
  if (auto contexts = contexts_table(repeated)) tables.push_back(std::move(*contexts));
  if (const auto& from = a.content.from)
    tables.push_back(head_files_table(from->files, from->first, a.content.length()));
  const FigureShape shape{.aspect = 0.72,
                          .rows = {1, 1},
                          .cols = {1, 1, 1},
                          .telling = {"weights", "masked", "outputs", "entropy", "scores"}};
  return {.figure = std::move(picture).figure(settings, shape),
          .tables = std::move(tables),
          .checks = score_checks(settings, run, a, framed.query),
          .worked = worked_scores(settings, exact, cell),
          .remark = remark_of(settings, a)};
}

constexpr auto tries = std::to_array<Try>({
    {"Chinese, letter by letter: what stands twice finds itself.", "text=猫坐在垫子上因为猫累了 query=8",
     [](auto& now, auto&) {
       return column(now, "weights", "key 0")[8] == at(now, "rows", "largest weight", 8);
     }},
    {"One word, two contexts: before attention both banks are one row, after it their outputs differ.",
     "content=embedded text='the river bank and the money bank' query=6 seed=7 "
     "show=contexts",
     [](auto& now, auto&) {
       const auto &before = column(now, "contexts", "cosine before"),
                  &after = column(now, "contexts", "cosine of outputs");
       return before.size() == 2 && least(before) > 1 - 1e-12 && after[1] < 0.9;
     }},
    {"The same in Chinese: 行 of 银行 and of 行走.",
     "content=embedded text=银行和行走 query=3 seed=7 show=contexts",
     [](auto& now, auto&) {
       return least(column(now, "contexts", "cosine before")) > 1 - 1e-12 &&
              most(column(now, "contexts", "cosine of outputs")) < 0.95;
     }},
    {"One vector everywhere: what is left is RoPE's own pattern.", "content=alike rope=on",
     [](auto& now, auto&) {  // the same along every diagonal, and not the same everywhere
       const auto &at_0 = column(now, "scores", "key 0"), &at_5 = column(now, "scores", "key 5");
       return std::abs(at_0[10] - at_5[15]) < 1e-4 && std::abs(at_0[10] - at_0[0]) > 1;
     }},
    {"Do not divide by the root of d: in every row one key takes more than half of the weight.",
     "scaled=none content=random",
     [](auto& now, auto&) { return least(column(now, "rows", "largest weight")) > 0.5; }},
    {"Divide by d instead: no score is far from 0, and every row is nearly even.", "scaled=d content=random",
     [](auto& now, auto&) {
       const auto &entropy = column(now, "rows", "entropy"), &even = column(now, "rows", "entropy if even");
       return largest_difference(entropy, even) < 0.05;
     }},
    {"A sliding window of three: a query sees itself and two keys before it.", "mask=sliding window=3",
     [](auto& now, auto&) { return most(column(now, "rows", "keys seen")) == 3; }},
    {"Topics that come back: most of a query's weight goes to its own topic.",
     "content=topics positions=none length=32 show=weights query=28",
     [](auto& now, auto&) {
       double own = 0;
       const auto& row = column(now, "framed_row", "weight");
       for (std::size_t n = 0; n <= 28; ++n) own += n / 4 % 3 == 1 ? row[n] : 0;
       return own > 0.5;
     }},
    {"ALiBi on vectors that are alike: the scores fall evenly with distance.",
     "content=alike positions=alibi show=offsets",
     [](auto& now, auto&) {
       const auto& mean = column(now, "offsets", "mean score");
       return std::abs(mean[4] - mean[5] - 0.5) < 1e-5 && std::abs(mean[9] - mean[10] - 0.5) < 1e-5;
     }},
    {"xPos on vectors that are alike: RoPE's pattern, and it fades with distance.",
     "content=alike positions=xpos length=256 show=offsets",
     [](auto& now, auto&) {
       const auto& mean = column(now, "offsets", "mean score");
       return mean[0] == most(mean) && mean.back() < 0.7 * mean[0];
     }},
    {"Self-Extend on vectors that are alike: far from the query four keys in a row have one score.",
     "content=alike positions=self_extend group=4 near=8 length=48 query=47 show=row",
     [](auto& now, auto&) {
       const auto& s = column(now, "framed_row", "score");
       return std::abs(s[4] - s[7]) < 1e-4 && std::abs(s[44] - s[47]) > 0.1;
     }},
    {"Position interpolation by 64: in 64 tokens no pair turns by more than a radian, and scores of vectors that are alike "
     "fall all the way.",
     "content=alike rule=linear factor=64 length=64 show=offsets",
     [](auto& now, auto&) {
       return std::ranges::is_sorted(column(now, "offsets", "mean score"), std::ranges::greater());
     }},
    {"A cap of 2 and undivided scores: none is beyond 2, and no key takes all.",
     "scaled=none content=random cap=2",
     [](auto& now, auto&) {
       return most(column(now, "offsets", "largest score")) <= 2 &&
              column(now, "rows", "largest weight").back() < 0.5;
     }},
    {"Softmax plus one: a row may give away less than all.", "sink=0 content=random",
     [](auto& now, auto&) { return at(now, "rows", "largest weight", 0) < 0.99; }},
});

}  // namespace

extern const Study study{
    .id = "attention/scores",
    .title = "Score matrices",
    .topic = "Attention",
    .summary = "from products to outputs: scores, mask, softmax, values",
    .formula = R"(O = A V, \quad A = \mathrm{softmax}\left(\frac{Q K^T}{\sqrt{d}} + M\right))",
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
        "by setting scores to minus infinity; the softmax makes each row a distribution, whose entropy "
        "says how many keys share the weight; an output is the mean of the values under it. Biases: T5's falls like the logarithm "
        "of the bucket, KERPLE's like 1.5 times that of the distance, FIRE's to 10 at the far end of 512 tokens, sandwich's is that of "
        "the last of 8 heads.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, eq. 1; biases: arXiv 2108.12409, 1910.10683, 2205.09921, 2310.04418, "
        "2212.10356; xPos: 2212.10554; Self-Extend: 2401.01325; rules: 2306.15595, 2309.00071; cap: Gemma 2, arXiv 2408.00118; log n: Su, kexue.fm/archives/8823",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_scores
