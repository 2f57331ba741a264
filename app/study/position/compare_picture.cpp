#include "app/study/position/compare_picture.h"

#include "app/study/rope/rules.h"

namespace orrery::study {
namespace {

/// Of scores of all keys, nearest first.
std::vector<double> within_of(const std::vector<double>& scores) {
  const double most = *std::ranges::max_element(scores);
  std::vector<double> sums;
  double total = 0;
  for (const double score : scores) sums.push_back(total += std::exp(score - most));
  for (double& each : sums) each /= total;
  return sums;
}

}  // namespace

Attention attention_of(const Run& run, const SchemeModel& model, Index query) {
  Attention attention{.query = query};
  for (const SchemeFacts& facts : scheme_facts()) {
    run.check();
    attention.scores.push_back(scheme_scores_behind(run, facts.scheme, model, query));
    attention.within.push_back(within_of(attention.scores.back()));
  }
  return attention;
}

double half_within(const std::vector<double>& within) {
  if (within.empty() || std::isnan(within.back())) return std::numeric_limits<double>::quiet_NaN();
  return number(std::ranges::lower_bound(within, 0.5) - within.begin());
}

Series within_series(std::string name, const Attention& attention, const std::vector<Index>& distances) {
  Series series(std::move(name), {"distance", "tokens", {distances.begin(), distances.end()}});
  for (const SchemeFacts& facts : scheme_facts()) {
    const std::vector<double>& all = attention.within[static_cast<std::size_t>(facts.scheme)];
    if (std::isnan(all.back())) continue;  // it has no row there
    series.add(std::string(facts.name), [&](double r) { return all[static_cast<std::size_t>(r)]; });
  }
  return series;
}

Panel within_panel(const SchemeFacts& facts, const SchemeModel& model, const Attention& inside,
                   const Series& inside_drawn, const Attention& whole, const Series& whole_drawn,
                   bool keyed) {
  const double end = number(whole.query);
  Panel panel{.title = std::string(facts.heading),
              .x = octaves("distance $m - n$", Range{1, end}),
              .y = values("weights within it", Range{0, 1}),
              .marks = trained_marks(number(model.trained), end, keyed ? "trained length" : ""),
              .legend = keyed ? LegendPlace::best : LegendPlace::none,
              .series_group = 1};
  panel.x.group = 1;
  panel.y.group = 2;
  figure::Mark edge = std::exchange(panel.marks.back(), quiet_level(0.5));
  const std::string name(facts.name);
  const auto add = [&](const Attention& attention, const Series& drawn, Ink ink, const char* role) {
    const std::vector<double>& within = attention.within[static_cast<std::size_t>(facts.scheme)];
    const double half = half_within(within);
    const bool grey = ink.role != Role::series;
    const std::string label = "$m$ = " + grouped(number(attention.query));
    if (std::isnan(half)) {
      panel.marks.push_back(
          Inset{.text = "no row past $L$", .ink = study::ink(Role::secondary), .frame = false});
      return;
    }
    panel.marks.push_back(drawn.line(name, {.ink = ink,
                                            .width = grey ? 0.9 : 1.2,
                                            .dash = grey ? Dash::dashed : Dash::solid,
                                            .label = keyed ? label : "",
                                            .dash_by_series = false,
                                            .reading = {.name = label, .role = role}}));
    if (half >= 1)  // else it lies left of the axis
      panel.marks.push_back(Points{.x = {half},
                                   .y = {within[static_cast<std::size_t>(half)]},
                                   .ink = ink,
                                   .radius = 2,
                                   .reading = {.name = "half of the weights"}});
  };
  add(inside, inside_drawn, ink(Role::secondary), "inside");
  add(whole, whole_drawn, series(0), "whole");
  const double octaves_past = std::log2(end / number(model.trained));
  if (keyed && octaves_past >= 2)  // else there is no room in it
    panel.marks.push_back(Note{.x = end,
                               .y = 0.1,
                               .text = "past $L$",
                               .ink = ink(Role::accent),
                               .h = HAlign::right,
                               .dx = -2,
                               .size = 0.9});
  panel.marks.push_back(std::move(edge));  // its words keep off those
  return panel;
}

namespace {

using WordsOfRow = std::array<std::string, 6>;

/// About how many letters wide: dollar signs are not set.
double letters(std::string_view text) {
  return number(std::ranges::count_if(
      text, [](char c) { return c != '$' && (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Where each column begins, and at last where the table ends: a column is worth its longest words and the gap behind them.
std::array<double, 7> columns_of(const std::vector<WordsOfRow>& rows) {
  constexpr double gap = 2;  // letters
  std::array<double, 7> ends{};
  for (std::size_t c = 0; c < 6; ++c) {
    double longest = 0;
    for (const WordsOfRow& row : rows) longest = std::max(longest, letters(row[c]));
    ends[c + 1] = ends[c] + longest + gap;
  }
  const double all = ends.back();
  for (double& end : ends) end /= all;
  return ends;
}

}  // namespace

figure::Figure words_figure(const SchemeModel& model) {
  constexpr Index last_bucket = 113;  // where T5's begins
  Panel panel{.x = {.range = Range{0, 1}, .visible = false},
              .y = {.range = Range{-0.6, 6.6}, .visible = false, .reversed = true},
              .legend = LegendPlace::none};
  std::vector<WordsOfRow> rows{{"scheme", "says", "enters", "learned", "kernel needs", "past $L$"}};
  for (const SchemeFacts& facts : scheme_facts()) {
    const std::string says = facts.scheme == Scheme::none ? "order"
                             : facts.relative             ? "relative"
                                                          : "absolute";
    std::string count = grouped(number(scheme_parameters(facts.scheme, model)));
    std::string beyond(facts.beyond);
    if (facts.scheme == Scheme::t5) {
      count += " a head";
      if (model.trained < last_bucket) beyond = "level from " + grouped(number(last_bucket));
    }
    rows.push_back(
        {std::string(facts.name), says, std::string(facts.enters), count, std::string(facts.kernel), beyond});
  }
  const std::array<double, 7> columns = columns_of(rows);
  constexpr double used = 0.97;  // of a column: the rest keeps the words of two apart on any page
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      panel.marks.push_back(Note{.x = columns[c],
                                 .y = number(r),
                                 .text = rows[r][c],
                                 .ink = ink(r == 0 ? Role::secondary : Role::text),
                                 .h = HAlign::left,
                                 .room = used * (columns[c + 1] - columns[c])});
  panel.marks.push_back(level(0.5, {.ink = ink(Role::axis), .width = 0.6, .dash = Dash::solid}));
  return {.title = "What each scheme is",
          .description =
              "A table of six schemes: absolute or relative, added or multiplied, learned parameters, "
              "what a kernel needs beside queries and keys, and what happens past the trained length.",
          .panels = {std::move(panel)},
          .aspect = 2.4};
}

}  // namespace orrery::study
