// Masks side by side: which keys a query sees under each, and how far layers of it reach.
#include "app/study/attention/mask_ways.h"
#include "app/study/kit.h"

namespace orrery::study::attention_masks {
namespace {

constexpr Index most_tokens = 64;

constexpr auto parameters = std::to_array<Parameter>({
    whole("tokens", "Tokens", "12", {2, most_tokens}, "T: queries and keys", {.unit = "tokens"}),
    whole("query", "Query", "9", {0, most_tokens - 1},
          "the row that is framed; a number past the last means the last", {.plays = true}),
    whole("window", "Window", "4", {1, most_tokens},
          "W: keys that a query sees, itself among them; in the other reading so many before it besides",
          {.unit = "tokens", .model_fact = "sliding_window"}),
    whole("chunk", "Chunk", "4", {1, most_tokens}, "tokens of a chunk: a query sees those of its own",
          {.unit = "tokens"}),
    whole("prefix", "Prefix", "4", {0, most_tokens}, "first tokens, which every query sees",
          {.unit = "tokens"}),
    numbers("lengths", "Documents", "5,4", {1, most_tokens},
            "how long texts are that one row is packed with; what is left is one more", {.length = 0}),
    whole("filled", "Filling", "3", {0, most_tokens}, "tokens that are no text", {.unit = "tokens"}),
    choice("filling", "Filled", "left|right|encoder",
           "before the text; behind it; or behind it where queries see what comes after them too"),
    real("slope", "ALiBi's slope", "0.5", {0, 4},
         "what a key loses of its score with every step of distance"),
    whole("layers", "Layers", "6", {1, 32}, "that the last panel counts"),
    show_parameter("all|causal|window|before|chunked|prefix|alibi|documents|padding|seen|reach"),
});

MaskSizes sizes_of(const Settings& settings) {
  const std::string& filling = settings.choice("filling");
  return {.tokens = settings.integer("tokens"),
          .window = settings.integer("window"),
          .chunk = settings.integer("chunk"),
          .prefix = settings.integer("prefix"),
          .lengths = settings.vector("lengths"),
          .filled = settings.integer("filled"),
          .filling = filling == "left"    ? Filling::left
                     : filling == "right" ? Filling::right
                                          : Filling::encoder,
          .slope = settings.real("slope")};
}

struct Masked {
  MaskSizes sizes;
  Index query = 0;
  std::array<Matrix, mask_facts.size()> through;

  const Matrix& of(MaskWay way) const { return through[static_cast<std::size_t>(way)]; }
  double seen(MaskWay way, Index m) const {
    return number((of(way).row(m).array() > -std::numeric_limits<double>::infinity()).count());
  }
};

Masked masked(const Settings& settings, const Run& run) {
  Masked all{.sizes = sizes_of(settings), .through = {}};
  all.query = std::min(settings.integer("query"), all.sizes.tokens - 1);
  for (const MaskFacts& each : mask_facts)
    all.through[static_cast<std::size_t>(each.way)] = let_through(run, each.way, all.sizes);
  return all;
}

Series seen_by_query(const Masked& all) {
  Series seen("seen", {"query", "", counted(all.sizes.tokens)});
  for (const MaskFacts& each : mask_facts)
    if (each.way != MaskWay::alibi)
      seen.add(each.column, [&](double m) { return all.seen(each.way, static_cast<Index>(m)); });
  return seen;
}

Series reach_by_layer(const Masked& all, Index layers) {
  Series reached("reach", {"layers", "", counted(layers + 1)});
  for (const MaskFacts& each : mask_facts)
    if (each.way != MaskWay::alibi) reached.add(each.column, reach(all.of(each.way), all.query, layers));
  return reached;
}

// The picture.

/// What is left of a weight: 1 of a key that is seen, less of ALiBi's, nothing of a hidden one.
Panel mask_panel(const Masked& all, const MaskFacts& facts) {
  const Matrix left = all.of(facts.way).unaryExpr([](double s) { return std::isinf(s) ? s : std::exp(s); });
  Panel panel = square_map_panel(
      facts.heading, heatmap(left, {.map = ColorMap::diverging, .range = Range{-1.3, 1.3}, .bar = false}), "",
      "");
  panel.x.visible = panel.y.visible = false;
  panel.marks.emplace_back(row_frame(number(all.query), number(all.sizes.tokens)));
  return panel;
}

constexpr std::array drawn{MaskWay::causal,  MaskWay::window,    MaskWay::before,
                           MaskWay::chunked, MaskWay::documents, MaskWay::padding};

Panel lines_panel(std::string title, const Series& counts_of, std::string x_label, double at, double tokens,
                  bool alone) {
  Panel panel{.title = std::move(title),
              .x = counts(std::move(x_label)),
              .y = {.range = Range{0, 1.05 * tokens}, .ticks = TickHint::integers, .grid = true},
              .legend = alone ? LegendPlace::above : LegendPlace::none,
              .series_group = 1};
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const char* column = mask_facts[static_cast<std::size_t>(drawn[i])].column;
    panel.marks.emplace_back(counts_of.line(
        column, {.ink = series(static_cast<int>(i)), .label = column, .course = Course::straight}));
  }
  panel.marks.emplace_back(Rule{.at = at, .dash = Dash::dotted});
  return panel;
}

Table summary_table(const Masked& all, const Series& reached) {
  Table table{"masks",
              {{.name = "mask"},
               {.name = "seen by the query"},
               {.name = "pairs seen"},
               {.name = "of all", .unit = "%"},
               {.name = "rows that see nothing"},
               {.name = "reached through all layers"}}};
  const double tokens = number(all.sizes.tokens);
  for (const MaskFacts& each : mask_facts) {
    double pairs = 0, blind = 0;
    for (Index m = 0; m < all.sizes.tokens; ++m) {
      pairs += all.seen(each.way, m);
      blind += all.seen(each.way, m) == 0 ? 1 : 0;
    }
    const char* same = each.way == MaskWay::alibi ? "causal" : each.column;  // it hides what that hides
    add_row(table, each.column, all.seen(each.way, all.query), pairs, 100 * pairs / (tokens * tokens), blind,
            reached[same].back());
  }
  return table;
}

// Checks.

/// Cell by cell; where one is seen by the op alone or by the rule alone it counts.
double cells_that_disagree(const Masked& all) {
  double wrong = 0;
  for (const MaskFacts& each : mask_facts)
    for (Index m = 0; m < all.sizes.tokens; ++m)
      for (Index n = 0; n < all.sizes.tokens; ++n)
        wrong += std::isinf(all.of(each.way)(m, n)) == sees(each.way, all.sizes, m, n) ? 1 : 0;
  return wrong;
}

/// How far rows of weights are from 1 where a key is seen, and from 0 where none is; and hidden keys from 0.
double weights_off(const Run& run, const Masked& all) {
  Worst worst;
  for (const MaskFacts& each : mask_facts) {
    const Matrix& through = all.of(each.way);
    const Matrix weights = twin::softmax(run, through, {});
    for (Index m = 0; m < weights.rows(); ++m) {
      worst.meet(std::abs(weights.row(m).sum() - (all.seen(each.way, m) > 0 ? 1 : 0)));
      for (Index n = 0; n < weights.cols(); ++n)
        if (std::isinf(through(m, n))) worst.meet(std::abs(weights(m, n)));
    }
  }
  return worst;
}

std::vector<Check> checks_of(const Run& run, const Masked& all, const Series& reached) {
  const double T = number(all.sizes.tokens), W = std::min(T, number(all.sizes.window));
  double pairs = 0;
  for (Index m = 0; m < all.sizes.tokens; ++m) pairs += all.seen(MaskWay::window, m);
  double apart = 0;
  for (const double layer : reached.x())
    apart = std::max(apart,
                     std::abs(reached["window"][static_cast<std::size_t>(layer)] -
                              std::min(number(all.query) + 1, layer * (number(all.sizes.window) - 1) + 1)));
  const tensor::Bound own = run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound
                                                            : attention::softmax_bound(all.sizes.tokens);
  const double summed = run.device == DeviceChoice::ref ? T * 0x1p-52 : own.rel + T * (own.abs + 0x1p-52);
  return {{"what the op lets through is each mask's rule, cell by cell", cells_that_disagree(all), 0},
          {"rows of weights sum to 1, those that see nothing to 0; hidden keys have none",
           weights_off(run, all), summed},
          {"a window of W lets through $W T - W (W - 1) / 2$ pairs",
           std::abs(pairs - (W * T - W * (W - 1) / 2)), 0},
          {"through $\\ell$ layers a window reaches $\\ell (W - 1) + 1$ tokens, or all there are", apart, 0}};
}

// Words.

std::string title_of(const Masked& all) {
  const auto seen = [&](MaskWay way) { return grouped(all.seen(way, all.query)); };
  return "Query " + grouped(number(all.query)) + " sees " + seen(MaskWay::causal) + " of " +
         grouped(number(all.sizes.tokens)) + " keys, " + seen(MaskWay::window) + " in a window, " +
         seen(MaskWay::chunked) + " in its chunk, and " + seen(MaskWay::documents) + " in its document";
}

std::string worked_of(const Masked& all, Index layers) {
  const double seen = number(all.query) + 1, window = number(all.sizes.window), deep = number(layers);
  return Worked()
      .add("n_{\\mathrm{window}}", min(term(number(all.query)) + term(1), term(window)),
           all.seen(MaskWay::window, all.query))
      .add("n_{\\mathrm{layers}}", min(term(seen), term(deep) * (term(window) - term(1)) + term(1)),
           reach(all.of(MaskWay::window), all.query, layers).back())
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Masked all = masked(settings, run);
  const Index layers = settings.integer("layers");
  const Series seen = seen_by_query(all), reached = reach_by_layer(all, layers);
  const double tokens = number(all.sizes.tokens);
  const bool alone = settings.choice("show") != "all";
  Picture picture(
      title_of(all),
      "Eight maps of query against key, filled where the key is seen: causal, a sliding window in both "
      "readings, chunks, a prefix, documents, padding, and ALiBi, whose keys fade with distance. Below, how "
      "many keys each query sees, and from how many tokens something has reached the framed one after each "
      "layer.");
  constexpr std::array order{MaskWay::causal, MaskWay::window, MaskWay::before,    MaskWay::chunked,
                             MaskWay::prefix, MaskWay::alibi,  MaskWay::documents, MaskWay::padding};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const MaskFacts& facts = mask_facts[static_cast<std::size_t>(order[i])];
    picture.at({static_cast<int>(i / 4), static_cast<int>(i % 4)}, facts.id, mask_panel(all, facts));
  }
  picture.at({2, 0, 1, 2}, "seen",
             lines_panel("Keys that a query sees", seen, "query $m$", number(all.query), tokens, alone));
  picture.at({2, 2, 1, 2}, "reach",
             lines_panel("Tokens reached through layers", reached, "layers", number(layers), tokens, true));
  return {.figure = std::move(picture).figure(
              settings, {.aspect = 0.95,
                         .rows = {1.15, 1.15, 1.2},
                         .cols = {1, 1, 1, 1},
                         .telling = {"causal", "window", "chunked", "documents", "prefix", "padding",
                                     "before", "alibi", "reach"}}),
          .tables = {summary_table(all, reached), seen.table(), reached.table()},
          .checks = checks_of(run, all, reached),
          .worked = worked_of(all, layers)};
}

constexpr auto tries = std::to_array<Try>({
    {"A window of 2: each layer reaches one token further.", "window=2",
     [](auto& now, auto&) {
       return column(now, "reach", "window")[3] == 4 && at(now, "masks", "seen by the query", "window") == 2;
     }},
    {"Filling at the left: the first queries are filling, and see nothing.", "filling=left filled=5",
     [](auto& now, auto&) { return at(now, "masks", "rows that see nothing", "padding") == 5; }},
    {"Chunks: the first token of one sees itself alone, however many layers.", "chunk=4 query=8 layers=32",
     [](auto& now, auto&) {
       return at(now, "masks", "seen by the query", "chunks") == 1 &&
              at(now, "masks", "reached through all layers", "chunks") == 1;
     }},
    {"An encoder's filling: no row is blind, and every query sees what comes after it.",
     "tokens=12 filled=3 filling=encoder query=0",
     [](auto& now, auto&) {
       return at(now, "masks", "rows that see nothing", "padding") == 0 &&
              at(now, "masks", "seen by the query", "padding") == 9;
     }},
});

}  // namespace

extern const Study study{
    .id = "attention/masks",
    .title = "Masks",
    .topic = "Attention",
    .summary = "which keys a query sees: causal, windows, chunks, prefixes, documents, padding, ALiBi",
    .formula =
        R"(A = \mathrm{softmax}(S + M), \qquad M_{m n} = 0 \text{ or } -\infty; \quad \text{window: } 0 \le m - n < W)",
    .derivation =
        R"(One layer of a window of $W$ shows a token itself and the $W - 1$ before it.)"
        "\n"
        R"(Each of those has seen $W - 1$ further back in the layer below. After $\ell$ layers what a token knows begins $\ell (W - 1)$ tokens before it.)"
        "\n"
        R"(So $\ell (W - 1) + 1$ tokens can have reached it: Mistral 7B, with $W = 4096$ and $32$ layers, 131 041.)"
        "\n"
        R"(Chunks do not shift: what stands in another chunk is never seen, in no layer. Llama 4 lets every fourth layer see everything.)",
    .about =
        "A mask adds minus infinity to the scores of keys that are not to be seen: their weights are 0. Papers and libraries count a "
        "window with the token itself or without it, which is one key more or less. A row that sees nothing has no weights to share: "
        "softmax would divide 0 by 0, and here gives zeros. ALiBi hides what a causal mask hides, and lets the others fade.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762; Beltagy et al. 2020, arXiv 2004.05150; Raffel et al. 2020, arXiv 1910.10683, figure 3; "
        "Press et al. 2022, arXiv 2108.12409; Jiang et al. 2023, arXiv 2310.06825",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_masks
