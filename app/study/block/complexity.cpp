// What layers cost as the text grows: table 1 of "Attention is all you need" with sliders, and attention beside the
// feed-forward layer, with the lengths at which they meet.
#include "app/study/block/layer_cost.h"
#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "app/study/model/cards.h"
#include "core/model/cost.h"

namespace orrery::study::block_complexity {
namespace {

constexpr double shortest = 8, longest = 1 << 20;

constexpr auto parameters = std::to_array<Parameter>({
    whole("length", "Length", "512", {shortest, longest}, "n: the text whose numbers are told",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("width", "Width", "512", {2, 32768}, "d: components of a token's vector",
          {.travel = Travel::log, .model_fact = "hidden_size"}),
    real("times", "Hidden width over width", "4", {0.25, 16}, "h/d: 4 in the original, 2.6875 in LLaMA 7B",
         {.travel = Travel::log}),
    choice("feed_forward", "Feed-forward", "plain|gated", "two matrices, or three"),
    whole("kernel", "Kernel", "3", {2, 64}, "k: places that a convolution sees", {.travel = Travel::log}),
    choice("convolution", "Convolution", "dilated|contiguous",
           "every layer's places k times as far apart as those of the one below, or always side by side"),
    whole("window", "Window", "64", {2, 65536},
          "r: tokens that restricted attention sees, the query's own among them", {.travel = Travel::log}),
    show_parameter("all|tokens|layers|table"),
});

struct Asked {
  Layer layer;
  FeedForward ffn;
  Layer at(double length) const {
    Layer l = layer;
    l.length = length;
    return l;
  }
};

Asked asked_of(const Settings& settings) {
  Asked asked{{.length = settings.real("length"),
               .width = settings.real("width"),
               .kernel = settings.real("kernel"),
               .window = settings.real("window"),
               .dilated = settings.choice("convolution") == "dilated"},
              {.hidden = 0, .matrices = settings.choice("feed_forward") == "gated" ? 3.0 : 2.0}};
  asked.ffn.hidden = std::max(1.0, std::round(settings.real("times") * asked.layer.width));
  return asked;
}

/// Four lengths to an octave.
std::vector<double> lengths() {
  std::vector<double> all;
  for (int i = 0; shortest * std::exp2(i / 4.0) <= longest; ++i) all.push_back(shortest * std::exp2(i / 4.0));
  return all;
}

Series token_series(const Asked& asked) {
  return Series("tokens", {"length", "tokens", lengths()})
      .add("scores and values", [&](double n) { return of_scores_and_values(asked.at(n)); })
      .add("attention with projections",
           [&](double n) { return of_scores_and_values(asked.at(n)) + of_projections(asked.layer); })
      .add("feed-forward", [&](double) { return of_feed_forward(asked.layer, asked.ffn); });
}

Series layer_series(const Asked& asked) {
  Series layers("layers", {"length", "tokens", lengths()});
  for (const Kind kind : kinds)
    layers.add(name_of(kind), [&](double n) { return operations(kind, asked.at(n)); });
  return layers;
}

Table here_table(const Asked& asked) {
  Table table{"here",
              {{.name = "layer"},
               {.name = "multiply-adds", .digits = 12},
               {.name = "one after another", .digits = 12},
               {.name = "layers between the ends", .digits = 12}}};
  for (const Kind kind : kinds)
    add_row(table, name_of(kind), operations(kind, asked.layer), sequential(kind, asked.layer),
            path(kind, asked.layer));
  return table;
}

/// Where two lines of the figure meet; 0 where attention is above at any length.
Table crossings_table(const Asked& asked) {
  Table table{"crossings", {{.name = "what is counted"}, {.name = "length", .unit = "tokens", .digits = 12}}};
  add_row(table, "scores and values", crossing_of_scores(asked.ffn));
  add_row(table, "attention with projections", std::max(0.0, crossing_of_attention(asked.layer, asked.ffn)));
  add_row(table, "table 1, beside a recurrent layer", asked.layer.width);
  return table;
}

Panel cost_panel(std::string title, std::string y_label, const Asked& asked, const Series& costs,
                 std::span<const Column> drawn) {
  Panel panel{.title = std::move(title),
              .x = octaves("length $n$", Range{shortest, longest}),
              .y = {.label = std::move(y_label), .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  int color = 0;
  for (const Column& column : drawn)
    panel.marks.push_back(costs.line(column.name, {.ink = series(color++), .label = column.name}));
  panel.marks.emplace_back(Rule{.at = asked.layer.length, .ink = ink(Role::accent), .dash = Dash::dotted});
  return panel;
}

Panel tokens_panel(const Asked& asked, const Series& tokens) {
  Panel panel = cost_panel("Operations of a token", "operations", asked, tokens, tokens.columns());
  const double height = of_feed_forward(asked.layer, asked.ffn);
  const auto meet = [&](double at, const char* name) {
    if (at >= shortest && at <= longest)
      panel.marks.emplace_back(
          Points{.x = {at}, .y = {height}, .ink = ink(Role::text), .radius = 2.4, .reading = {.name = name}});
  };
  meet(crossing_of_scores(asked.ffn), "scores and values cost as much");
  meet(crossing_of_attention(asked.layer, asked.ffn), "attention with projections costs as much");
  return panel;
}

std::string told(double x) {
  constexpr double in_full = 1e9;
  return x < in_full ? grouped(x) : scientific_text(x, 3);
}

Panel here_panel(const Asked& asked) {
  std::vector<BoardLine> lines{{.cells = {"multiply-adds", "in turn", "layers end to end"}, .quiet = true}};
  for (const Kind kind : kinds)
    lines.push_back({.name = name_of(kind),
                     .cells = {told(operations(kind, asked.layer)), told(sequential(kind, asked.layer)),
                               told(path(kind, asked.layer))}});
  return board_panel(
      {.title = "Table 1 at length " + grouped(asked.layer.length), .columns = 3, .cells_from = 0.28}, lines);
}

/// Where a line that grows crosses a level one, by halving.
double crossing_found(const auto& excess) {
  double low = 0, high = 1e12;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (excess(middle) < 0 ? low : high) = middle;
  }
  return high;
}

/// Multiply-adds counted one by one in a layer so small that loops go through it.
double miscounted(const Asked& asked) {
  Asked small = asked;
  small.layer.length = 3 + std::fmod(asked.layer.length, 7);
  small.layer.width = 2 + std::fmod(asked.layer.width, 5);
  small.ffn.hidden = 2 + std::fmod(asked.ffn.hidden, 6);
  const auto n = small.layer.length, d = small.layer.width, h = small.ffn.hidden;
  double attended = 0, projected = 0, fed = 0;
  for (double key = 0; key < n; ++key)
    for (double j = 0; j < d; ++j) attended += 2;  // into a score, and of a value
  for (double matrix = 0; matrix < 4; ++matrix)
    for (double j = 0; j < d; ++j)
      for (double i = 0; i < d; ++i) ++projected;
  for (double matrix = 0; matrix < small.ffn.matrices; ++matrix)
    for (double j = 0; j < d; ++j)
      for (double i = 0; i < h; ++i) ++fed;
  return std::max({std::abs(2 * attended - of_scores_and_values(small.layer)),
                   std::abs(2 * projected - of_projections(small.layer)),
                   std::abs(2 * fed - of_feed_forward(small.layer, small.ffn))});
}

/// GPT-2's own card: 12 layers of 768, of a text of 1024 tokens half of the scores on average.
double gpt2_off() {
  const model::Cost cost = model::cost_of(published_card("gpt2"), 1024);
  return 12 * of_scores_and_values({.length = 512.5, .width = 768}) / cost.prefill_attention - 1;
}

std::vector<Check> checks_of(const Asked& asked) {
  const double flat = of_feed_forward(asked.layer, asked.ffn);
  const double found = crossing_found([&](double n) { return of_scores_and_values(asked.at(n)) - flat; }),
               with_projections = crossing_found([&](double n) {
                 return of_scores_and_values(asked.at(n)) + of_projections(asked.layer) - flat;
               });
  constexpr double tokens_walked = 512;  // half a million places for the narrowest kernel
  const Layer part = asked.at(std::min(asked.layer.length, tokens_walked));
  Worst walked;
  for (const Kind kind : kinds) walked.meet(std::abs(path_walked(kind, part) - path(kind, part)));
  const double scores = crossing_of_scores(asked.ffn),
               attention = std::max(0.0, crossing_of_attention(asked.layer, asked.ffn));
  return {
      {"lines cross at $h M/2$ tokens, and with projections $2d$ before",
       std::max(std::abs(found - scores), std::abs(with_projections - attention)), 0x1p-48 * (scores + 1)},
      {"multiply-adds of a small layer, counted one by one: how many are missed", miscounted(asked), 0},
      {"layers between the ends, gone through one by one: how many are missed", walked, 0},
      known_answer("GPT-2's card counts as many for scores and values", std::abs(gpt2_off()), 1e-15),
  };
}

std::string title_of(const Asked& asked) {
  const double scores = crossing_of_scores(asked.ffn),
               attention = crossing_of_attention(asked.layer, asked.ffn);
  return "From length " + grouped(std::ceil(scores)) +
         " on scores and values cost as much as the feed-forward layer, with the projections " +
         (attention <= 1 ? "at any length" : "from " + grouped(std::ceil(attention)) + " on");
}

std::string worked_of(const Asked& asked) {
  const Layer& l = asked.layer;
  Worked worked;
  worked.add("4 n d", term(4) * l.length * l.width, of_scores_and_values(l));
  worked.add(asked.ffn.matrices == 2 ? "4 d h" : "6 d h",
             term(2 * asked.ffn.matrices) * l.width * asked.ffn.hidden, of_feed_forward(l, asked.ffn));
  return worked
      .add("n", worked::frac(of_feed_forward(l, asked.ffn), term(4) * l.width), crossing_of_scores(asked.ffn))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const Series tokens = token_series(asked), layers = layer_series(asked);
  Picture picture(
      title_of(asked),
      "Operations of one token by the length of the text: scores and values, attention with its projections, and the "
      "feed-forward layer, with the lengths at which they meet. Beside it the multiply-adds of four kinds of "
      "layers as table 1 has them, and below what they are at one length, with the steps that wait for each "
      "other and the layers between the two ends of the text.");
  picture.at({0, 0}, "tokens", tokens_panel(asked, tokens));
  picture.at({0, 1}, "layers",
             cost_panel("Multiply-adds of a layer", "multiply-adds", asked, layers, layers.columns()));
  picture.at({1, 0, 1, 2}, "table", here_panel(asked));
  return {std::move(picture).figure(settings, {.aspect = 1.25,
                                               .rows = {1.5, 1},
                                               .cols = {1, 1},
                                               .aspect_alone = 1.6,
                                               .telling = {"tokens", "layers", "table"}}),
          {here_table(asked), crossings_table(asked), tokens.table(), layers.table()},
          checks_of(asked),
          worked_of(asked)};
}

constexpr auto tries = std::to_array<Try>({
    {"A short text: self-attention does less than a recurrent layer of the same width.", "length=64",
     [](auto& now, auto&) {
       return at(now, "here", "multiply-adds", "self-attention") <
              at(now, "here", "multiply-adds", "recurrent");
     }},
    {"LLaMA 7B, gated: scores and values reach the feed-forward layer at 16 512 tokens.",
     "width=4096 times=2.6875 feed_forward=gated",
     [](auto& now, auto&) { return at(now, "crossings", "length", "scores and values") == 16512; }},
    {"Kernels side by side: the ends of 512 tokens are 256 layers apart, in place of 6.",
     "convolution=contiguous",
     [](auto& now, auto& before) {
       return at(now, "here", "layers between the ends", "convolution") == 256 &&
              at(before, "here", "layers between the ends", "convolution") == 6;
     }},
    {"A million tokens: restricted attention does a 16 384th of the full one's work.", "length=1048576",
     [](auto& now, auto&) {
       return at(now, "here", "multiply-adds", "self-attention") ==
              16384 * at(now, "here", "multiply-adds", "restricted attention");
     }},
});

}  // namespace

extern const Study study{
    .id = "block/complexity",
    .title = "Cost by length",
    .topic = "Blocks",
    .summary = "what a layer costs as the text grows, and when attention costs most",
    .formula =
        R"(n^2 d \;\; n d^2 \;\; k n d^2 \;\; r n d, \quad 4 n d = 2 M d h \;\Rightarrow\; n = \tfrac{M}{2} h)",
    .about =
        "Attention grows with the square of the length, a feed-forward or recurrent layer with the length. Where they "
        "meet depends on what is counted: in table 1 of the paper at n = d, scores and values beside a feed-forward "
        "layer four times as wide at n = 4d, with the projections at n = 2d. All keys are counted; a causal mask that "
        "skips what is hidden halves scores and values, and nearly doubles the first length. What waits cannot be shared out "
        "over processors: a recurrent layer takes n steps in turn.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 4 and table 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::block_complexity
