#include "app/study/model/card_picture.h"

#include "app/study/kit.h"
#include "app/study/model/card_rows.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/cost.h"
#include "core/model/weights.h"

namespace orrery::study {
namespace {

using model::Part;

constexpr double bar_top = 0.1, bar_bottom = 0.5;  // below the words of its row

Note words_at(double x, double y, std::string text, Ink ink, double size = 1) {
  Note note{.x = x, .y = y, .text = std::move(text), .ink = ink};
  note.h = HAlign::left;
  note.size = size;
  return note;
}

std::string part_text(Part part) {
  std::string text(name(part));
  std::ranges::replace(text, '_', ' ');
  return text;
}

/// "GPT-2: 124 439 808 parameters", and how many of them a token meets where those are fewer.
std::string count_text(const TitledCard& titled) {
  const model::Parameters p = parameters_of(titled.card);
  const std::string total = titled.title + ": " + grouped(p.total) + " parameters";
  return p.active < p.total ? total + ", " + short_count(p.active) + " a token" : total;
}

figure::Shape rectangle(double left, double right, double row, Ink fill) {
  figure::Shape shape;
  shape.x = {left, right, right, left};
  shape.y = {row + bar_top, row + bar_top, row + bar_bottom, row + bar_bottom};
  shape.fill = fill;
  return shape;
}

/// Bytes as memory is counted.
std::string bytes_text(double n) {
  constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (n >= 1024 && unit + 1 < units.size()) n /= 1024, ++unit;
  return rounded_text(n, 4) + " " + units[unit];
}

/// The longest text, where the one that is asked for is longer.
CardRow longest_row(CardRow row, const model::Card& card, double length) {
  if (!warnings_at(card, length).empty()) row.value += " < " + grouped(length);
  return row;
}

std::vector<CardRow> rows_of(const model::Card& card, const FactsAsked& asked, bool some_too_short) {
  constexpr auto telling = std::to_array<std::string_view>({"layers", "width", "heads", "key and value heads",
                                                            "hidden width", "experts", "tied", "norm",
                                                            "its place", "positions", "activation", "bias"});
  std::vector<CardRow> rows;
  for (CardRow& row : card_rows(card))
    if (row.what == "longest text" && (asked.all || some_too_short))
      rows.push_back(longest_row(std::move(row), card, asked.length));
    else if (asked.all || std::ranges::find(telling, row.what) != telling.end())
      rows.push_back(std::move(row));
  const double kept = card.countable() ? asked.cache_bytes * cached_numbers_per_token(card) : 0;
  rows.push_back({"cache a token", !card.countable() ? "unknown" : kept > 0 ? bytes_text(kept) : "none"});
  return rows;
}

/// Texts in columns that begin at these places, a line for each row, and one of heads above them.
Panel text_table(const std::vector<double>& columns, const std::vector<std::string>& heads,
                 const std::vector<std::vector<std::string>>& rows, double size) {
  Panel panel{.x = {.range = Range{0, 1}, .visible = false},
              .y = {.range = Range{-number(std::ssize(rows)) - 0.5, 0.6}, .visible = false},
              .legend = LegendPlace::none};
  for (std::size_t c = 0; c < heads.size(); ++c)
    panel.marks.emplace_back(words_at(columns[c], 0, heads[c], ink(Role::accent), size));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      panel.marks.emplace_back(
          words_at(columns[c], -number(r + 1), rows[r][c], ink(c == 0 ? Role::secondary : Role::text), size));
  return panel;
}

/// Those that a lesson names, in the order of their years.
constexpr auto surveyed = std::to_array<std::string_view>({
    "transformer-base", "bert-base",    "gpt2",        "roberta-base", "t5-small", "gpt3",
    "palm-540b",        "gpt-neox-20b", "opt-6.7b",    "bloom",        "llama-7b", "mpt-7b",
    "falcon-7b",        "llama-2-70b",  "qwen-7b",     "mistral-7b",   "gemma-7b", "gemma-2-9b",
    "llama-3.1-8b",     "qwen2.5-7b",   "deepseek-v3", "gemma-3-1b",   "qwen3-8b", "gpt-oss-20b",
    "olmo-3-7b",
});

}  // namespace

Panel parts_panel(const std::vector<TitledCard>& cards) {
  std::vector<const TitledCard*> counted_cards;
  for (const TitledCard& each : cards)
    if (each.card.countable()) counted_cards.push_back(&each);
  const double rows = number(std::ssize(counted_cards));
  Panel panel{.title = "Parameters by part",
              .x = {.label = "share of the parameters / %", .range = Range{0, 100}},
              .y = {.range = Range{-0.4, std::max(rows, 1.0) - 0.4}, .visible = false, .reversed = true},
              .legend = LegendPlace::above};
  for (int i = 0; i < model::part_count; ++i) {
    const auto part = static_cast<Part>(i);
    bool named = false;
    for (std::size_t r = 0; r < counted_cards.size(); ++r) {
      const model::Parameters p = parameters_of(counted_cards[r]->card);
      double before = 0;
      for (int j = 0; j < i; ++j) before += p.of(static_cast<Part>(j));
      if (p.of(part) <= 0) continue;
      figure::Shape bar =
          rectangle(100 * before / p.total, 100 * (before + p.of(part)) / p.total, number(r), series(i));
      if (!named) bar.label = part_text(part);
      named = true;
      panel.marks.emplace_back(std::move(bar));
    }
  }
  for (std::size_t r = 0; r < counted_cards.size(); ++r) {
    Note note = words_at(0, number(r) + bar_top, count_text(*counted_cards[r]), ink(Role::text));
    note.v = VAlign::bottom;
    note.dy = -1;
    panel.marks.emplace_back(std::move(note));
  }
  return panel;
}

Panel facts_panel(const std::vector<TitledCard>& cards, const FactsAsked& asked) {
  const bool some_too_short = std::ranges::any_of(
      cards, [&](const TitledCard& each) { return !warnings_at(each.card, asked.length).empty(); });
  const double first = 0.27, wide = (1 - first) / number(std::max<std::size_t>(cards.size(), 1));
  std::vector<double> columns{0};
  std::vector<std::string> heads{""};
  std::vector<std::vector<std::string>> rows;
  for (const CardRow& row : rows_of(cards.front().card, asked, some_too_short)) rows.push_back({row.what});
  for (std::size_t c = 0; c < cards.size(); ++c) {
    columns.push_back(first + wide * number(c));
    heads.push_back(cards[c].title);
    const std::vector<CardRow> own = rows_of(cards[c].card, asked, some_too_short);
    for (std::size_t r = 0; r < own.size(); ++r)
      rows[r].push_back(cards.size() > 1 && !own[r].brief.empty() ? own[r].brief : own[r].value);
  }
  Panel panel = text_table(columns, heads, rows, 0.92);
  panel.title = "What they are made of";
  return panel;
}

Table survey_table() {
  Table table{"survey",
              {{.name = "model"},
               {.name = "norm"},
               {.name = "its place"},
               {.name = "positions"},
               {.name = "activation"}}};
  for (const std::string_view name : surveyed) {
    const model::Card card = published_card(name);
    add_row(table, model_title(name), norm_text(card), place_text(card), positions_text(card),
            family_text(card));
  }
  return table;
}

figure::Figure survey_figure() {
  const Table table = survey_table();
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows(table.columns.front().words.size());
  for (const Column& column : table.columns) {
    heads.push_back(column.name);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(column.words[r]);
  }
  Picture picture(
      "Which model uses which norm, positions and activation",
      "A table with a line for each of the models that made a difference, in the order in which they "
      "were published: its norm and where that stands, its positions, its activation.");
  picture.at({0, 0}, "survey", text_table({0, 0.245, 0.4, 0.625, 0.785}, heads, rows, 0.85));
  return std::move(picture).whole({.aspect = 0.95});
}

}  // namespace orrery::study
