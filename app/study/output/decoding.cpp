// Greedy, beam search and sampling on a chain so small that all of its sequences are one tree.
//
//   the tree: step to the right, a leaf for each sequence; ways marked | sums of log p along each way
#include <optional>

#include "app/study/kit.h"
#include "app/study/kit/words.h"
#include "app/study/output/cut.h"
#include "app/study/output/search.h"

namespace orrery::study::output_decoding {
namespace {

using output::Chain;
using output::Sequence;
using output::Vocabulary;

constexpr auto parameters = std::to_array<Parameter>({
    text("words", "Vocabulary", "cats dogs sleep", {1, 100}, "divided by spaces; the first 4 count"),
    whole("length", "Length", "3", {1, 4}, "of the sequences", {.unit = "tokens"}),
    whole("beam", "Beam width", "2", {1, 8}, "so many sequences go on at each step; 1 is greedy",
          {.unit = "sequences"}),
    real("spread", "Spread", "1", {0, 6},
         "the standard deviation of the logits: 0 makes all tokens as likely"),
    real("temperature", "Temperature", "1", {0.05, 10}, "of sampling alone: low goes greedy's way",
         {.travel = Travel::log, .plays = true}),
    with_fallback(seed_parameter("another one gives another chain"), "25"),
    whole("draw", "Draw", "1", {0, 1000000}, "another one draws another sequence from the same chain",
          {.plays = true}),
    show_parameter("all|tree|sums"),
});

constexpr std::size_t most_words = 4;

/// As it is typed in every language: letters as upright mathematics, which no dictionary looks up.
std::string shown(const std::string& word) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (std::ranges::all_of(word, is_plain)) return "$\\mathrm{" + word + "}$";
  return Vocabulary{{word}}.as_names()[0];
}

Matrix logits_of(const Settings& settings, Index words) {
  return twin::rounded(
      Matrix(settings.real("spread") * tensor::Random(seed_of(settings)).normals(1 + words, words)));
}

Chain chain_of(const Run& run, const Matrix& logits, double temperature) {
  return twin::softmax(run, logits, {.temperature = temperature}).array().log();
}

struct Ways {
  std::vector<Sequence> all;
  Sequence greedy, sampled, best;
  output::Beam beam;
};

Ways ways_of(const Settings& settings, const Run& run, const Matrix& logits) {
  const Index length = settings.integer("length");
  const Chain chain = chain_of(run, logits, 1);
  Ways ways{.all = output::all_sequences(chain, length),
            .greedy = output::greedy(chain, length),
            .sampled = output::sample(chain, chain_of(run, logits, settings.real("temperature")), length,
                                      static_cast<std::uint64_t>(settings.integer("draw"))),
            .best = {},
            .beam = output::beam(chain, length, static_cast<std::size_t>(settings.integer("beam")))};
  ways.best = *std::ranges::max_element(ways.all, {}, &Sequence::log_probability);
  return ways;
}

struct Drawn {
  const char* name;
  const Sequence& sequence;
  Ink ink;
  double width;
  Dash dash;
};

/// The widest first: what goes the same way is seen through.
std::array<Drawn, 4> drawn_of(const Ways& ways) {
  return {{{"likeliest of all", ways.best, ink(Role::accent, 0.4), 5.5, Dash::solid},
           {"beam", ways.beam.found, series(0), 2.4, Dash::solid},
           {"greedy", ways.greedy, series(1), 1.5, Dash::dashed},
           {"sampled", ways.sampled, series(2), 1.5, Dash::dotted}}};
}

/// Where a node stands: in the middle of its leaves, which are counted from above.
double height_of(const Sequence& node, Index words, Index length) {
  double first = 0, leaves = 1;
  for (const Index token : node.tokens) first = first * number(words) + number(token);
  for (auto t = std::ssize(node.tokens); t < length; ++t) leaves *= number(words);
  return (first + 0.5) * leaves - 0.5;
}

Line way_line(const Sequence& sequence, Index words, Index length) {
  Line line;
  Sequence node;
  for (Index t = 0; t <= length; ++t) {
    line.x.push_back(number(t));
    line.y.push_back(height_of(node, words, length));
    if (t < length) node.tokens.push_back(sequence.tokens[static_cast<std::size_t>(t)]);
  }
  return line;
}

/// Every branch that leads to one of these.
Line branches(const std::vector<Sequence>& nodes, Index words, Index length) {
  Line line;
  for (const Sequence& node : nodes) {
    if (node.tokens.empty()) continue;
    Sequence before = node;
    before.tokens.pop_back();
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    const double t = number(node.tokens.size());
    line.x.insert(line.x.end(), {t - 1, t, gap});
    line.y.insert(line.y.end(), {height_of(before, words, length), height_of(node, words, length), gap});
  }
  line.reading.none = true;
  return line;
}

std::vector<Sequence> nodes_of(const Ways& ways) {
  std::vector<Sequence> nodes;
  for (const Sequence& leaf : ways.all)
    for (std::size_t t = 0; t <= leaf.tokens.size(); ++t) {
      Sequence node{{leaf.tokens.begin(), leaf.tokens.begin() + static_cast<std::ptrdiff_t>(t)}};
      if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(std::move(node));
    }
  return nodes;
}

Panel tree_panel(const Ways& ways, const Vocabulary& vocabulary, Index length) {
  const Index words = std::ssize(vocabulary.words);
  const double leaves = number(ways.all.size());
  Panel panel{.title = "All sequences, and the ways that were gone",
              .x = counts("tokens so far", Range{-0.25, number(length) + 0.55}),
              .y = {.range = Range{-0.8, leaves - 0.2}, .visible = false, .reversed = true},
              .legend = LegendPlace::above};
  const std::vector<Sequence> nodes = nodes_of(ways);
  Line all = branches(nodes, words, length);
  all.ink = ink(Role::outline);
  all.width = 0.6;
  panel.marks.emplace_back(std::move(all));
  std::vector<Sequence> kept;
  for (const auto& step : ways.beam.kept) kept.insert(kept.end(), step.begin(), step.end());
  Line looked_at = branches(kept, words, length);
  looked_at.ink = series(0);
  looked_at.ink.alpha = 0.45;
  looked_at.width = 1.2;
  looked_at.dash_by_series = false;
  panel.marks.emplace_back(std::move(looked_at));
  for (const Drawn& way : drawn_of(ways)) {
    Line line = way_line(way.sequence, words, length);
    line.ink = way.ink;
    line.width = way.width;
    line.dash = way.dash;
    line.dash_by_series = false;
    line.label = way.name;
    line.reading.none = true;
    panel.marks.emplace_back(std::move(line));
  }
  // The first tokens alone: further to the right names would lie on each other on a small page.
  for (Index v = 0; v < words; ++v) {
    const double y = height_of(Sequence{{v}}, words, length);
    const bool below = y > (leaves - 1) / 2;
    panel.marks.emplace_back(Note{.x = 1,
                                  .y = y,
                                  .text = shown(vocabulary.words[static_cast<std::size_t>(v)]),
                                  .h = HAlign::right,
                                  .v = below ? VAlign::top : VAlign::bottom,
                                  .dy = below ? 3.0 : -3.0,
                                  .size = 0.9});
  }
  return panel;
}

/// Step by step, ln p of what each way has so far.
Series sums_of(const Ways& ways, const Chain& chain, Index length) {
  Series sums("sums", {.name = "tokens so far", .values = counted(length + 1)});
  for (const Drawn& way : drawn_of(ways)) {
    Sequence part;
    std::vector<double> sum{0};
    for (const Index token : way.sequence.tokens) {
      part = part.with(token, chain);
      sum.push_back(part.log_probability);
    }
    sums.add(way.name, sum);
  }
  return sums;
}

Series tokens_of(const Ways& ways, const Vocabulary& vocabulary, Index length) {
  Series tokens("tokens", {.name = "tokens so far", .values = counted(length)});
  for (const Drawn& way : drawn_of(ways)) {
    Column each{.name = way.name, .typed = true};
    for (const Index token : way.sequence.tokens)
      add_cell(each, Called{as_typed(vocabulary.words[static_cast<std::size_t>(token)]), number(token)});
    tokens.add(std::move(each));
  }
  return tokens;
}

/// Of the whole sequences.
Table probabilities_of(const Ways& ways) {
  Table table{"probabilities", {}};
  for (const Drawn& way : drawn_of(ways))
    table.columns.push_back({way.name, "", {std::exp(way.sequence.log_probability)}});
  return table;
}

Panel sums_panel(const Series& sums, const Ways& ways) {
  Panel panel{.title = "Probability so far",
              .x = counts("tokens so far"),
              .y = values("$\\ln p$"),
              .legend = LegendPlace::none};
  for (const Drawn& way : drawn_of(ways))
    panel.marks.emplace_back(sums.line(
        way.name,
        {.ink = way.ink, .width = way.width, .dash = way.dash, .label = way.name, .dash_by_series = false}));
  panel.series_group = 1;
  return panel;
}

std::string title_text(const Ways& ways, double width) {
  const std::string whose = "A beam of width " + grouped(width);
  if (ways.beam.found == ways.greedy) return whose + " finds the sequence that greedy finds";
  const double ratio = std::exp(ways.beam.found.log_probability - ways.greedy.log_probability);
  return ratio >= 1
             ? whose + " finds a sequence " + fixed_text(ratio, 2) + " times as likely as greedy's"
             : whose + " loses greedy's sequence, and finds one " + fixed_text(ratio, 2) + " times as likely";
}

std::vector<Check> checks_of(const Run& run, const Matrix& logits, const Ways& ways, Index length) {
  const twin::Bounds bounds{attention::softmax_bound(logits.cols()), attention::softmax_gpu_bound};
  const Chain chain = chain_of(run, logits, 1);
  const double off = slack(run, bounds, chain.array().exp(), number(logits.cols()) + 4),
               steps = number(length);
  double sum = 0;
  for (const Sequence& each : ways.all) sum += std::exp(each.log_probability);
  // A row of probabilities sums to 1 but for V off, a product of T such sums for T times that and its squares.
  const double row = number(logits.cols()) * off + 0x1p-50;
  return {{"the probabilities of all sequences sum to 1", std::abs(sum - 1), std::pow(1 + row, steps) - 1},
          {"Viterbi's recursion finds the logarithm of the likeliest of all",
           std::abs(output::viterbi(chain, length) - ways.best.log_probability),
           0x1p-52 * steps * (1 + std::abs(ways.best.log_probability))},
          named("softmax", twin::equals_reference(run, bounds, [&](const Run& each) {
                  return twin::softmax(each, logits, {});
                }))};
}

std::string worked_of(const Ways& ways, const Chain& chain) {
  Worked worked;
  const auto add = [&](std::string_view name, const Sequence& sequence) {
    Sequence part;
    std::optional<Term> product;
    for (const Index token : sequence.tokens) {
      const double p = std::exp(output::step_of(chain, part, token));
      product = product ? *product * p : term(p);
      part = part.with(token, chain);
    }
    worked.add(name, *product, std::exp(part.log_probability));
  };
  add("p_{\\mathrm{greedy}}", ways.greedy);
  add("p_{\\mathrm{beam}}", ways.beam.found);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  Vocabulary vocabulary = Vocabulary::of(settings.text("words"));
  if (vocabulary.words.size() > most_words) vocabulary.words.resize(most_words);
  const Index length = settings.integer("length");
  const Matrix logits = logits_of(settings, std::ssize(vocabulary.words));
  const Ways ways = ways_of(settings, run, logits);
  const Series sums = sums_of(ways, chain_of(run, logits, 1), length),
               tokens = tokens_of(ways, vocabulary, length);
  const Run exact = twin::on_reference(run);
  Picture picture(
      title_text(ways, settings.real("beam")),
      "A tree of all sequences of a small vocabulary, a step to the right for each token. Marked are the "
      "branches that beam search keeps, and the ways of greedy search, of beam search, of one sample and "
      "of the likeliest sequence; beside it the logarithm of each one's probability, step by step.");
  picture.at({0, 0}, "tree", tree_panel(ways, vocabulary, length));
  picture.at({0, 1}, "sums", sums_panel(sums, ways));
  return {std::move(picture).figure(settings, {.aspect = 1.5, .cols = {1.5, 1}, .telling = {"tree", "sums"}}),
          {sums.table(), tokens.table(), probabilities_of(ways)},
          checks_of(run, logits, ways, length),
          worked_of(ways_of(settings, exact, logits), chain_of(exact, logits, 1))};
}

bool same(const StudyResult& result, std::string_view a, std::string_view b) {
  return column(result, "tokens", a) == column(result, "tokens", b);
}

constexpr auto tries = std::to_array<Try>({
    {"A beam of one sequence is greedy search.", "beam=1",
     [](auto& now, auto& before) { return same(now, "beam", "greedy") && !same(before, "beam", "greedy"); }},
    {"A beam of eight finds the likeliest sequence of all.", "beam=8",
     [](auto& now, auto&) { return same(now, "beam", "likeliest of all"); }},
    {"Sampling in the cold goes greedy's way.", "temperature=0.05",
     [](auto& now, auto&) { return same(now, "sampled", "greedy"); }},
    {"Another draw, another sequence; the others stay.", "draw=2",
     [](auto& now, auto& before) {
       return column(now, "tokens", "sampled") != column(before, "tokens", "sampled") &&
              column(now, "tokens", "beam") == column(before, "tokens", "beam");
     }},
});

}  // namespace

extern const Study study{
    .id = "output/decoding",
    .title = "Greedy, beam, sampling",
    .topic = "Embeddings and output",
    .summary = "three ways through one small tree of sequences",
    .formula =
        R"(p(w_1 \dots w_T) = \prod_{t=1}^{T} p(w_t \mid w_{t-1}), \quad \mathrm{greedy:}\; w_t = \mathrm{argmax}_w\, p(w \mid w_{t-1}))",
    .about =
        "The likeliest next token at each step need not lead to the likeliest sequence. Beam search lets several "
        "sequences go on, and drops the rest; sampling draws each token. The chain is small, so that the likeliest "
        "sequence of all is known: tokens depend on the one before alone, in a model on all before.",
    .source =
        "Graves 2012, arXiv 1211.3711, algorithm 1 (beam search); Holtzman et al. 2019, arXiv 1904.09751; Viterbi 1967",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::output_decoding
