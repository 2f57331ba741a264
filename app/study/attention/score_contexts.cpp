#include "app/study/attention/score_contexts.h"

#include "app/study/attention/score_panels.h"
#include "app/study/kit/words.h"

namespace orrery::study::attention_scores {
namespace {

double cosine(const auto& a, const auto& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0 ? a.dot(b) / lengths : 0;
}

Panel cosines_panel(std::string title, const Matrix& cosines, const Attention& a) {
  Heatmap map =
      heatmap(cosines, {.map = ColorMap::diverging, .range = Range{-1, 1}, .label = "cosine", .group = 1});
  map.decimals = 2;
  Panel panel = square_map_panel(std::move(title), std::move(map), "token", "token");
  for (Axis* axis : {&panel.x, &panel.y}) name_by_words(*axis, a);
  return panel;
}

}  // namespace

std::vector<Repeated> repeated_words(const Attention& a) {
  const std::vector<std::string>& words = a.content.words;
  std::vector<Repeated> all;
  for (std::size_t n = 1; n < words.size(); ++n)
    for (std::size_t m = n; m-- > 0;) {
      if (uncapitalised(words[m]) != uncapitalised(words[n])) continue;
      const auto first = static_cast<Index>(m), second = static_cast<Index>(n);
      all.push_back({.word = words[n],
                     .first = first,
                     .second = second,
                     .before = cosine(a.content.before.row(first), a.content.before.row(second)),
                     .after = cosine(a.outputs.row(first), a.outputs.row(second))});
      break;
    }
  return all;
}

std::optional<Table> contexts_table(const std::vector<Repeated>& all) {
  if (all.empty()) return {};
  Table table{"contexts",
              {{.name = "word", .typed = true},
               {.name = "first position"},
               {.name = "position"},
               {.name = "cosine before", .digits = 5},
               {.name = "cosine of outputs", .digits = 5}}};
  for (const Repeated& each : all)
    add_row(table, as_typed(each.word), each.first, each.second, each.before, each.after);
  return table;
}

std::string contexts_title(const std::vector<Repeated>& all, Index query, std::string otherwise) {
  if (all.empty()) return otherwise;
  const auto own = std::ranges::find_if(
      all, [&](const Repeated& each) { return each.first == query || each.second == query; });
  const Repeated& one = own == all.end() ? all.front() : *own;
  return "\u201C" + as_typed(one.word) + "\u201D at " + grouped(number(one.first)) + " and at " +
         grouped(number(one.second)) + " is one row before attention; the cosine of its outputs is " +
         short_text(one.after, 2);
}

figure::Figure contexts_figure(std::string title, const Attention& a) {
  Picture picture(
      std::move(title),
      "Cosines of all pairs of tokens, left of what stands at their places before attention, right of "
      "their outputs.");
  picture.at({0, 0}, "before attention", cosines_panel("Before attention", cosines_of(a.content.before), a))
      .at({0, 1}, "after attention", cosines_panel("After attention", cosines_of(a.outputs), a));
  return std::move(picture).whole({.aspect = 1.9, .rows = {1}, .cols = {1, 1}});
}

}  // namespace orrery::study::attention_scores
