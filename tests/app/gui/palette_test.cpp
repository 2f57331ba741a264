// Everything by a few letters: what is found, in which order, and what comes of it.
#include "app/gui/palette.h"

#include <algorithm>

#include "app/gui/fuzzy.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui {
namespace {

int score(std::string_view typed, std::string_view text) {
  const auto match = fuzzy_match(typed, text);
  EXPECT_TRUE(match) << typed << " in " << text;
  return match ? match->score : -1000;
}

TEST(FuzzyTest, WordsInAnyOrderLettersInTheirs) {
  EXPECT_TRUE(fuzzy_match("", "Export"));
  EXPECT_TRUE(fuzzy_match("exp", "Export\u2026"));
  EXPECT_TRUE(fuzzy_match("numbers copy", "Copy the numbers"));
  EXPECT_TRUE(fuzzy_match("ctn", "Copy the numbers"));
  EXPECT_TRUE(fuzzy_match("\u590D\u5236", "\u590D\u5236\u6570\u5B57"));
  EXPECT_FALSE(fuzzy_match("ntc", "Copy the numbers"));
  EXPECT_FALSE(fuzzy_match("copy zebra", "Copy the numbers"));
}

TEST(FuzzyTest, TheBeginningOfAWordIsMeantBeforeItsMiddle) {
  EXPECT_GT(score("base", "Base"), score("base", "Database"));
  EXPECT_GT(score("base", "Least base"), score("base", "Database"));
  EXPECT_GT(score("rot", "Rotation"), score("rot", "Rule of thumb"));
  EXPECT_GT(score("fit", "Fit the figure"), score("fit", "For infinite things"));
}

TEST(FuzzyTest, SaysWhichLettersWereMeant) {
  const auto match = fuzzy_match("ctn", "Copy the numbers");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->where, (std::vector<std::size_t>{0, 5, 9}));
}

TEST(PaletteTest, RecentlyUsedComesFirst) {
  const std::vector<PaletteEntry> entries{{.key = "a", .label = "Larger"},
                                          {.key = "b", .label = "Later"},
                                          {.key = "c", .label = "Lag", .why_not = "not now"}};
  EXPECT_EQ(palette_rows(entries, "", {"b"}).front().entry->key, "b");
  EXPECT_EQ(palette_rows(entries, "la", {}).front().entry->key, "a");
  EXPECT_EQ(palette_rows(entries, "la", {}).back().entry->key, "c");
  EXPECT_EQ(palette_rows(entries, "la", {"b"}).front().entry->key, "b");
  EXPECT_TRUE(palette_rows(entries, "zebra", {}).empty());
}

class PaletteWindow : public testing::Test {
 protected:
  void open() {
    h.key(Key::p, true);
    h.frames(3);
    h.item("palette-field");
  }
  Harness h{{1280, 800}};
};

TEST_F(PaletteWindow, OpensAStudy) {
  h.settle();
  open();
  h.type("wavelengths");
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.app.study().id, "rope/wavelengths");
  EXPECT_FALSE(h.ui.items.find("palette-field"));
}

TEST_F(PaletteWindow, DoesAnActionAndRemembersIt) {
  h.settle();
  open();
  h.type("light");
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.app.preferences.theme, "light");
  open();
  const ItemBox first = h.item("palette:action:theme-light");
  for (const auto& [name, box] : h.ui.items.all())
    EXPECT_TRUE(!name.starts_with("palette:") || box.low.y >= first.low.y) << name;
  h.key(Key::escape);
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("palette-field"));
}

TEST_F(PaletteWindow, GoesToAParameterAndWhatIsTypedThenIsItsValue) {
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  open();
  h.type("base\u2026");
  h.key(Key::enter);
  h.frames(4);
  EXPECT_EQ(h.ui.focus.at(), "parameter:base");
  h.type("4096");
  h.frames(3);
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().real("base"), 4096);
}

TEST_F(PaletteWindow, AppliesAPresetOfTheOpenStudy) {
  h.app.start_with(study::find("rope/rotation"));
  h.app.change_text("base", "777");
  h.settle();
  open();
  h.type("preset llama 3.1 8b");
  h.frames(2);
  const ItemBox first = h.item("palette:preset:llama-3.1-8b");
  for (const auto& [name, box] : h.ui.items.all())
    EXPECT_TRUE(!name.starts_with("palette:") || box.low.y >= first.low.y) << name;
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.app.settings().real("base"), 500000);
  EXPECT_FALSE(h.ui.items.find("palette-field"));
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.settings().real("base"), 777);

  // Another study offers its own, or none.
  h.app.open(study::find("activation/functions"));
  h.settle();
  open();
  h.type("preset");
  h.frames(2);
  for (const auto& [name, box] : h.ui.items.all()) EXPECT_FALSE(name.starts_with("palette:preset:")) << name;
}

TEST_F(PaletteWindow, ArrowsChooseAndWhatCannotBeDoneStays) {
  h.settle();
  open();
  h.type("undo");
  h.key(Key::enter);  // nothing was done yet: the palette stays, and says why
  h.item("palette-field");
  h.key(Key::escape);
  h.frames(2);
  open();
  h.type("la");
  h.key(Key::down);
  h.key(Key::down);
  h.key(Key::up);
  h.key(Key::page_down);
  h.frames(2);
  h.item("palette-field");
}

}  // namespace
}  // namespace orrery::gui
