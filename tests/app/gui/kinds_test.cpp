// Controls of a line of words and of a matrix: typed, dragged, refused, taken back, drawn by chance.
#include <string>

#include "app/gui/chance.h"
#include "app/study/kit/declare.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::kinds_test {
namespace {

constexpr auto parameters = std::to_array<parameter::Parameter>({
    study::text("sentence", "Sentence", "the cat sat", {1, 40}, "what is read, word by word"),
    study::matrix("weights", "Weights", "1,0;0,1;1,1", {-4, 4}, "rows that turn a vector", {.length = 2}),
});

study::StudyResult compute(const parameter::Settings& settings, const study::Run&) {
  const std::vector<double>& w = settings.matrix("weights").values;
  figure::Panel panel{.title = settings.text("sentence"), .marks = {figure::Line{.x = w, .y = w}}};
  return {{.title = "Words and numbers", .description = "A line.", .panels = {panel}}, {}, {}};
}

const study::Study every_kind{.id = "test/kinds",
                              .title = "Kinds",
                              .topic = "Tests",
                              .summary = "a text and a matrix",
                              .formula = "W",
                              .about = "For tests.",
                              .source = "none",
                              .parameters = parameters,
                              .tries = {},
                              .compute = compute};

struct KindsTest : testing::Test {
  KindsTest() {
    h.app.open(every_kind);
    h.settle();
    h.rest();
  }
  std::string now(std::string_view name) const { return h.app.settings().text(name); }
  Harness h;
};

TEST_F(KindsTest, ATextIsTypedInItsBox) {
  h.click("parameter:sentence");
  h.frames(2);
  h.item("field:sentence");
  h.type("a b; c");
  h.key(Key::enter);
  EXPECT_EQ(now("sentence"), "a b; c");
  h.settle();
  h.click("parameter:sentence", 1);  // back to the default
  EXPECT_EQ(now("sentence"), "the cat sat");
  h.key(Key::z, true);
  EXPECT_EQ(now("sentence"), "a b; c");
}

TEST_F(KindsTest, ATextThatIsTooLongIsRefusedBelow) {
  h.click("parameter:sentence");
  h.frames(2);
  h.type(std::string(41, 'a').c_str());
  h.key(Key::enter);
  EXPECT_EQ(now("sentence"), "the cat sat");
  EXPECT_FALSE(h.app.complaint(parameters[0]).empty());
  h.item("complaint:sentence");
}

TEST_F(KindsTest, AnEntryIsTypedByItselfAndAllTogether) {
  for (const char* entry : {"0", "1", "2", "3", "4", "5"}) h.item("parameter:weights:" + std::string(entry));
  const ImVec2 at = h.item("parameter:weights:3").centre(), above = h.item("parameter:weights:1").centre();
  EXPECT_GT(at.y, above.y);  // a row below
  EXPECT_EQ(at.x, above.x);
  h.press_at(at);
  h.press_at(at);
  h.frames(2);
  h.item("field:weights:3");
  h.type("1/4");
  h.key(Key::enter);
  EXPECT_EQ(now("weights"), "1,0;0,0.25;1,1");
  h.click("all:weights");
  h.frames(2);
  h.type("1,2");
  h.key(Key::enter);
  EXPECT_EQ(now("weights"), "1,2");
  EXPECT_FALSE(h.ui.items.find("parameter:weights:2"));
  h.key(Key::z, true);
  EXPECT_EQ(now("weights"), "1,0;0,0.25;1,1");
}

TEST_F(KindsTest, RowsOfDifferentLengthsAreRefusedBelow) {
  h.click("all:weights");
  h.frames(2);
  h.type("1,2;3");
  h.key(Key::enter);
  EXPECT_EQ(now("weights"), "1,0;0,1;1,1");
  h.item("complaint:weights");
}

TEST_F(KindsTest, AnEntryIsDragged) {
  const ImVec2 at = h.item("parameter:weights:0").centre();
  h.drag(at, {at.x + 40, at.y});
  EXPECT_NE(now("weights"), "1,0;0,1;1,1");
  EXPECT_EQ(h.app.settings().matrix("weights").rows, 3u);
  EXPECT_EQ(h.app.settings().matrix("weights").values[1], 0);
}

TEST_F(KindsTest, ChanceDrawsNumbersAndLeavesWordsAlone) {
  const parameter::Settings drawn = by_chance(h.app.settings(), {}, 3);
  EXPECT_EQ(drawn.text("sentence"), "the cat sat");
  EXPECT_NE(drawn.text("weights"), "1,0;0,1;1,1");
  EXPECT_EQ(drawn.matrix("weights").rows, 3u);
}

}  // namespace
}  // namespace orrery::gui::kinds_test
