// What the panes do with many studies, long choices, expressions, files and mistakes.

#include <algorithm>
#include <fstream>
#include <string>

#include "app/gui/study_search.h"
#include "core/parameter/only_when.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::panels_test {
namespace {

using parameter::Kind;

/// The first study that declares a file, and that parameter.
std::pair<const study::Study*, const parameter::Parameter*> taker_of_a_file() {
  for (const study::Study* s : study::studies())
    for (const parameter::Parameter& p : s->parameters)
      if (p.kind == Kind::file) return {s, &p};
  return {};
}

TEST(SearchTest, FindsByNameWordParameterAndLetterOfAFormula) {
  const study::Study& rotation = study::find("rope/rotation");  // its formula holds \theta
  for (const char* typed :
       {"", "rot", "ROTATION", "rope/rot", "\u03B8", "theta", "Su 2021", "pairing", " base  turn "})
    EXPECT_TRUE(matches(rotation, typed)) << typed;
  for (const char* typed : {"zebra", "rotation zebra", "\u03C8"})
    EXPECT_FALSE(matches(rotation, typed)) << typed;
}

TEST(SearchTest, TheListShrinksAndEnterOpensTheFirstFound) {
  Harness h({1280, 800});
  h.settle();
  h.key(Key::f, true);
  h.frames(3);
  h.type("wavelengths");
  h.frames(3);
  EXPECT_FALSE(h.ui.items.find("study:rope/layout"));
  h.item("study:rope/wavelengths");
  h.key(Key::enter);
  ASSERT_NE(&h.app.study(), study::studies().front());
  EXPECT_TRUE(matches(h.app.study(), "wavelengths"));
}

TEST(StudyListTest, FollowsWhatIsOpened) {
  Harness h({1280, 800});
  const study::Study& last = *study::studies().back();
  h.app.open(last);
  h.settle();
  h.frames(3);
  const ItemBox row = h.item("study:" + std::string(last.id));
  EXPECT_GT(row.low.y, 40);
  EXPECT_LT(row.high.y, 800 - 28);  // above the status line
}

TEST(StudyListTest, NoSliverOfWhatIsOpenedIsEnough) {
  Harness h({1280, 500});
  for (const study::Study* s : study::studies()) {
    h.app.open(*s);
    h.frames(4);
    const ItemBox row = h.item("study:" + std::string(s->id));
    EXPECT_GE(row.low.y, h.item("search").high.y) << s->id;
    EXPECT_LE(row.high.y, 500 - 28) << s->id;
  }
}

TEST(ChoiceMenuTest, StaysWithinTheWindowWhateverItsLength) {
  Harness h({1280, 800});
  int menus = 0;
  for (const study::Study* s : study::studies()) {
    if (&h.app.study() != s) h.app.open(*s);
    h.settle();
    for (const parameter::Parameter& p : s->parameters) {
      const std::string item = "parameter:" + std::string(p.name);
      const auto box = h.ui.items.find(item);
      // Segments, scrolled away behind the headings at the foot, or not read now.
      if (p.kind != Kind::choice || !box || box->high.y > 610 || parameter::unmet(p, h.app.settings()))
        continue;
      ++menus;
      SCOPED_TRACE(s->id);
      h.click(item);
      h.frames(3);
      const std::string now = h.app.settings().choice(p.name);
      const ItemBox row = h.item(item + "=" + now);  // the chosen one is in sight
      EXPECT_GE(row.low.y, 0) << s->id << " " << p.name;
      EXPECT_LE(row.high.y, 800) << s->id << " " << p.name;
      h.press_at(row.centre());
      EXPECT_EQ(h.app.settings().choice(p.name), now);
    }
  }
  EXPECT_GT(menus, 3);
}

TEST(ParameterPanelTest, ExpressionsAreTyped) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("value:base");
  h.frames(2);
  h.type("2^16");
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().real("base"), 65536);
}

TEST(ParameterPanelTest, AMistakeStandsBelowItsParameterUntilItIsMended) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const float before = h.item("label:head_width").low.y;
  h.app.change_text("base", "2^");
  h.frames(2);
  const ItemBox said = h.item("complaint:base");
  EXPECT_GT(said.low.y, h.item("label:base").high.y);
  EXPECT_LE(said.high.y, h.item("label:head_width").low.y);
  EXPECT_GT(h.item("label:head_width").low.y, before);
  h.app.change_text("base", "2^10");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("complaint:base"));
  EXPECT_EQ(h.item("label:head_width").low.y, before);
}

TEST(FileParameterTest, WhatAFileSaysOfItsKeysIsSaidBelowTheFile) {
  const support::TemporaryFolder folder;
  const std::string file = (folder.path() / "config.json").string();
  // "length" is a parameter of the study, too: what the file's own is, is none of it.
  std::ofstream(file) << R"({"head_dim": 64, "rope_theta": -1, "length": "x"})";
  Harness h;
  const study::Study& s = study::find("rope/model");
  h.app.start_with(s);
  h.settle();
  h.app.change_text("config", file);
  h.settle();
  for (const parameter::Parameter& p : s.parameters) {
    const std::string said = english(h.app.complaint(p));
    EXPECT_EQ(said.substr(0, 14), p.name == "config" ? "rope_theta: -1" : "") << p.name << ": " << said;
  }
  EXPECT_TRUE(h.app.error().begins_with(Subject::Kind::file, file)) << english(h.app.error());
}

TEST(FileParameterTest, AMissingFileIsSaidInThePanel) {
  const auto [s, p] = taker_of_a_file();
  if (!s) GTEST_SKIP() << "no study takes a file";
  Harness h;
  h.app.start_with(*s);
  h.settle();
  const std::string missing = "/no/such/folder/" + std::string(90, 'x') + "/config.json";
  h.click("parameter:" + std::string(p->name));
  h.frames(2);
  h.type(missing.c_str());
  h.key(Key::enter);
  h.settle();
  EXPECT_EQ(h.app.settings().file(p->name), missing);
  EXPECT_NE(english(h.app.complaint(*p)), "");
  h.item("complaint:" + std::string(p->name));
  h.click("parameter:" + std::string(p->name), 1);  // back to none
  h.settle();
  EXPECT_EQ(english(h.app.complaint(*p)), "");
  EXPECT_EQ(english(h.app.error()), "");
}

TEST(FileParameterTest, ADroppedFileIsTheStudysOwnUnlessItCarriesARecipe) {
  const auto [s, p] = taker_of_a_file();
  if (!s) GTEST_SKIP() << "no study takes a file";
  Harness h;
  h.app.start_with(*s);
  const support::TemporaryFolder folder;
  const std::string file = (folder / "config.json").string();
  std::ofstream(file) << "{}";
  std::ofstream(folder / "figure.PDF") << "no figure";
  h.take(file);
  EXPECT_EQ(h.app.settings().file(p->name), file);
  h.take(folder / "figure.PDF");
  EXPECT_EQ(h.app.settings().file(p->name), file);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);  // no recipe is in it
}

TEST(ClipboardTest, TakesThePictureAndTheNumbersThatAreShown) {
  Harness h;
  static std::string taken;  // the clipboard of a window that has none
  ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { taken = text; };
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("menu-File");
  h.frames(3);
  h.click("menu:copy-pgf");
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  EXPECT_NE(taken.find("\\begin{tikzpicture}"), std::string::npos);
  EXPECT_NE(taken.find("\\end{tikzpicture}"), std::string::npos);

  h.click("menu-File");
  h.frames(3);
  h.click("menu:copy-numbers");
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  const figure::Table& table = h.app.result()->result.tables.front();
  EXPECT_EQ(static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n')),
            table.columns.front().values.size() + 1);
  EXPECT_TRUE(taken.starts_with(table.columns.front().name + "\t"));
  // Every digit of the last cell of the last row.
  const std::string last = parameter::shortest(table.columns.back().values.back());
  EXPECT_TRUE(taken.ends_with("\t" + last + "\n"));
}

TEST(NumbersTest, RowsWithNamesAreCopiedByName) {
  Harness h;
  static std::string taken;
  ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { taken = text; };
  h.app.start_with(study::find("model/card"));
  h.app.edit("Panes", {}, [](Document& d) { d.panes.folded = {"parameters", "about", "try", "checks"}; });
  h.settle();
  h.click("menu-File");
  h.frames(3);
  h.click("menu:copy-numbers");
  EXPECT_TRUE(taken.starts_with("model\tlayers\t")) << taken;
  EXPECT_NE(taken.find("\nLlama 3.1 8B\t32\t"), std::string::npos) << taken;
  h.click("enlarge-numbers");
  h.frames(3);
  const ItemBox body = h.item("numbers-large");
  h.rest();
  h.press_at({body.low.x + 5, body.low.y + 19 * 2.5f}, 1);  // the second row, on its name
  h.frames(3);
  h.click("menu:copy-cell");
  EXPECT_EQ(taken, "Llama 3.1 8B");
}

TEST(NumbersTest, ATableOpensLargeAndARowOfItIsCopied) {
  Harness h;
  static std::string taken;
  ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { taken = text; };
  h.app.start_with(study::find("rope/rotation"));
  h.app.edit("Panes", {}, [](Document& d) { d.panes.folded = {"parameters", "about", "try", "checks"}; });
  h.settle();
  h.click("enlarge-numbers");
  h.frames(3);
  const ItemBox body = h.item("numbers-large");
  EXPECT_GT(body.high.x - body.low.x, 900);
  EXPECT_GT(body.high.y - body.low.y, 500);
  h.rest();
  h.press_at({body.low.x + 5, body.low.y + 19 * 2.5f}, 1);  // the second row
  h.frames(3);
  h.click("menu:copy-row");
  const figure::Table& table = h.app.result()->result.tables.front();
  EXPECT_EQ(std::count(taken.begin(), taken.end(), '\n'), 2);
  EXPECT_NE(taken.find("\n1\t"), std::string::npos) << taken;
  EXPECT_TRUE(taken.ends_with("\t" + parameter::shortest(table.columns.back().values[1]) + "\n")) << taken;
}

TEST(FontsTest, WhatIsMissingIsSaidOnceInTheStatusLine) {
  static const figure::Theme theme = [] {
    figure::Theme changed = figure::dark_theme();
    changed.fonts.words = "No Such Face";
    return changed;
  }();
  Harness h;
  h.ui.set_theme(theme);
  h.app.update(0);
  ImGui::NewFrame();
  h.ui.begin_frame();
  h.frame.draw(h.app, h.ui, 0.001);
  ImGui::Render();
  EXPECT_NE(h.app.notice().text.find("No Such Face"), std::string::npos) << h.app.notice().text;
  h.app.hush();
  h.frames(3);
  EXPECT_EQ(h.app.notice().text, "");
}

TEST(SearchTest, APieceOfChineseHoldsWhatWasTyped) {
  const auto hits = search_all("相邻", language::Language::zh);
  std::size_t said = 0;
  for (const SearchHit& hit : hits)
    if (hit.found == Found::in_words && !hit.said.empty()) {
      ++said;
      EXPECT_NE(hit.said.find("相邻"), std::string::npos) << hit.study->id << ": " << hit.said;
    }
  EXPECT_GT(said, 0u);
}

}  // namespace
}  // namespace orrery::gui::panels_test
