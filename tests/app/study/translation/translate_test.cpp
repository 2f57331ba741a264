#include "app/study/translate.h"

#include <gtest/gtest.h>

#include "app/figure/texts.h"

namespace orrery::study::translate_test {
namespace {

using language::Language;

/// A text in every place that has one; `every()` of them.
StudyResult everything(int& count) {
  StudyResult result;
  int n = 0;
  const auto next = [&] {
    ++n;
    return std::to_string(n) + " of " + std::to_string(n) + " checks hold";
  };
  figure::Figure& f = result.figure;
  f.title = next();
  f.description = next();
  figure::Panel panel;
  panel.title = next();
  for (figure::Axis* axis : {&panel.x, &panel.y}) {
    axis->label = next();
    axis->names = {next(), next()};
  }
  panel.top = figure::SecondAxis{};
  panel.top->axis.label = next();
  panel.right = figure::SecondAxis{};
  panel.right->axis.names = {next()};
  figure::Handle handle;
  handle.hint = next();
  panel.handles = {handle};
  const auto mark = [&](auto made) {
    if constexpr (requires { made.label; }) made.label = next();
    if constexpr (requires { made.text; }) made.text = next();
    if constexpr (requires { made.colors.label; }) made.colors.label = next();
    if constexpr (requires { made.averaged; }) made.averaged = next();
    panel.marks.emplace_back(made);
  };
  mark(figure::Line{});
  mark(figure::Points{});
  mark(figure::Band{});
  mark(figure::Bars{});
  mark(figure::Rule{});
  mark(figure::Note{});
  mark(figure::Heatmap{});
  mark(figure::Stems{});
  mark(figure::ErrorBars{});
  mark(figure::Histogram{});
  mark(figure::Shape{});
  mark(figure::Arrows{});
  mark(figure::Arc{});
  mark(figure::Annotation{});
  mark(figure::Inset{});
  mark(figure::Contours{});
  EXPECT_EQ(panel.marks.size(), std::variant_size_v<figure::Mark>) << "a mark that this test does not know";
  f.panels = {panel};
  result.tables = {{"angles_by_pair", {{next(), next(), {1, 2}, 3}}}};
  result.checks = {{next(), 1, 2}};
  count = n;
  return result;
}

TEST(Translated, LeavesNoTextOut) {
  int count = 0;
  const StudyResult english = everything(count), said = translated(english, Language::zh);
  int seen = 0;
  each_text(said, [&](std::string_view text) {
    if (text == "angles by pair" || text == said.tables[0].name) return;
    ++seen;
    EXPECT_NE(text.find("项检验成立"), text.npos) << text;
  });
  EXPECT_EQ(seen, count);
}

TEST(Translated, KeepsTheNumbers) {
  int count = 0;
  const StudyResult english = everything(count), said = translated(english, Language::zh);
  EXPECT_EQ(said.tables[0].columns[0].values, english.tables[0].columns[0].values);
  EXPECT_EQ(said.tables[0].columns[0].digits, 3);
  EXPECT_EQ(said.checks[0].value, 1);
  EXPECT_EQ(said.checks[0].bound, 2);
}

TEST(Translated, EnglishStaysAsItIs) {
  int count = 0;
  const StudyResult english = everything(count), said = translated(english, Language::en);
  std::vector<std::string> before, after;
  each_text(english, [&](std::string_view text) { before.emplace_back(text); });
  each_text(said, [&](std::string_view text) { after.emplace_back(text); });
  EXPECT_EQ(before, after);
  EXPECT_EQ(said.tables[0].name, "angles by pair");
}

}  // namespace
}  // namespace orrery::study::translate_test
