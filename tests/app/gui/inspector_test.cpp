// The order of the inspector's sections, and their heads.
#include <algorithm>
#include <map>
#include <string>

#include "tests/app/gui/drawn.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::inspector_test {
namespace {

bool in_inspector(const std::string& name) {
  for (const char* mark : {"label:", "value:", "play:", "section:", "parameter:"})
    if (name.starts_with(mark)) return true;
  return false;
}

/// Top edges of all that stands in the inspector.
std::map<std::string, float> inspector_tops(const Harness& h) {
  std::map<std::string, float> tops;
  for (const auto& [name, box] : h.ui.items.all())
    if (in_inspector(name)) tops[name] = box.low.y;
  return tops;
}

TEST(InspectorTest, EveryStudyOpensWithAParameterInSight) {
  Harness h({1280, 800});
  int words_first = 0;
  for (const study::Study* s : study::studies()) {
    if (s->parameters.empty()) continue;
    h.app.open(*s);
    h.settle();
    h.frames(6);
    float foot = 800 - 28;
    for (const auto& [name, box] : h.ui.items.all())
      if (name.starts_with("to-section:")) foot = std::min(foot, box.low.y);
    const std::string name(s->parameters.front().name);
    const ItemBox first = h.item(h.ui.items.find("label:" + name) ? "label:" + name : "greyed:" + name);
    EXPECT_LE(first.low.y + 40, foot) << s->id;
    words_first += h.item("section:about").low.y < first.low.y;
    const auto tops = inspector_tops(h);
    h.frames(4);
    EXPECT_EQ(inspector_tops(h), tops) << s->id << ": the order goes to and fro";
  }
  EXPECT_GT(words_first, 10) << "words still come first where there is room";
}

TEST(InspectorTest, NothingChangesPlacesWhenSomethingIsTriedOut) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const auto words_first = [&](float height) {
    ImGui::GetIO().DisplaySize.y = height;
    h.frames(6);
    return h.item("section:about").low.y < h.item("section:parameters").low.y;
  };
  float height = 800;
  ASSERT_TRUE(words_first(height));
  while (height > 400 && words_first(height - 4)) height -= 4;
  ASSERT_GT(height, 400) << "in a low window the parameters come first";
  ASSERT_TRUE(words_first(height));
  h.click("try:1");  // it says what it changed: the words are higher now
  h.settle();
  h.item("try-changes");
  EXPECT_TRUE(words_first(height));
}

TEST(InspectorTest, TheTriangleOfASectionIsWhole) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const auto corners = [&](figure::Color ink) {
    const ItemBox head = h.item("section:about");
    return drawn({{head.low.x - 17, head.low.y}, {head.low.x - 3, head.high.y}}, color(ink)).corners;
  };
  h.move(h.item("section:about").centre());
  EXPECT_GE(corners(h.ui.tokens.secondary), 3) << "open";
  h.click("section:about");
  h.move({640, 400});
  h.frames(2);
  EXPECT_GE(corners(h.ui.tokens.faint), 3) << "folded";
}

}  // namespace
}  // namespace orrery::gui::inspector_test
