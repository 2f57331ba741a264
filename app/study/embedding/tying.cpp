// What it saves that one table serves as embedding and as map to the vocabulary: of two tables one, of a model little or much.
#include "app/study/kit.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/weights.h"

namespace orrery::study::embedding_tying {
namespace {

using model::Card;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(choice("model", "Model", carded, "whose two tables are compared with the whole",
                         {.model_fact = "name"}),
                  "gpt2"),
    choice("share", "Share of", "untied|published", "the model with two tables, or as it was published"),
    show_parameter("all|shares|tables"),
});

struct Tying {
  std::string name;
  bool tied = false;
  double table = 0;      ///< V D, the numbers of one table
  double published = 0;  ///< all parameters
  double untied() const { return tied ? published + table : published; }
  double share(bool of_untied) const { return 100 * table / (of_untied ? untied() : published); }
};

Tying tying_of(std::string_view name) {
  const Card card = published_card(name);
  const double narrow = number(card.embedding_width > 0 ? card.embedding_width : *card.width);
  return Tying{std::string(name), *card.tied, number(*card.vocabulary) * narrow, parameters_of(card).total};
}

/// In the order of their sizes.
std::vector<Tying> all_models() {
  std::vector<Tying> all;
  for (const std::string_view name : card_names()) all.push_back(tying_of(name));
  std::ranges::stable_sort(all, {}, &Tying::published);
  return all;
}

Table shares_of(const std::vector<Tying>& all) {
  Table shares{"models",
               {{.name = "model"},
                {.name = "parameters", .digits = 12},
                {.name = "one table", .digits = 12},
                {.name = "share of the untied model"},
                {.name = "share of the published model"},
                {.name = "tied"}}};
  for (const Tying& each : all)
    add_row(shares, model_title(each.name), each.published, each.table, each.share(true), each.share(false),
            each.tied);
  return shares;
}

/// Those that are tied, or those that are not, with gaps for the others.
Points points_of(const std::vector<Tying>& all, bool tied, bool of_untied) {
  Points points{.ink = tied ? series(0) : series(1),
                .radius = 2.6,
                .symbol = tied ? Symbol::disc : Symbol::ring,
                .label = tied ? "tied: saved" : "untied: not saved"};
  for (const Tying& each : all) {
    if (each.tied != tied) continue;
    points.x.push_back(each.published);
    points.y.push_back(each.share(of_untied));
  }
  return points;
}

Panel share_panel(const std::vector<Tying>& all, const Tying& here, bool of_untied) {
  Panel panel{.title = "One table's share of every model",
              .x = {.label = "parameters", .scale = Scale::log(10), .grid = true},
              .y = values("share / %"),
              .marks = {points_of(all, true, of_untied), points_of(all, false, of_untied)},
              .legend = LegendPlace::best};
  panel.marks.emplace_back(Points{.x = {here.published},
                                  .y = {here.share(of_untied)},
                                  .ink = ink(Role::accent),
                                  .radius = 4.5,
                                  .symbol = Symbol::ring,
                                  .symbol_by_series = false,
                                  .reading = {.none = true}});
  panel.marks.emplace_back(Annotation{.x = here.published,
                                      .y = here.share(of_untied),
                                      .text = std::string(model_title(here.name)),
                                      .ink = ink(Role::accent)});
  return panel;
}

figure::Shape stretch(double left, double right, double row, Ink fill, std::string label) {
  figure::Shape shape;
  shape.x = {left, right, right, left};
  shape.y = {row + 0.14, row + 0.14, row + 0.52, row + 0.52};
  shape.fill = fill;
  shape.label = std::move(label);
  return shape;
}

/// Embedding, layers and map, and the same with one table for both.
Panel table_panel(const Tying& here) {
  const double all = here.untied(), table = 100 * here.table / all;
  Panel panel{
      .title = std::string(model_title(here.name)) + ", with two tables and with one",
      .x = {.label = "share of the untied model / %", .range = Range{0, 100}},
      .y = {.range = Range{-0.35, 1.65}, .visible = false, .reversed = true},
      .marks = {stretch(0, table, 0, series(0), "embedding"),
                stretch(table, 100 - table, 0, ink(Role::faint), "all else"),
                stretch(100 - table, 100, 0, series(1), "map to the vocabulary"),
                stretch(0, table, 1, series(0), ""), stretch(table, 100 - table, 1, ink(Role::faint), "")},
      .legend = LegendPlace::above};
  const auto say = [&](double row, const std::string& text) {
    Note note{.x = 0, .y = row + 0.14, .text = text, .dy = -1, .size = 0.85};
    note.h = HAlign::left;
    note.v = VAlign::bottom;
    panel.marks.emplace_back(std::move(note));
  };
  say(0, "untied: " + grouped(all) + " parameters");
  say(1, "tied: " + grouped(all - here.table) + " parameters");
  return panel;
}

std::string title_text(const Tying& here, bool of_untied) {
  return std::string(model_title(here.name)) + (here.tied ? ": tying saves " : ": tying would save ") +
         grouped(here.table) + " parameters, " + rounded_text(here.share(of_untied), 3) + " % of the " +
         (of_untied ? "untied model" : "published model");
}

double total_when(Card card, bool tied) {
  card.tied = tied;
  return parameters_of(card).total;
}

std::vector<Check> checks_of(const std::vector<Tying>& all, const Tying& here) {
  const auto of = [&](std::string_view name) { return *std::ranges::find(all, name, &Tying::name); };
  std::vector<Check> checks;
  const Card card = published_card(here.name);
  if (card.stacks != model::Stacks::encoder)  // whose head for masked words is not among its weights
    checks.push_back({"all weights counted with two tables and with one differ by $V D$",
                      std::abs(total_when(card, false) - total_when(card, true) - here.table), 0});
  checks.push_back(known_answer("GPT-2: one table has 38\u2009597\u2009376 numbers",
                                std::abs(of("gpt2").table - 38597376), 0));
  checks.push_back(known_answer("Llama 3.1 8B: tying would save 6.54 %",
                                std::abs(of("llama-3.1-8b").share(true) - 6.54), 0.005));
  return checks;
}

std::string whole_text(double n) {
  return std::to_string(static_cast<std::int64_t>(n));
}

std::string worked_of(const Tying& here, bool of_untied) {
  const Card card = published_card(here.name);
  const Index narrow = card.embedding_width > 0 ? card.embedding_width : *card.width;
  return "V D = " + std::to_string(*card.vocabulary) + " \\cdot " + std::to_string(narrow) + " = " +
         whole_text(here.table) + " \\quad s = 100 \\cdot \\frac{" + whole_text(here.table) + "}{" +
         whole_text(of_untied ? here.untied() : here.published) + "} \\approx " +
         fixed_text(here.share(of_untied), 3);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const bool of_untied = settings.choice("share") == "untied";
  const std::vector<Tying> all = all_models();
  const Tying here = tying_of(settings.choice("model"));
  Table chosen{"chosen",
               {{.name = "one table", .digits = 12},
                {.name = "untied", .digits = 15},
                {.name = "published", .digits = 15},
                {.name = "share of the untied model"},
                {.name = "share of the published model"},
                {.name = "tied"}}};
  add_row(chosen, here.table, here.untied(), here.published, here.share(true), here.share(false), here.tied);
  Picture picture(
      title_text(here, of_untied),
      "Above, what one table of tokens is of each published model, over the model's size: discs are tied, rings are "
      "not. Below, the chosen model with two tables and with one.");
  picture.at({0, 0}, "shares", share_panel(all, here, of_untied));
  picture.at({1, 0}, "tables", table_panel(here));
  return {.figure = std::move(picture).figure(settings, {.aspect = 1.15, .rows = {1.6, 1}}),
          .tables = {shares_of(all), std::move(chosen)},
          .checks = checks_of(all, here),
          .worked = worked_of(here, of_untied)};
}

double share_now(const StudyResult& result) {
  return column(result, "chosen", "share of the untied model").front();
}

constexpr auto tries = std::to_array<Try>({
    {"LLaMA 7B has two tables: one less would save 1.9 %.", "model=llama-7b",
     [](auto& now, auto&) {
       return between(1.9, share_now(now), 1.95) && column(now, "chosen", "tied").front() == 0;
     }},
    {"Gemma 2B: a vocabulary of 256 000, and more than a sixth saved.", "model=gemma-2b",
     [](auto& now, auto&) {
       return share_now(now) > 100.0 / 6 && column(now, "chosen", "tied").front() == 1;
     }},
    {"GPT-2 as it was published: what is saved is 31 % of it.", "share=published",
     [](auto& now, auto&) {
       return between(30.5, column(now, "chosen", "share of the published model").front(), 31.5);
     }},
});

}  // namespace

extern const Study study{
    .id = "embedding/tying",
    .title = "Tied embeddings",
    .topic = "Embeddings and output",
    .summary = "what one table for embedding and output saves, of every model",
    .formula = R"(s = \frac{V D}{P_{\mathrm{untied}}}, \quad \mathrm{logits} = E\,h, \quad x = E_{t,:})",
    .derivation =
        "Both tables have a row of $D$ numbers for each of $V$ tokens: one says what a token means on its way in, the other what "
        "a state must look like for that token to come next.\nOne table for both saves $V D$ parameters: half of the two tables, "
        "whatever the model.\nThe layers grow with $L D^2$, the tables with $V D$ only: the share falls as models grow.\nTying saves a small model much and a large one little.",
    .about =
        "A model looks up a row for each token and ends by comparing its state with a row for each token. Where the two tables are "
        "one, that is half of the tables, and of the model the share that is drawn here. Of BERT and its kin it is the head for masked words that is tied.",
    .source = "Press, Wolf 2017, arXiv 1608.05859; the models' published configurations",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::embedding_tying
