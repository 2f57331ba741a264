// Export as a person uses it, without a display: what is written opens again, and what cannot be written is one line.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "app/export/export.h"
#include "app/gui/actions.h"
#include "tests/app/gui/export_fixture.h"

namespace orrery::gui::export_test {
namespace {

TEST_F(ExportTest, WhatWasExportedOpensAgainWithItsSettings) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.app.change_text("base", "777");
  h.settle();
  h.app.page.folder = folder.string();
  for (const char* ending : {"pdf", "svg", "png"}) {
    h.key(Key::s, true);
    h.frames(3);
    h.click(std::string("ending=") + ending);
    h.click("export-go");
    h.settle();
    EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
    const auto file = folder / (std::string("rope-rotation.") + ending);
    ASSERT_TRUE(std::filesystem::exists(file)) << h.app.notice().text;

    h.app.change_text("base", "10000");
    h.take(file);
    EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
    EXPECT_EQ(h.app.settings().real("base"), 777) << ending;
    h.settle();
  }
}

/// As a line for a terminal: what is on the screen, and not what was written last.
TEST_F(ExportTest, TheCommandIsOfWhatShows) {
  Harness h;
  std::string copied;
  ImGui::GetIO().ClipboardUserData = &copied;
  ImGui::GetIO().SetClipboardTextFn = [](void* to, const char* text) {
    *static_cast<std::string*>(to) = text;
  };
  h.app.start_with(study::find("rope/identify"));
  h.settle();
  h.app.page.ending = "webp";
  h.app.page.language = language::Language::zh;
  Reach reach{h.app, h.wishes};
  find_action("copy-command")->run(reach);
  EXPECT_TRUE(copied.ends_with(" -o rope-identify.pdf")) << copied;
  EXPECT_EQ(copied.find("--lang"), std::string::npos) << copied;
  EXPECT_EQ(copied.find("--animate"), std::string::npos) << copied;
}

TEST_F(ExportTest, EnterIsTheButtonFromAFieldToo) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  std::ofstream(folder / "rope-rotationx.pdf") << "old";
  h.key(Key::s, true);
  h.frames(3);
  h.click("name-field");
  h.type("x");
  h.key(Key::enter);  // there is one: it is asked
  h.settle();
  EXPECT_EQ(std::filesystem::file_size(folder / "rope-rotationx.pdf"), 3u);
  h.key(Key::enter);
  h.settle();
  EXPECT_GT(std::filesystem::file_size(folder / "rope-rotationx.pdf"), 1000u) << h.app.notice().text;
  EXPECT_FALSE(h.ui.items.find("export-go"));
}

TEST_F(ExportTest, AnEndingThatIsTypedIsTheFormat) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.key(Key::s, true);
  h.frames(3);
  h.click("name-field");
  h.type(".svg");
  h.frames(2);
  EXPECT_EQ(h.app.page.ending, "svg");
  h.key(Key::enter);
  h.settle();
  EXPECT_TRUE(std::filesystem::exists(folder / "rope-rotation.svg")) << h.app.notice().text;
}

/// It was one press, which the palette had: the dialog that it opened waits for another.
TEST_F(ExportTest, EnterThatIsHeldOpensTheDialogAndWritesNothing) {
  for (const auto& [enter, name] : {std::pair{Key::enter, "main"}, std::pair{Key::pad_enter, "pad"}}) {
    Harness h({1280, 800});
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
    h.app.page.folder = folder.string();
    h.app.page.name = name;
    const auto file = folder / (std::string(name) + ".pdf");
    h.key(Key::p, true);
    h.frames(3);
    h.type("export");
    h.hold({enter});
    h.settle();
    h.item("export-go");
    EXPECT_FALSE(std::filesystem::exists(file)) << name;
    h.key(enter);
    h.settle();
    EXPECT_TRUE(std::filesystem::exists(file)) << name << ": " << h.app.notice().text;
    EXPECT_FALSE(h.ui.items.find("export-go")) << name;
    // One that is held asks before it replaces.
    const auto written = std::filesystem::last_write_time(file);
    h.key(Key::s, true);
    h.frames(3);
    h.hold({enter});
    h.settle();
    h.item("export-go");
    EXPECT_EQ(std::filesystem::last_write_time(file), written) << name;
  }
}

TEST_F(ExportTest, EnterThatIsHeldOpensTheFoldersAndChoosesNone) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.key(Key::s, true);
  h.frames(3);
  h.ui.focus.set("browse:folder-field");
  h.frames(2);
  h.hold({Key::enter});
  h.settle();
  h.item("picker-path");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  h.key(Key::enter);
  h.settle();
  EXPECT_FALSE(h.ui.items.find("picker-path"));
  h.item("export-go");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the folder was chosen, and nothing more";
}

TEST_F(ExportTest, TheButtonsStayInTheSmallestWindow) {
  Harness h({640, 400});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.key(Key::s, true);
  for (const char* ending : {"pdf", "png", "webp"}) {
    h.frames(3);
    h.click(std::string("ending=") + ending);
    h.frames(5);
    EXPECT_LE(h.item("export-go").high.y, 400) << ending;
    EXPECT_GE(h.item("export-go").low.y, 200) << ending;
  }
  h.click("export-cancel");
}

TEST_F(ExportTest, ThePageIsSeenBeforeItIsWritten) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.key(Key::s, true);
  const auto seen = [&] {
    while (h.frames(2), h.app.thumbnails.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames(3);
    const ItemBox box = h.item("page-preview");
    return (box.high.x - box.low.x) / (box.high.y - box.low.y);
  };
  EXPECT_NEAR(seen(), 12.0 / 8, 0.02);
  h.click("size=slide");
  EXPECT_NEAR(seen(), 16.0 / 9, 0.02);
  h.click("export-cancel");
}

TEST_F(ExportTest, WhereNoResolutionWasChosenItIsThatOfTheCommandLine) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  EXPECT_EQ(h.app.recipe().dpi, 0);
  h.app.page.ending = "webp";
  EXPECT_EQ(dpi_of(h.app.page), render::usual_dpi(".webp"));
  h.app.page.ending = "png";
  EXPECT_EQ(dpi_of(h.app.page), render::usual_dpi(".png"));
}

TEST_F(ExportTest, FontGroundAndTitleTravelWithTheFigure) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "svg";
  h.app.page.transparent = h.app.page.title = true;
  h.app.page.own_title = "What turns";
  h.app.page.font = "DejaVu Sans";
  const ExportPage before = h.app.page;
  h.key(Key::s, true);
  h.frames(3);
  h.click("export-go");
  h.settle();
  h.app.page = {};
  h.take(folder / "rope-rotation.svg");
  EXPECT_TRUE(h.app.page.transparent && h.app.page.title);
  EXPECT_EQ(h.app.page.own_title, before.own_title);
  EXPECT_EQ(h.app.page.font, before.font);
}

TEST_F(ExportTest, TheFormatsStayUnderTheMouse) {
  Harness h({1600, 1000});
  h.settle();
  h.key(Key::s, true);
  h.frames(3);
  const float before = h.item("ending=csv").low.y;
  for (const char* ending : {"png", "csv", "pdf"}) {
    h.click(std::string("ending=") + ending);
    h.frames(3);
    EXPECT_EQ(h.item("ending=csv").low.y, before) << ending;
  }
  h.click("export-cancel");
}

TEST_F(ExportTest, NoLabelReachesIntoItsField) {
  for (const ImVec2 size : {ImVec2(1600, 1000), ImVec2(640, 480)}) {
    Harness h(size);
    h.settle();
    h.app.page.ending = "pdf";
    h.key(Key::s, true);
    h.frames(3);
    const float label = h.ui.faces.words.width("Font of formulas");
    const float left = h.item("export-names").low.x;  // where every row begins
    EXPECT_GT(h.item("page-math_font").low.x, left + label);
    EXPECT_EQ(h.item("page-math_font").low.x, h.item("folder-field").low.x);
    const float before = h.item("folder-field").low.x;
    h.click("ending=csv");
    h.frames(3);
    EXPECT_EQ(h.item("folder-field").low.x, before) << "nothing moves from one format to another";
    h.key(Key::escape);
  }
}

TEST_F(ExportTest, ASizeAndWhatItMeasuresHaveRoomBesideEachOther) {
  for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(640, 480)}) {
    Harness h(size);
    h.settle();
    h.app.page.ending = "pdf";
    h.key(Key::s, true);
    h.frames(3);
    for (const auto& [name, measure] :
         {std::pair("column", "8.5 \u00D7 6 cm"), std::pair("two-columns", "17.5 \u00D7 8 cm")}) {
      const ItemBox box = h.item("size=" + std::string(name));
      const float words = h.ui.faces.words.width(name), numbers = h.ui.faces.small_numbers.width(measure);
      EXPECT_GE(box.high.x - box.low.x, words + numbers + 28) << name << " at " << size.x;
    }
    EXPECT_GE(h.item("size=two-columns").low.x, h.item("size=column").high.x);
    EXPECT_LE(h.item("size=two-columns").high.x, h.item("size-field").high.x + 1);
    h.key(Key::escape);
  }
}

TEST_F(ExportTest, AFileThatIsNoRecipeBecomesOneLine) {
  Harness h;
  h.settle();
  const auto before = h.app.settings();
  for (const char* text : {"", "orrery = 1\nstudy = \"no/such\"\n", "%PDF-1.7 not really", "[[["}) {
    const auto file = folder / "bad.toml";
    std::ofstream(file) << text;
    h.take(file);
    EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
    EXPECT_EQ(h.app.notice().text.find('\n'), std::string::npos) << h.app.notice().text;
    EXPECT_TRUE(h.app.settings() == before);
  }
  h.take(folder / "not-there.pdf");
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
}

}  // namespace
}  // namespace orrery::gui::export_test
