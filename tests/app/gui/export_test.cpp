// Export as a person uses it, without a display: what is written opens again, and what cannot be written is one line.
#include <filesystem>
#include <fstream>
#include <set>

#include "app/export/export.h"
#include "app/gui/actions.h"
#include "app/gui/typed_path.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::export_test {
namespace {

class ExportTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  /// The dialog, asking for a small one.
  void open_for_an_animation(Harness& h, int frames) const {
    h.app.page.folder = folder.string();
    h.app.page.size = "column";
    h.app.page.dpi = 40;
    h.app.page.frames = frames;
    h.key(Key::s, true);
    h.frames(3);
    h.click("ending=webp");
    h.frames(2);
  }
  /// What the dialog would, without it.
  static void write_shown(const Harness& h) {
    const recipe::Outcome& outcome = *h.app.result();
    write_export(recipe_of(h.app.page, outcome, h.app.view()), outcome,
                 export_target(h.app.page, *outcome.study));
  }
};

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

TEST_F(ExportTest, AFolderOfNoNameIsWhereTheProgramWasStarted) {
  EXPECT_EQ(whole_path(""), std::filesystem::current_path());
  EXPECT_EQ(whole_path("/a/../b"), "/b");
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder.clear();
  EXPECT_EQ(export_target(h.app.page, h.app.study()).parent_path(), std::filesystem::current_path());
  h.key(Key::s, true);
  h.frames(5);
  EXPECT_TRUE(h.ui.items.find("export-go"));
  EXPECT_EQ(h.app.notice().text, "");
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

TEST_F(ExportTest, NumbersAreWrittenAndAFolderThatIsNotThereIsMadeAndSaidBefore) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "csv";
  write_shown(h);
  for (const auto& file : export_targets(h.app.page, *h.app.result()))
    EXPECT_TRUE(std::filesystem::exists(file)) << file;

  h.app.page.folder = (folder / "missing" / "deep").string();
  h.app.page.ending = "pdf";
  h.key(Key::s, true);
  h.frames(3);
  h.item("export-makes-folder");
  h.click("export-go");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  EXPECT_TRUE(std::filesystem::exists(folder / "missing" / "deep" / "rope-rotation.pdf"));
}

TEST_F(ExportTest, WhatIsRefusedStaysInItsDialogAndIsNobodysDefault) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  std::ofstream(folder / "file") << "in the way";
  h.key(Key::s, true);
  h.frames(3);
  // A size is checked as it is typed, and what is none is not kept.
  h.click("size-field");
  h.type(" garbage");
  h.item("size-error");
  EXPECT_EQ(h.app.page.size, ExportPage().size);
  h.key(Key::enter);
  h.item("export-go");
  EXPECT_FALSE(h.app.exporting().running());
  h.click("size=slide");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("size-error"));
  EXPECT_EQ(h.app.page.size, "slide");
  // A folder that cannot be one.
  h.click("name-field");
  h.type("/../file/below/name");
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error) << h.app.notice().text;
  h.item("export-go");
  EXPECT_EQ(h.app.page.folder, folder.string());
  h.click("export-cancel");
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

TEST_F(ExportTest, AnOpenedFigureIsWrittenAgainToItsFile) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const auto file = folder / "figs" / "Turning.svg";
  h.app.page.size = "two-columns";
  h.app.page.ending = "svg";
  h.app.page.folder = (folder / "figs").string();
  h.app.page.name = "Turning";
  h.app.write(file);
  h.settle();

  Harness other;
  other.app.start_with(study::find("norm/compare"));
  other.settle();
  EXPECT_TRUE(other.take(file)) << other.app.notice().text;
  other.settle();
  EXPECT_EQ(export_target(other.app.page, other.app.study()), file);
  EXPECT_TRUE(recipe_size(other.app.page) == figure::parse_size("two-columns"));
  other.app.change_text("base", "777");
  other.settle();
  const auto again = [&] {
    WindowWishes wishes;
    Reach reach{other.app, wishes};
    perform(*find_action("export-again"), reach);
    return wishes.popup;
  };
  // Once it asks, with the question standing there; then it does it.
  EXPECT_EQ(again(), Popup::replace_export);
  EXPECT_EQ(exporter::read_recipe(file).find("base = 777"), std::string::npos);
  other.ui.keys.push_back({.key = Key::s, .ctrl = true, .alt = true});
  other.frames(4);
  other.item("export-go");
  other.key(Key::enter);
  other.settle();
  EXPECT_NE(exporter::read_recipe(file).find("base = 777"), std::string::npos) << other.app.notice().text;
  EXPECT_EQ(again(), Popup::none);
  other.settle();
}

TEST_F(ExportTest, AllNamesOfSeveralTablesAreAnnounced) {
  Harness h;
  h.app.start_with(study::find("position/sinusoidal"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "csv";
  ASSERT_GT(export_targets(h.app.page, *h.app.result()).size(), 1u);
  h.key(Key::s, true);
  h.frames(3);
  const ItemBox several = h.item("export-names");
  h.click("ending=pdf");
  h.frames(3);
  EXPECT_GT(several.high.y - several.low.y, 0);
  h.click("export-cancel");
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

TEST_F(ExportTest, AnAnimationGoesAsFarAsTheEyeFollowsAndItsEndsAreTyped) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.ending = "webp";
  ASSERT_TRUE(h.app.animation());
  EXPECT_EQ(h.app.animation()->from, 0);
  EXPECT_EQ(h.app.animation()->to, 48);
  h.key(Key::s, true);
  h.frames(3);
  h.click("page-to");
  h.key(Key::end);
  h.type("0");
  EXPECT_EQ(h.app.animation()->to, 480) << "typed behind 48";
  h.type("x");
  h.item("page-ends-error");
  EXPECT_EQ(h.app.animation()->to, 480);
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

TEST_F(ExportTest, TheEndingIsTheFormatsWhateverWasTyped) {
  ExportPage page;
  page.folder = folder.string();
  const study::Study& study = study::find("rope/rotation");
  page.name = "fig.svg";
  EXPECT_EQ(export_target(page, study), folder / "fig.pdf");
  page.name = "fig.v2";  // no ending of ours: part of the name
  EXPECT_EQ(export_target(page, study), folder / "fig.v2.pdf");
  page.name = "fig.pdf";
  EXPECT_EQ(export_target(page, study), folder / "fig.pdf");
}

TEST_F(ExportTest, WhatWillBeWrittenIsKnownBefore) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "npy";
  const std::vector<std::filesystem::path> named = export_targets(h.app.page, *h.app.result());
  EXPECT_EQ(named.size(), h.app.result()->result.tables.size());
  write_shown(h);
  std::set<std::filesystem::path> written;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) written.insert(entry.path());
  EXPECT_EQ(std::set(named.begin(), named.end()), written);
}

TEST_F(ExportTest, AnOldFileIsAskedForOnce) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  const auto file = folder / "rope-rotation.pdf";
  std::ofstream(file) << "old";
  h.key(Key::s, true);
  h.frames(3);
  h.click("export-go");
  h.settle();
  EXPECT_EQ(std::filesystem::file_size(file), 3u);
  h.click("export-go");
  h.settle();
  EXPECT_GT(std::filesystem::file_size(file), 1000u);
  EXPECT_EQ(h.app.recent().front(), file.string());
}

TEST_F(ExportTest, WhatPlaysBecomesAnAnimationThatOpensAgain) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.app.change_text("base", "777");
  h.settle();
  open_for_an_animation(h, 4);
  h.click("export-go");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  h.app.change_text("base", "10000");
  h.take(folder / "rope-rotation.webp");
  EXPECT_EQ(h.app.settings().real("base"), 777) << h.app.notice().text;
}

TEST_F(ExportTest, AgainToTheSameFileWithoutBeingAsked) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "svg";
  const auto shift_click = [&] {
    compat::feed_modifiers(false, true);
    h.click("export");
    compat::feed_modifiers(false, false);
    h.settle();
  };
  shift_click();  // nothing was written yet: the dialog asks
  h.click("export-go");
  h.settle();
  const std::filesystem::path file = folder / "rope-rotation.svg";
  ASSERT_TRUE(std::filesystem::exists(file)) << h.app.notice().text;

  h.app.change_text("base", "777");
  h.settle();
  shift_click();
  EXPECT_FALSE(h.ui.items.find("export-go")) << "no dialog";
  EXPECT_NE(exporter::read_recipe(file).find("base = 777"), std::string::npos) << h.app.notice().text;

  // Another format or another study was not written before.
  h.app.page.ending = "png";
  EXPECT_FALSE(h.app.written_before());
  h.app.page.ending = "svg";
  EXPECT_TRUE(h.app.written_before());
  h.app.open(study::find("rope/wavelengths"));
  h.settle();
  shift_click();
  EXPECT_TRUE(h.ui.items.find("export-go"));
  EXPECT_FALSE(std::filesystem::exists(folder / "rope-wavelengths.svg"));
}

TEST_F(ExportTest, AnAnimationThatTurnsBackIsTakenUpAgain) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  open_for_an_animation(h, 24);
  h.click("page-loop=turns back");
  h.click("fps=12");
  ASSERT_TRUE(h.app.animation());
  const recipe::Animation way = *h.app.animation();
  EXPECT_EQ(way.loop, Loop::back_and_forth);
  h.click("export-go");
  h.settle();
  ASSERT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.animation()->loop, Loop::round) << "how it runs is a step of undo";

  h.app.page = {};
  h.app.dismiss_motion();
  h.take(folder / "rope-rotation.webp");
  EXPECT_TRUE(h.app.animation() == way);
  ASSERT_NE(h.app.moving(), nullptr) << "its strip is shown below its slider";
  EXPECT_EQ(h.app.moving()->name, way.parameter);
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
