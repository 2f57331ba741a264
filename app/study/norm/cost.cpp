// What norms cost of a model: nearly nothing of its parameters and operations, and of what moves through memory much more.
#include "core/model/cost.h"
#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/norm_cost.h"
#include "core/model/weights.h"
#include "core/tensor/format.h"

namespace orrery::study::norm_cost {
namespace {

using model::Card;
using model::NormKind;
using model::Step;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(choice("model", "Model", carded, "whose norms are counted", {.model_fact = "name"}),
                  "llama-2-7b"),
    whole("tokens", "Tokens at once", "4096", {1, 1048576},
          "n: read together, all of one text; or written together, each the next one of a text of its own",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("length", "Length", "4096", {1, 1048576}, "of each text that is written on: what its cache holds",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice(
        "kernel", "Kernel", "fused|passes",
        "fused: a number goes in once and out once; passes: as a framework runs one operation after another"),
    choice("format", "Format", "bf16|f32", "of all that is stored, for the bytes of the table"),
    show_parameter("all|models|steps|numbers"),
});

/// The shares of a model in percent; `writing` is 0 of what is no decoder.
struct Shares {
  double parameters = 0, operations = 0, reading = 0, writing = 0;
};

double operations_of_the_rest(const Card& card, double length) {
  const model::Cost cost = cost_of(card, length);
  return card.stacks == model::Stacks::both ? cost.prefill + *cost.decode : cost.prefill;
}

bool writes(const Card& card) {
  return card.stacks == model::Stacks::decoder;
}

double share_moved(const Card& card, const Step& step) {
  const model::StepMoves moves = step_moves(card, step);
  return 100 * moves.norms / moves.all();
}

struct Asked {
  double tokens = 1, length = 1, bytes = 2;
  bool fused = true;

  Step reading() const { return {.tokens = tokens, .fused = fused}; }
  Step writing() const { return {.tokens = tokens, .writing = true, .length = length, .fused = fused}; }
};

Asked asked_of(const Settings& settings) {
  return {.tokens = number(settings.integer("tokens")),
          .length = number(settings.integer("length")),
          .bytes = number(tensor::info(tensor::format_from_name(settings.choice("format"))).bytes),
          .fused = settings.choice("kernel") == "fused"};
}

Shares shares_of(const Card& card, const Asked& asked) {
  const model::NormCount norms = norm_count(card);
  return {
      .parameters = 100 * norms.parameters / parameters_of(card).total,
      .operations = 100 * norms.operations / (norms.operations + operations_of_the_rest(card, asked.tokens)),
      .reading = share_moved(card, asked.reading()),
      .writing = writes(card) ? share_moved(card, asked.writing()) : 0};
}

// Tables.

Table models_table(const Asked& asked, const Run& run) {
  Table table{"models",
              {{.name = "model"},
               {.name = "parameters", .digits = 12},
               {.name = "of norms", .digits = 12},
               {.name = "parameters of norms", .unit = "%", .digits = 4},
               {.name = "operations", .unit = "%", .digits = 4},
               {.name = "moved in reading", .unit = "%", .digits = 4},
               {.name = "moved in writing", .unit = "%", .digits = 4}}};
  for (const std::string_view name : card_names()) {
    run.check();
    const Card card = published_card(name);
    const Shares shares = shares_of(card, asked);
    add_row(table, model_title(name), parameters_of(card).total, norm_count(card).parameters,
            shares.parameters, shares.operations, shares.reading, shares.writing);
  }
  return table;
}

/// The chosen model as it was published, and the same with either norm.
Table norms_table(const Card& card, const Asked& asked) {
  Table table{"norms",
              {{.name = "norm"},
               {.name = "operations a number"},
               {.name = "parameters of one norm", .digits = 9},
               {.name = "of all norms", .digits = 12},
               {.name = "operations a token", .digits = 12},
               {.name = "moved a token", .unit = "bytes", .digits = 12},
               {.name = "parameters of norms", .unit = "%"},
               {.name = "operations", .unit = "%"},
               {.name = "moved in reading", .unit = "%"},
               {.name = "moved in writing", .unit = "%"}}};
  const auto row = [&](const char* name, const Card& each) {
    const model::NormCount norms = norm_count(each);
    const Shares shares = shares_of(each, asked);
    add_row(table, name, norm_operations(each.norm), (*each.norm.bias ? 2 : 1) * number(*each.width),
            norms.parameters, norms.operations,
            asked.bytes * norm_moves(each.norm.kind, asked.fused) * norms.numbers, shares.parameters,
            shares.operations, shares.reading, shares.writing);
  };
  row("as published", card);
  row("LayerNorm", with_norm(card, NormKind::layer_norm));
  row("RMSNorm", with_norm(card, NormKind::rms_norm));
  return table;
}

/// From one token to a million: 2^0 … 2^20 in quarters.
Series steps_of(const Card& card, const Asked& asked) {
  std::vector<double> tokens;
  for (int quarter = 0; quarter <= 80; ++quarter) tokens.push_back(std::round(std::exp2(quarter / 4.0)));
  tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
  Series steps("steps", {"tokens", "", std::move(tokens)});
  const auto with = [&](bool writing) {
    return [&card, &asked, writing](double n) {
      Asked here = asked;
      here.tokens = n;
      return share_moved(card, writing ? here.writing() : here.reading());
    };
  };
  steps.add(Column{.name = "reading", .unit = "%"}, with(false));
  if (writes(card)) steps.add(Column{.name = "writing", .unit = "%"}, with(true));
  return steps;
}

// Panels.

Points points_of(const Table& models, std::size_t column, Ink color, Symbol symbol, const char* label) {
  Points points{.ink = color, .radius = 2.3, .symbol = symbol, .label = label, .symbol_by_series = false};
  for (std::size_t i = 0; i < models.columns[column].values.size(); ++i) {
    if (models.columns[column].values[i] <= 0) continue;
    points.x.push_back(models.columns[1].values[i]);
    points.y.push_back(models.columns[column].values[i]);
  }
  return points;
}

Panel models_panel(const Table& models, double chosen_size) {
  Panel panel{.title = "Every published model",
              .x = {.label = "parameters", .scale = Scale::log(10), .grid = true},
              .y = {.label = "share of the norms / %", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  panel.marks.emplace_back(figure::Rule{.at = chosen_size, .ink = ink(Role::accent), .dash = Dash::dotted});
  panel.marks.emplace_back(points_of(models, 5, series(0), Symbol::disc, "moved in reading"));
  panel.marks.emplace_back(points_of(models, 6, series(0), Symbol::ring, "moved in writing"));
  panel.marks.emplace_back(points_of(models, 3, series(1), Symbol::disc, "parameters of norms"));
  panel.marks.emplace_back(points_of(models, 4, series(2), Symbol::ring, "operations"));
  return panel;
}

/// A share that no step changes, in the colour that it has above.
Line constant(double share, int color, const char* label) {
  return {.x = {1, 1048576},
          .y = {share, share},
          .ink = series(color),
          .width = 0.9,
          .dash = Dash::dotted,
          .label = label,
          .dash_by_series = false};
}

Panel steps_panel(const Series& steps, const Shares& here, double tokens) {
  Panel panel{.title = "The chosen model, by tokens at once",
              .x = octaves("tokens at once"),
              .y = {.label = "share of the norms / %", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  panel.marks.emplace_back(
      steps.line("reading", {.ink = series(0), .label = "moved in reading", .dash_by_series = false}));
  if (std::ranges::find(steps.columns(), "writing", &Column::name) != steps.columns().end())
    panel.marks.emplace_back(steps.line(
        "writing",
        {.ink = series(0), .dash = Dash::dashed, .label = "moved in writing", .dash_by_series = false}));
  panel.marks.emplace_back(constant(here.parameters, 1, "parameters of norms"));
  panel.marks.emplace_back(constant(here.operations, 2, "operations"));
  add_handle(panel, tokens, here.reading, "tokens", "drag to read more tokens at once");
  return panel;
}

std::string percent(double share) {
  return short_text(share, 3) + " %";
}

Panel numbers_panel(const Table& norms, bool layer) {
  const auto cells = [&](std::size_t column, auto text) {
    return std::vector<std::string>{text(norms.columns[column].values[1]),
                                    text(norms.columns[column].values[2])};
  };
  const auto whole = [](double x) { return grouped(x); };
  return board_panel({.title = "The chosen model with either norm",
                      .columns = 2,
                      .marked = layer ? 0 : 1,
                      .cells_from = 0.48},
                     {{.cells = {"LayerNorm", "RMSNorm"}, .quiet = true},
                      {.name = "operations a number", .cells = cells(1, whole)},
                      {.name = "parameters of one norm", .cells = cells(2, whole)},
                      {.name = "of all norms", .cells = cells(3, whole)},
                      {.name = "share of parameters", .cells = cells(6, percent)},
                      {.name = "operations a token", .cells = cells(4, whole)},
                      {.name = "share of operations", .cells = cells(7, percent)},
                      {.name = "bytes moved a token", .cells = cells(5, whole)},
                      {.name = "share in reading", .cells = cells(8, percent)}});
}

// Checks and words.

bool without_norms_of_heads(const Card& card) {
  return card.norm.query_key == model::QueryKeyNorm::none;
}

std::vector<Check> checks_of(const Card& card, const Series& steps) {
  const auto parameters_of_norms = [](std::string_view name) {
    return norm_count(published_card(name)).parameters;
  };
  std::vector<Check> checks{
      known_answer("LLaMA 7B: 65 norms of 4096 gains", std::abs(parameters_of_norms("llama-7b") - 266240), 0),
      known_answer("GPT-2: 25 norms of 768 gains and shifts", std::abs(parameters_of_norms("gpt2") - 38400),
                   0)};
  const model::NormCount norms = norm_count(card);
  if (without_norms_of_heads(card))
    checks.push_back(
        {"the weights of norms are a gain, and where there is one a shift, for each number they see",
         std::abs(norms.parameters - (*card.norm.bias ? 2 : 1) * norms.numbers), 0});
  Worst fall;
  const std::vector<double>& reading = steps["reading"];
  for (std::size_t i = 1; i < reading.size(); ++i) fall.meet((reading[i - 1] - reading[i]) / reading[i]);
  // Sums of numbers below 2^53, rounded a few times each.
  checks.push_back(
      {"the more tokens are read at once, the larger the share of what norms move", fall, 1e-14});
  return checks;
}

std::string title_text(std::string_view name, const Shares& here, double tokens) {
  return std::string(model_title(name)) + ": norms are " + percent(here.parameters) + " of the parameters, " +
         percent(here.operations) + " of the operations, and " + percent(here.reading) +
         " of the bytes that move in reading " + amount(tokens, "token", "tokens");
}

/// How many norms of one width a model has: those of its own width first, then those of heads and short vectors.
struct NormsOfAWidth {
  Index width = 0, count = 0;
};

std::vector<NormsOfAWidth> norms_by_width(const Card& card) {
  std::vector<NormsOfAWidth> all{{*card.width, 0}};
  for (const model::Weight& weight : weights_of(card)) {
    if (weight.part != model::Part::norm) continue;
    auto same = std::ranges::find(all, weight.cols, &NormsOfAWidth::width);
    if (same == all.end()) same = all.insert(all.end(), {weight.cols, 0});
    same->count += weight.copies;
  }
  for (NormsOfAWidth& each : all)
    if (*card.norm.bias) each.count /= 2;  // a shift beside each gain
  return all;
}

std::string worked_of(const Card& card, const Shares& here) {
  std::vector<Term> products;
  for (const NormsOfAWidth& each : norms_by_width(card)) {
    if (each.count == 0) continue;
    const Term count = *card.norm.bias ? term(number(each.count)) * term(2) : term(number(each.count));
    products.push_back(count * term(number(each.width)));
  }
  const double parameters = norm_count(card).parameters;
  Worked worked;
  worked.add("P_{\\mathrm{norms}}", worked::sum(products), parameters);
  worked.add("s_P", term(100) * worked::frac(parameters, parameters_of(card).total), here.parameters);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings);
  const std::string name = settings.choice("model");
  const Card card = published_card(name);
  const Shares here = shares_of(card, asked);
  const Table models = models_table(asked, run), norms = norms_table(card, asked);
  const Series steps = steps_of(card, asked);
  Picture picture(
      title_text(name, here, asked.tokens),
      "Above, for every published model over its size, the norms' share of parameters, of operations, and of "
      "the numbers that move through memory. Below, the chosen model: that share by how many tokens are "
      "worked on at once, and what either norm would cost it.");
  picture.at({0, 0}, "models", models_panel(models, parameters_of(card).total));
  picture.at({1, 0}, "steps", steps_panel(steps, here, asked.tokens));
  picture.at({2, 0}, "numbers", numbers_panel(norms, card.norm.kind == NormKind::layer_norm));
  return {.figure = std::move(picture).figure(
              settings, {.aspect = 0.78, .rows = {1, 1, 1.2}, .telling = {"steps", "numbers", "models"}}),
          .tables = {norms, models, steps.table()},
          .checks = checks_of(card, steps),
          .worked = worked_of(card, here)};
}

double reading_now(const StudyResult& result) {
  return at(result, "norms", "moved in reading", "as published");
}

constexpr auto tries = std::to_array<Try>({
    {"GPT-2: LayerNorm has twice the parameters of RMSNorm, and still 0.031 % of the model.", "model=gpt2",
     [](auto& now, auto&) {
       return at(now, "norms", "of all norms", "LayerNorm") ==
                  2 * at(now, "norms", "of all norms", "RMSNorm") &&
              between(0.0305, at(now, "norms", "parameters of norms", "as published"), 0.0315);
     }},
    {"One token at a time: reading the weights hides the norms.", "tokens=1",
     [](auto& now, auto& before) { return 100 * reading_now(now) < reading_now(before); }},
    {"A chain of passes instead of one kernel: RMSNorm's share more than doubles.", "kernel=passes",
     [](auto& now, auto& before) { return reading_now(now) > 2 * reading_now(before); }},
    {"DeepSeek V3: 64 tokens meet most experts, so that their weights must all be read.",
     "model=deepseek-v3 tokens=64 show=steps",
     [](auto& now, auto&) { return reading_now(now) < 0.1 * column(now, "steps", "reading").back(); }},
});

}  // namespace

extern const Study study{
    .id = "norm/cost",
    .title = "What norms cost",
    .topic = "Normalisation",
    .summary = "the norms' share of parameters, of operations, and of what moves through memory",
    .formula =
        R"(P_{\mathrm{LayerNorm}} = 2 D, \quad P_{\mathrm{RMSNorm}} = D, \quad s = \frac{n\,m N + P}{n\,(m N + A) + W + P})",
    .derivation =
        "A norm has one gain for each of $D$ components, LayerNorm a shift too. Where a layer's matrices have some $12 D^2$ "
        "numbers, as in GPT-2 and LLaMA, its two norms are one in $6 D$ of its parameters, LayerNorms one in $3 D$; beside many "
        "experts they are far fewer.\nFor each component RMSNorm makes 4 operations, LayerNorm 7, and a matrix 2 for each of its "
        "numbers: of the operations of such a layer its norms are one in $3 D$ or in $1.7 D$, and scores make it "
        "less.\nThrough memory both carry each component in and out: there a matrix is hardly ahead.\nOne token at a time, the "
        "matrices themselves must be read, and hide that; many tokens share the reading of $W$, and the share "
        "of the norms rises to $m N / (m N + A)$.",
    .about =
        "Counted are gains and shifts; 4 operations a number for RMSNorm (square, sum, division, gain), 7 for LayerNorm (mean, "
        "difference, shift besides); and the numbers $n$ tokens move: weights $W$ once, of experts those that are chosen, for each token "
        "the input and output of every kernel, $m$ for each of $N$ normalised numbers and $A$ for all else. model/card counts the "
        "rest of the model; norm/speed measures what moving costs.",
    .source = "The models' published configurations; Ivanov et al. 2021, arXiv 2007.00072, on what moves",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_cost
