// Everything by a few letters: what is found, in which order, and what comes of it.
#include "app/gui/palette.h"

#include <algorithm>
#include <string>

#include "app/gui/study_search.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::palette_test {
namespace {

int score(std::string_view typed, std::string_view text) {
  const auto found = match({fold(text)}, words_typed(typed));
  return found ? found->score : 0;
}

TEST(IndexTest, EveryWordInAnyOrder) {
  EXPECT_TRUE(match({"export\u2026"}, words_typed("")));
  EXPECT_GT(score("exp", "Export\u2026"), 0);
  EXPECT_GT(score("numbers copy", "Copy the numbers"), 0);
  EXPECT_GT(score("\u590D\u5236", "\u590D\u5236\u6570\u5B57"), 0);
  EXPECT_EQ(score("copy zebra", "Copy the numbers"), 0);
}

TEST(IndexTest, LettersApartCountWithinOneWordOnly) {
  EXPECT_GT(score("wvlngth", "Wavelengths"), 0);
  EXPECT_EQ(score("ctn", "Copy the numbers"), 0);
  EXPECT_EQ(score("yarn", "LayerNorm and RMSNorm"), 0);
  EXPECT_EQ(score("vlngth", "Wavelengths"), 0) << "from its first letter on";
}

TEST(IndexTest, AWholeWordBeforeABeginningBeforeAMiddleBeforeLetters) {
  EXPECT_GT(score("base", "Least base"), score("base", "Basement"));
  EXPECT_GT(score("base", "Basement"), score("base", "Database"));
  EXPECT_GT(score("base", "Database"), score("bse", "Base"));
}

TEST(IndexTest, SmallWordsOfAQuestionDoNotCount) {
  EXPECT_EQ(words_typed("What is attention?"), std::vector<std::string>{"attention"});
  EXPECT_EQ(words_typed("what is"), (std::vector<std::string>{"what", "is"}));
}

TEST(IndexTest, SynonymsAreOfThingsThatExist) {
  for (const std::string_view id : ids_with_synonyms()) {
    const auto studies = study::studies();
    const bool study =
        std::any_of(studies.begin(), studies.end(), [&](const study::Study* s) { return s->id == id; });
    EXPECT_TRUE(study || find_action(id)) << id;
  }
}

TEST(PaletteTest, RecentlyUsedComesFirst) {
  const std::vector<PaletteEntry> entries{{.key = "a", .label = "Larger"},
                                          {.key = "b", .label = "Latest"},
                                          {.key = "c", .label = "Lag", .why_not = "not now"}};
  EXPECT_EQ(palette_rows(entries, "", {"b"}).front().entry->key, "b");
  EXPECT_EQ(palette_rows(entries, "la", {}).front().entry->key, "a");
  EXPECT_EQ(palette_rows(entries, "la", {}).back().entry->key, "c");
  EXPECT_EQ(palette_rows(entries, "la", {"b"}).front().entry->key, "b");
  EXPECT_TRUE(palette_rows(entries, "zebra", {}).empty());
}

/// The key of the first row.
std::string first(const std::vector<PaletteEntry>& entries, std::string_view typed,
                  const std::vector<std::string>& recent = {}) {
  const auto rows = palette_rows(entries, typed, recent);
  return rows.empty() ? std::string() : rows.front().entry->key;
}

// An action that writes over a file is not one letter away from one that asks.
TEST(PaletteTest, WhatIsCalledSoComesBeforeWhatWasUsedLately) {
  const std::vector<PaletteEntry> entries{
      {.key = "again", .label = "Export again, to the same file"},
      {.key = "export", .label = "Export\u2026"},
      {.key = "gpu", .label = "Compute on the graphics processor"},
      {.key = "cpu", .label = "Compute on the processor"},
      {.key = "scores", .label = "\u5206\u6570\u77E9\u9635", .also = "masks"},
      {.key = "masks", .label = "\u63A9\u7801", .also = "Masks", .called = "Masks"}};
  EXPECT_EQ(first(entries, "Export", {"again"}), "export");
  EXPECT_EQ(first(entries, "export\u2026", {"again"}), "export");
  EXPECT_EQ(first(entries, "export again", {"export"}), "again");
  EXPECT_EQ(first(entries, "Compute on the processor", {"gpu"}), "cpu");
  EXPECT_EQ(first(entries, "Compute", {"gpu"}), "cpu") << "both begin so: the shorter one";
  EXPECT_EQ(first(entries, "masks", {"scores"}), "masks");
  EXPECT_EQ(first(entries, "\u63A9\u7801", {"scores"}), "masks");
}

TEST(PaletteTest, WhatBeginsSoComesBeforeWhatHasItWithin) {
  const std::vector<PaletteEntry> entries{{.key = "within", .label = "All scores"},
                                          {.key = "long", .label = "Scores past the end"},
                                          {.key = "short", .label = "Scores"},
                                          {.key = "try", .label = "Score by hand", .sentence = true}};
  const auto rows = palette_rows(entries, "score", {"within", "try"});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].entry->key, "short");
  EXPECT_EQ(rows[1].entry->key, "long");
  EXPECT_EQ(rows[2].entry->key, "try") << "a sentence is no name, but has the whole word";
}

TEST(PaletteTest, StudiesThatBeginSoKeepTheirOrder) {
  const Indexed lesson{"softmax, a lesson of its own"}, tiles{"softmax by tiles"};
  const std::vector<PaletteEntry> entries{
      {.key = "lesson", .label = "Softmax, a lesson of its own", .index = &lesson},
      {.key = "tiles", .label = "Softmax by tiles", .index = &tiles},
      {.key = "action", .label = "Softmax of what is chosen in this long line"}};
  const auto rows = palette_rows(entries, "softmax", {});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].entry->key, "action");
  EXPECT_EQ(rows[1].entry->key, "lesson");
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

TEST_F(PaletteWindow, WhatPeopleTypeIsWhatTheyMean) {
  h.settle();
  h.app.gpu.asked = h.app.gpu.available = true;
  const std::pair<const char*, const char*> meant[]{{"softmax", "study:attention/softmax"},
                                                    {"what is attention", "study:attention/steps"},
                                                    {"yarn", "study:rope/scaling"},
                                                    {"reset", "action:defaults"},
                                                    {"gpu", "action:device-gpu"},
                                                    {"recipe", "action:copy-recipe"},
                                                    {"about", "action:about"},
                                                    {"tour", "action:first-minute"},
                                                    {"layernorm", "study:norm/compare"},
                                                    {"epsilon", "study:norm/eps"},
                                                    {"undo", "action:undo"},
                                                    {"qwen2.5", "preset:qwen2.5-7b-yarn-4x"},
                                                    {"preset yarn", "preset:qwen2.5-7b-yarn-4x"},
                                                    {"pdf", "action:export"},
                                                    {"Export", "action:export"},
                                                    {"compute on the processor", "action:device-cpu"},
                                                    {"Masks", "study:attention/masks"}};
  const std::vector<recipe::Preset> presets{
      {.name = "qwen2.5-7b-yarn-4x", .title = "Qwen2.5 7B, YaRN 4×", .values = {}}};
  for (const auto& [typed, key] : meant) {
    Reach reach{h.app, h.wishes};
    const auto entries = palette_entries(h.ui, h.frame.key_map, reach, presets);
    const auto rows = palette_rows(entries, typed, {});
    ASSERT_FALSE(rows.empty()) << typed;
    EXPECT_EQ(rows.front().entry->key, key) << typed;
  }
}

TEST_F(PaletteWindow, TheListFindsTheSameFirst) {
  for (const auto& [typed, id] :
       {std::pair{"softmax", "attention/softmax"}, std::pair{"yarn", "rope/scaling"},
        std::pair{"what is attention", "attention/steps"}}) {
    const auto hits = search_all(typed, language::Language::en);
    ASSERT_FALSE(hits.empty()) << typed;
    EXPECT_EQ(hits.front().study->id, id) << typed;
  }
}

TEST_F(PaletteWindow, EnterOnTheStudyThatIsOpenCloses) {
  h.app.start_with(study::find("rope/wavelengths"));
  h.settle();
  open();
  h.type("wavelengths");
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.app.study().id, "rope/wavelengths");
  EXPECT_FALSE(h.ui.items.find("palette-field"));
}

TEST_F(PaletteWindow, ArrowsChooseAndWhatCannotBeDoneStays) {
  h.settle();
  open();
  h.type("undo");
  h.key(Key::enter);  // nothing is left to undo: the palette stays, and says why
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
}  // namespace orrery::gui::palette_test
