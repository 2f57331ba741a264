// The legend under the mouse: what is hidden, shown alone, lifted, and stays so in the next figure.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/figure/reading.h"
#include "tests/app/gui/figure_fixture.h"

namespace orrery::gui::figure_legend_test {
namespace {

TEST_F(FigureTest, TheLegendHidesShowsAloneAndAll) {
  open("activation/functions");
  ASSERT_GE(scene().legend.size(), 3u);
  const std::pair<int, int> first{scene().legend[0].panel, scene().legend[0].mark},
      second{scene().legend[1].panel, scene().legend[1].mark};
  const auto& hidden = h.app.view().hidden;
  h.rest();
  h.press_at(entry(0));
  EXPECT_TRUE(hidden.contains(first));
  EXPECT_FALSE(hidden.contains(second));
  h.rest();
  h.press_at(entry(0));  // it is pale, and still there
  EXPECT_TRUE(hidden.empty());
  h.rest();
  compat::feed_modifiers(true, false);
  h.press_at(entry(1));
  EXPECT_FALSE(hidden.contains(second));
  EXPECT_TRUE(hidden.contains(first));
  h.rest();
  compat::feed_modifiers(true, true);
  h.press_at(entry(0));
  compat::feed_modifiers(false, false);
  EXPECT_TRUE(hidden.empty());
}

TEST_F(FigureTest, WhatSharesALegendIsHiddenWithIt) {
  open("activation/functions");
  const figure::Figure& figure = h.app.result()->result.figure;
  const std::string name =
      *figure::label_of(figure.panels[0].marks[static_cast<std::size_t>(scene().legend[0].mark)]);
  h.rest();
  h.press_at(entry(0));
  const std::vector<figure::Mark>& slopes = figure.panels[1].marks;
  for (std::size_t m = 0; m < slopes.size(); ++m) {
    const std::string* label = figure::label_of(slopes[m]);
    if (label && !label->empty()) {  // what has no words of its own goes with the curve that it stands on
      EXPECT_EQ(h.app.view().hidden.contains({1, static_cast<int>(m)}), *label == name) << *label;
    }
  }
}

TEST_F(FigureTest, WhatIsHiddenIsHiddenInTheNextFigureAndNoPanelIsLeftEmpty) {
  open("activation/functions");
  h.rest();
  compat::feed_modifiers(true, false);
  h.press_at(entry(2));  // SiLU alone
  compat::feed_modifiers(false, false);
  const auto hidden = h.app.view().hidden;
  EXPECT_TRUE(hidden.contains({0, 0}) && hidden.contains({0, 1}));
  h.app.change("relu", false);
  h.settle();
  EXPECT_TRUE(h.app.view().hidden.contains({0, 0})) << "GELU is the first now";
  EXPECT_FALSE(h.app.view().hidden.contains({0, 1}));
  h.app.undo();
  h.settle();
  EXPECT_EQ(h.app.view().hidden, hidden);
  h.app.change("silu", false);
  h.settle();
  EXPECT_TRUE(h.app.view().hidden.empty()) << "nothing else would be left";
}

TEST_F(FigureTest, APointedAtEntryLiftsItsSeries) {
  open("activation/functions");
  h.move({2, 2});
  const auto& marks =
      h.app.result()->result.figure.panels[static_cast<std::size_t>(scene().legend[1].panel)].marks;
  const auto& other = std::get<figure::Line>(marks[static_cast<std::size_t>(scene().legend[1].mark)]);
  const ImU32 ink = color(h.ui.theme->color(other.ink));
  const auto painted = [&] {  // in the full colour of the second entry's series
    const std::vector<ImDrawVert>& corners = h.no_textures.painted;
    return static_cast<int>(
        std::count_if(corners.begin(), corners.end(), [&](const ImDrawVert& v) { return v.col == ink; }));
  };
  const int before = painted();
  ASSERT_GT(before, 100);
  h.move(entry(1));
  EXPECT_GE(painted(), before);
  h.move(entry(0));
  h.frames();
  EXPECT_LT(painted(), before * 6 / 10);  // it stays in the other panel, and its own sample in the legend
  const int layouts = h.frame.figure().layouts();
  h.move({2, 2});
  EXPECT_EQ(h.frame.figure().layouts(), layouts) << "it is only painted otherwise";
}

}  // namespace
}  // namespace orrery::gui::figure_legend_test
