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
                                                    {"pdf", "action:export"}};
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
}  // namespace orrery::gui::palette_test
