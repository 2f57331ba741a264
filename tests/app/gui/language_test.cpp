// The window in another language: switched while it is open, with the characters that it needs and no others.
#include <algorithm>

#include "app/gui/glyphs.h"
#include "app/gui/speech.h"
#include "app/language/characters.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::language_test {
namespace {

using language::Language;

bool has_ideographs(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80 && language::ideographic(language::first_character(text.substr(i))))
      return true;
  return false;
}

/// Labels of the figure that is shown.
int chinese_labels(const Harness& window) {
  const auto& all = window.frame.figure().scene().primitives;
  return static_cast<int>(std::count_if(all.begin(), all.end(), [](const figure::Primitive& primitive) {
    const auto* label = std::get_if<figure::Label>(&primitive);
    return label && has_ideographs(label->text);
  }));
}

class InChinese : public testing::Test {
 protected:
  void SetUp() override {
    if (!why_not_shown(Language::zh).empty()) GTEST_SKIP() << why_not_shown(Language::zh);
  }
};

TEST(Glyphs, AreAskedForOnce) {
  Glyphs glyphs;
  glyphs.ask("plain, \u03B8 \u2264 \u2026 \u00D7");
  EXPECT_FALSE(glyphs.fresh()) << "every face has these";
  glyphs.ask("\u4E2D\u6587, \u4E2D");
  EXPECT_TRUE(glyphs.fresh());
  EXPECT_EQ(glyphs.take_ranges(), (std::vector<ImWchar>{0x4E2D, 0x4E2D, 0x6587, 0x6587, 0}));
  EXPECT_FALSE(glyphs.fresh());
  glyphs.ask("\u4E2D");
  EXPECT_FALSE(glyphs.fresh());
  glyphs.ask("\u4E2E\u4E2F");
  EXPECT_EQ(glyphs.take_ranges(), (std::vector<ImWchar>{0x4E2D, 0x4E2F, 0x6587, 0x6587, 0}));
}

TEST(Glyphs, BeyondTheAtlasAreNotAskedFor) {
  Glyphs glyphs;
  glyphs.ask("\U0001D703");
  EXPECT_FALSE(glyphs.fresh()) << "characters of the atlas have 16 bits";
}

TEST(English, AsksForNoChinese) {
  Harness window;
  window.app.start_with(study::find("rope/rotation"));
  window.settle();
  EXPECT_TRUE(window.ui.glyphs.words.empty());
  EXPECT_TRUE(window.ui.glyphs.title.empty());
  EXPECT_EQ(chinese_labels(window), 0);
}

TEST_F(InChinese, TheWindowIsSwitchedWhileItIsOpen) {
  Harness window;
  window.app.start_with(study::find("rope/rotation"));
  window.settle();
  window.app.preferences.language = "zh";
  window.frames(3);
  EXPECT_EQ(window.ui.language, Language::zh);
  EXPECT_FALSE(window.ui.glyphs.fresh()) << "the faces have what is shown";
  EXPECT_NE(window.ui.faces.words.font->FindGlyphNoFallback(0x5BFC), nullptr);  // 导, of 导出
  EXPECT_NE(window.ui.faces.title.font->FindGlyphNoFallback(0x65CB), nullptr);  // 旋, of 旋转
  EXPECT_GT(chinese_labels(window), 0);
  window.app.preferences.language = "en";
  window.frames(3);
  EXPECT_EQ(window.ui.language, Language::en);
  EXPECT_EQ(chinese_labels(window), 0);
}

TEST_F(InChinese, WhatIsExportedSpeaksAsTheWindowDoesUntilAnotherIsChosen) {
  Harness window;
  window.app.start_with(study::find("rope/rotation"));
  window.settle();
  EXPECT_EQ(window.app.recipe().language, Language::en);
  window.app.preferences.language = "zh";
  window.frames(3);
  EXPECT_EQ(window.app.recipe().language, Language::zh);
  window.app.page.language = Language::en;
  window.frames(2);
  EXPECT_EQ(window.app.recipe().language, Language::en);
}

TEST_F(InChinese, EveryStudyIsShown) {
  Harness window;
  window.app.preferences.language = "zh";
  for (const study::Study* study : study::studies()) {
    window.app.open(*study);
    window.settle();
    SCOPED_TRACE(study->id);
    EXPECT_GT(chinese_labels(window), 0);
    EXPECT_TRUE(has_ideographs(window.ui.say(study->summary)));
    EXPECT_FALSE(window.ui.glyphs.fresh());
  }
}

TEST_F(InChinese, AnAskedCharacterStandsOnTheBaselineOfTheOthers) {
  Harness window;
  window.app.start_with(study::find("rope/rotation"));
  window.app.preferences.language = "zh";
  window.frames(3);
  for (const Face* face : {&window.ui.faces.words, &window.ui.faces.title}) {
    const ImFontGlyph *letter = face->font->FindGlyph('H'), *sign = face->font->FindGlyphNoFallback(0x65CB);
    ASSERT_NE(sign, nullptr);
    const float em = face->size;
    // An ideograph fills its em: a little above the capital, a little below the baseline.
    EXPECT_LT(sign->Y0, letter->Y0);
    EXPECT_GT(sign->Y1, letter->Y1);
    EXPECT_LT(sign->Y1 - letter->Y1, 0.2f * em);
    EXPECT_LT(letter->Y0 - sign->Y0, 0.2f * em);
  }
}

TEST(Language, AnUnknownOneOfASessionIsEnglish) {
  Harness window;
  window.app.start_with(study::find("rope/rotation"));
  window.app.preferences.language = "tlh";
  window.frames(2);
  EXPECT_EQ(window.ui.language, Language::en);
  EXPECT_EQ(window.app.preferences.language, "en");
}

}  // namespace
}  // namespace orrery::gui::language_test
