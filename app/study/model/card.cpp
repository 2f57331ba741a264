// What published models are made of, three side by side: their parts, their facts, what they cost.
#include "app/study/kit.h"
#include "app/study/model/card_picture.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "app/study/reading.h"
#include "core/model/cost.h"
#include "core/model/published_counts.h"
#include "core/model/weights.h"
#include "core/tensor/format.h"

namespace orrery::study::model_card {
namespace {

using model::Card;
using model::Part;
using model::Weight;

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(choice("model", "Model", carded, "a published model, unless a file is given",
                         {.only_when = "config=", .model_fact = "name"}),
                  "gpt2"),
    file("config", "config.json", "config.json|.json",
         "a configuration of your own, read instead of the published one"),
    with_fallback(choice("second", "Second model", none_or_carded, "one beside it"), "llama-3.1-8b"),
    with_fallback(choice("third", "Third model", none_or_carded, "one more"), "deepseek-v3"),
    whole("length", "Length", "4096", {1, 10485760}, "of the text that operations and cache are counted for",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice("cache", "Cache format", "bf16|f16|f32|f64", "of the numbers that are kept for each token"),
    show_parameter("all|parts|facts|survey"),
});

TitledCard published(const std::string& name) {
  return {std::string(model_title(name)), published_card(name)};
}

TitledCard first_card(const Settings& settings, const Run& run) {
  const std::string& path = settings.file("config");
  if (path.empty()) return published(settings.choice("model"));
  Card card = read_patiently(run.stop, path, [path] { return model::read_card(path); });
  return {"your file", std::move(card)};
}

std::vector<TitledCard> chosen(const Settings& settings, const Run& run) {
  std::vector<TitledCard> cards{first_card(settings, run)};
  for (const char* name : {"second", "third"})
    if (settings.choice(name) != "none") cards.push_back(published(settings.choice(name)));
  return cards;
}

double cache_bytes(const Settings& settings) {
  return tensor::info(tensor::format_from_name(settings.choice("cache"))).bytes;
}

// Tables: a row for each card; 0 where nobody says.

double size_of(const std::optional<Index>& size) {
  return size ? number(*size) : 0;
}

Table facts_table(const std::vector<TitledCard>& cards) {
  Table table{"facts",
              {{.name = "model"},
               {.name = "layers"},
               {.name = "encoder layers"},
               {.name = "width"},
               {.name = "heads"},
               {.name = "key and value heads"},
               {.name = "head width"},
               {.name = "hidden width"},
               {.name = "vocabulary"},
               {.name = "experts"},
               {.name = "chosen experts"},
               {.name = "epsilon"}}};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card& card = cards[i].card;
    add_row(table, Called{cards[i].title, number(i + 1)},
            card.layers.empty() ? size_of({}) : number(card.depth()), card.encoder_layers,
            size_of(card.width), size_of(card.heads), size_of(card.kv_heads), size_of(card.head_width),
            size_of(card.hidden_width), size_of(card.vocabulary), card.experts.total, card.experts.active,
            card.norm.eps.value_or(0.0));
  }
  return table;
}

Table parameter_table(const std::vector<TitledCard>& cards) {
  Table table{
      "parameters",
      {{.name = "model"}, {.name = "total", .digits = 15}, {.name = "that a token meets", .digits = 15}}};
  for (int i = 0; i < model::part_count; ++i) {
    std::string words(name(static_cast<Part>(i)));
    std::ranges::replace(words, '_', ' ');
    table.columns.push_back({.name = std::move(words), .digits = 15});
  }
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (!cards[i].card.countable()) continue;
    const model::Parameters p = parameters_of(cards[i].card);
    add_row(table, Called{cards[i].title, number(i + 1)}, p.total, p.active, p.parts[0], p.parts[1],
            p.parts[2], p.parts[3], p.parts[4], p.parts[5]);
  }
  return table;
}

Table cost_table(const std::vector<TitledCard>& cards, double length, double bytes) {
  Table table{"cost",
              {{.name = "model"},
               {.name = "operations a token, reading", .digits = 9},
               {.name = "operations a token, writing", .digits = 9},
               {.name = "cache a token", .unit = "bytes", .digits = 12},
               {.name = "cache of the text", .unit = "bytes", .digits = 15}}};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card& card = cards[i].card;
    if (!card.countable()) continue;
    const model::Cost cost = cost_of(card, length);
    add_row(table, Called{cards[i].title, number(i + 1)}, cost.prefill, cost.decode.value_or(0.0),
            bytes * cached_numbers_per_token(card), bytes * cached_numbers(card, length));
  }
  return table;
}

// Checks.

/// How far counts are off those published: of files exactly, of rounded ones relatively.
void published_checks(const std::vector<TitledCard>& cards, std::vector<Check>& checks) {
  Worst exactly, roughly;
  bool exact = false, rounded = false;
  for (const TitledCard& each : cards) {
    const model::PublishedCount* found = model::published_count(each.card.name);
    if (found == nullptr) continue;
    const double off = std::abs(parameters_of(each.card).total - found->count);
    (found->exact ? exact : rounded) = true;
    found->exact ? exactly.meet(off) : roughly.meet(off / found->count);
  }
  if (exact) checks.push_back(known_answer("as many parameters as the published files have", exactly, 0));
  if (rounded) checks.push_back({"within 0.5 % of the rounded count that was published", roughly, 0.005});
}

/// Whether the closed formula of the textbooks is meant for it.
bool plain(const Card& card) {
  return card.stacks == model::Stacks::decoder && !card.latent && card.experts.total == 0 &&
         card.embedding_width == 0;
}

/// 2 V D or V D, and in each of L layers queries, keys, values, output and the two or three matrices behind them.
double textbook_matrices(const Card& card) {
  const double width = number(*card.width), head = number(*card.head_width);
  const double attention = 2 * width * head * number(*card.heads + *card.kv_heads);
  const double feed_forward = (*card.gated ? 3 : 2) * width * number(*card.hidden_width);
  return (*card.tied ? 1 : 2) * number(*card.vocabulary) * width +
         number(card.depth()) * (attention + feed_forward);
}

double counted_matrices(const Card& card) {
  double sum = 0;
  for (const Weight& w : weights_of(card))
    if (!w.shared && w.rows > 1 && w.name != "positions") sum += w.size() * number(w.copies);
  return sum;
}

/// What the matrices of keys and values give, which is what is kept.
double given_to_cache(const Card& card) {
  double numbers = 0;
  for (const Weight& w : weights_of(card))
    if (w.rows > 1 && w.passed == model::Passed::by_token &&
        (w.name == "key" || w.name == "value" || w.name == "key and value, down"))
      numbers += number(w.rows) * number(w.copies);
  return numbers;
}

std::vector<Check> checks_of(const std::vector<TitledCard>& cards, double length, bool own_file) {
  std::vector<Check> checks;
  if (!own_file) published_checks(cards, checks);  // else it would seem to speak of the file
  Worst parts, matrices, cache, scores;
  // As they are tabled: the total is added up of the same weights, and of its own parts it could not be less.
  const Table tabled = parameter_table(cards);
  for (std::size_t row = 0; row < tabled.columns[1].values.size(); ++row) {
    double sum = 0;
    for (std::size_t part = 3; part < tabled.columns.size(); ++part) sum += tabled.columns[part].values[row];
    parts.meet(std::abs(sum - tabled.columns[1].values[row]));
  }
  bool some = false, ordinary = false, cached = false, causal = false;
  for (const auto& [title, card] : cards) {
    if (!card.countable()) continue;
    some = true;
    if (plain(card))
      ordinary = true, matrices.meet(std::abs(counted_matrices(card) - textbook_matrices(card)));
    if (card.stacks == model::Stacks::decoder)
      cached = true, cache.meet(std::abs(given_to_cache(card) - cached_numbers_per_token(card)));
    const bool far = std::ranges::none_of(card.layers, [](const auto& layer) { return layer.window > 0; });
    if (card.stacks == model::Stacks::decoder && !card.latent && far) {
      const model::Cost cost = cost_of(card, length);
      causal = true;
      scores.meet(std::abs(2 * cost.prefill_attention / cost.decode_attention - (length + 1) / length));
    }
  }
  if (some) checks.push_back({"the parts are all of it", parts, 0});
  if (cached)
    checks.push_back({"a token leaves in the cache what the matrices of keys and values give", cache, 0});
  if (ordinary)
    checks.push_back(
        {"the matrices are $V D + L (2 D d (H + H_{kv}) + 3 D F)$, untied $2 V D$, not gated $2 D F$",
         matrices, 0});
  // Two roundings of a quotient that is 2 at most.
  if (causal)
    checks.push_back(
        {"reading costs half the scores that the last token costs, $(N + 1)/2N$ of them", scores, 1e-14});
  return checks;
}

// Words.

/// "GPT-2, Llama 3.1 8B"
std::string title_text(const std::vector<TitledCard>& cards) {
  const Card& first = cards.front().card;
  if (!first.countable()) return "The file does not say all that counting needs";
  const std::string& title = cards.front().title;
  if (cards.size() == 1) return title + ": " + grouped(parameters_of(first).total) + " parameters";
  const std::string more = cards.size() > 2 ? title + ", " + cards[1].title : title;
  return "What " + more + " and " + cards.back().title + " are made of";
}

/// "12 \cdot 768 \cdot 768": a factor of 1 is not said.
std::string product_of(const Weight& w) {
  std::string text;
  for (const Index factor : {w.copies, w.rows, w.cols})
    if (factor != 1) text += (text.empty() ? "" : " \\cdot ") + std::to_string(factor);
  return text.empty() ? "1" : text;
}

std::string whole_text(double n) {
  return std::to_string(static_cast<std::int64_t>(n));
}

/// Attention as the matrices that it is made of, and all of it as its parts.
std::string worked_of(const Card& card) {
  if (!card.countable()) return "";
  const model::Parameters p = parameters_of(card);
  if (p.total > 9e15) return "";
  std::string products, parts;
  for (const Weight& w : weights_of(card))
    if (w.part == Part::attention) products += (products.empty() ? "" : " + ") + product_of(w);
  for (const double part : p.parts)
    if (part > 0) parts += (parts.empty() ? "" : " + ") + whole_text(part);
  return "P_{\\mathrm{attention}} = " + products + " = " + whole_text(p.of(Part::attention)) +
         " \\quad P = " + parts + " = " + whole_text(p.total);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<TitledCard> cards = chosen(settings, run);
  const double length = number(settings.integer("length")), bytes = cache_bytes(settings);
  Picture picture(
      title_text(cards),
      "Above, a bar for each model, divided into the shares of its parameters: embedding, attention, "
      "feed-forward, norms, head. Below, a table of what each is made of.");
  picture.at({0, 0}, "parts", parts_panel(cards));
  picture.at({1, 0}, "facts", facts_panel(cards, {bytes, length, settings.choice("show") == "facts"}));
  picture.instead("survey", survey_figure);
  std::vector<Table> tables{facts_table(cards), parameter_table(cards), cost_table(cards, length, bytes)};
  if (settings.choice("show") == "survey") tables.insert(tables.begin(), survey_table());
  return {.figure = std::move(picture).figure(
              settings,
              {.aspect = 1.05, .rows = {0.5 + 0.42 * number(std::ssize(cards)), 3.1}, .aspect_alone = 1.2}),
          .tables = std::move(tables),
          .checks = checks_of(cards, length, !settings.file("config").empty()),
          .worked = worked_of(cards.front().card)};
}

constexpr auto tries = std::to_array<Try>({
    {"LLaMA 7B beside Llama 3.1 8B: a quarter of the heads for keys and values, a quarter of the cache.",
     "model=llama-7b second=llama-3.1-8b third=none",
     [](auto& now, auto&) {
       return at(now, "facts", "key and value heads", 1) == 4 * at(now, "facts", "key and value heads", 2) &&
              at(now, "cost", "cache a token", 1) == 4 * at(now, "cost", "cache a token", 2);
     }},
    {"DeepSeek V3 has 84 times the parameters of Llama 3.1 8B, and about half its cache.",
     "model=llama-3.1-8b second=deepseek-v3 third=none",
     [](auto& now, auto&) {
       const double times = at(now, "parameters", "total", 2) / at(now, "parameters", "total", 1),
                    kept = at(now, "cost", "cache a token", 2) / at(now, "cost", "cache a token", 1);
       return between(83.5, times, 84.5) && between(0.5, kept, 0.56);
     }},
    {"Gemma 3 1B: 30 % of it is one table of tokens.", "model=gemma-3-1b second=none third=none",
     [](auto& now, auto&) {
       return between(0.295, at(now, "parameters", "embedding", 1) / at(now, "parameters", "total", 1),
                      0.305);
     }},
    {"Which model uses which norm, positions and activation: all of them in one table.", "show=survey",
     [](auto& now, auto&) {
       const auto& norms = now.tables.front().columns.at(1).words;
       return now.figure.panels.size() == 1 && std::ranges::count(norms, "RMSNorm") > 10 &&
              std::ranges::count(norms, "LayerNorm") > 5;
     }},
});

}  // namespace

extern const Study study{
    .id = "model/card",
    .title = "Model cards",
    .topic = "Models",
    .summary = "what published models are made of, their parameters, operations and cache",
    .formula = R"(P = V D + L\,(2 D d\,(H + H_{kv}) + 3 D F) + \ldots)",
    .about =
        "What a config.json says, or a paper where there is none: norm and its place, positions, activation, heads, "
        "experts, sizes. Every weight is counted from that. Operations are two for each multiplication and addition "
        "of the matrix products. What neither the file nor its class says is unknown; layers that see a band of unknown width count as if they saw "
        "the whole text.",
    .source =
        "The models' published configurations; Hugging Face transformers 4.57; Vaswani et al. 2017, Brown et al. 2020, "
        "Chowdhery et al. 2022",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::model_card
