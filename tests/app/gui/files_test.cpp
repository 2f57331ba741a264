// Files: saved presets, looking for one in folders, and what is dropped on the window.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/gui/folder.h"
#include "tests/app/gui/harness.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::files_test {
namespace {

namespace fs = std::filesystem;

/// A data folder and a folder of files of its own, for as long as a test runs.
class Folders : public testing::Test {
 protected:
  Folders() {
    fs::create_directories(root / "models" / "deep");
    std::ofstream(root / "models" / "config.json") << R"({"hidden_size": 64, "num_attention_heads": 2})";
    std::ofstream(root / "models" / "notes.md") << "words";
    std::ofstream(root / "models" / ".hidden.json") << "{}";
    ::setenv("XDG_DATA_HOME", (root / "data").c_str(), 1);
  }
  ~Folders() override { ::unsetenv("XDG_DATA_HOME"); }
  const support::TemporaryFolder folder;
  const fs::path root = folder.path();
};

/// Rotation with a preset of base 4321 that is called "mine", and the menu open.
void save_mine(Harness& h) {
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.change_text("base", "4321");
  h.click("presets");
  h.frames(2);
  h.click("preset-name");
  h.type("mine");
  h.click("preset-save");
  h.frames(2);
}

double base_of_mine() {
  const study::Study& s = study::find("rope/rotation");
  return recipe::with_preset(parameter::Settings(s.parameters), recipe::find_preset(s, "mine")).real("base");
}

TEST_F(Folders, PresetsAreSavedChosenAndDeleted) {
  Harness h;
  save_mine(h);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  h.app.reset("base");
  h.frames(2);
  h.click("preset:mine");
  h.settle();
  EXPECT_EQ(h.app.settings().real("base"), 4321);
  h.click("presets");
  h.frames(2);
  h.click("preset:llama-3.1-8b");
  EXPECT_EQ(h.app.settings().choice("frequencies"), "llama3");
  h.app.undo();
  EXPECT_EQ(h.app.settings().real("base"), 4321);
  h.click("presets");
  h.frames(2);
  h.click("preset-delete:mine");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("preset:mine"));
  EXPECT_FALSE(fs::exists(recipe::preset_file(study::find("rope/rotation"), "mine")));
}

TEST_F(Folders, APresetOfTheSameNameIsReplacedAfterAQuestion) {
  Harness h;
  save_mine(h);
  EXPECT_EQ(base_of_mine(), 4321);
  h.app.change_text("base", "99");
  h.click("preset-name");
  h.type("mine");
  h.click("preset-save");
  h.frames(2);
  EXPECT_EQ(base_of_mine(), 4321);
  EXPECT_TRUE(h.ui.items.find("preset-replaces"));
  h.click("preset-save");
  h.frames(2);
  EXPECT_EQ(base_of_mine(), 99);
  EXPECT_FALSE(h.ui.items.find("preset-replaces"));
  h.click("preset-name");
  h.type("mine");
  h.click("preset-save");
  h.frames(2);
  EXPECT_TRUE(h.ui.items.find("preset-replaces")) << "asked every time";
  h.click("preset-name");
  h.type("s");
  EXPECT_FALSE(h.ui.items.find("preset-replaces")) << "another name";
}

TEST_F(Folders, ANameThatIsRefusedIsSaidSoInTheMenu) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("presets");
  h.frames(2);
  h.click("preset-name");
  h.type("a/b");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("preset-refused"));
  h.click("preset-save");
  h.frames(2);
  EXPECT_TRUE(h.ui.items.find("preset-refused")) << h.app.notice().text;
  h.click("preset-name");
  h.type("c");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("preset-refused")) << "another name";
}

TEST_F(Folders, ADeletedPresetComesBackWhileTheMenuIsOpen) {
  Harness h;
  save_mine(h);
  const fs::path file = recipe::preset_file(h.app.study(), "mine");
  const std::string text = support::contents(file);
  const auto remove = [&] {
    h.click("preset-delete:mine");
    h.frames(2);
    EXPECT_FALSE(fs::exists(file));
  };
  remove();
  h.click("preset-undo");
  h.frames(2);
  EXPECT_EQ(support::contents(file), text);
  EXPECT_TRUE(h.ui.items.find("preset:mine"));
  EXPECT_FALSE(h.ui.items.find("preset-undo"));
  remove();
  h.key(Key::z, true);
  EXPECT_EQ(support::contents(file), text);
  EXPECT_EQ(h.app.settings().real("base"), 4321) << "nothing else was undone";
  remove();
  h.key(Key::escape);
  h.click("presets");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("preset-undo"));
}

TEST_F(Folders, AFolderIsReadFoldersFirst) {
  const Folder some = read_folder(root / "models", "config.json|.json", false, false);
  ASSERT_EQ(some.entries.size(), 2u);
  EXPECT_EQ(some.entries[0].name, "deep");
  EXPECT_TRUE(some.entries[0].folder);
  EXPECT_EQ(some.entries[1].name, "config.json");
  EXPECT_EQ(read_folder(root / "models", ".json", true, false).entries.size(), 3u);
  EXPECT_EQ(read_folder(root / "models", ".json", true, true).entries.size(), 4u);
  const Folder none = read_folder(root / "absent", "", false, false);
  EXPECT_NE(english(none.error).find("absent"), std::string::npos);
  EXPECT_TRUE(none.entries.empty());
}

TEST(FolderTest, TypingIsCompletedAsFarAsNamesAgree) {
  const std::vector<FolderEntry> entries{
      {.name = "model-a", .folder = true}, {.name = "model-b"}, {.name = "other"}};
  EXPECT_EQ(completed("m", entries), "model-");
  EXPECT_EQ(completed("model-a", entries), "model-a/");
  EXPECT_EQ(completed("O", entries), "other");
  EXPECT_EQ(completed("x", entries), "x");
  EXPECT_EQ(typed_place("/a/b").folder, "/a/");
  EXPECT_EQ(typed_place("/a/b").beginning, "b");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1234567), "1.23 MB");
}

TEST_F(Folders, AFileIsFoundByKeys) {
  Harness h;
  h.app.start_with(study::find("rope/model"));
  h.settle();
  h.click("browse:config");
  h.frames(3);
  h.item("picker-path");
  h.type((root.string() + "/mod").c_str());
  h.frames(2);
  h.key(Key::enter);  // into the folder
  h.frames(3);
  h.item("entry:config.json");
  EXPECT_FALSE(h.ui.items.find("entry:notes.md"));
  h.key(Key::down);
  h.key(Key::down);
  h.key(Key::enter);
  h.settle();
  EXPECT_EQ(h.app.settings().file("config"), (root / "models" / "config.json").string());
  EXPECT_EQ(english(h.app.error()), "");
}

TEST_F(Folders, FromAModelsCardItsRopeViewIsOneClick) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.app.take_files({root / "models" / "config.json"});
  h.frames();
  h.settle();
  ASSERT_EQ(h.app.study().id, "model/card");
  h.click("elsewhere:rope/model");
  h.settle();
  EXPECT_EQ(h.app.study().id, "rope/model");
  EXPECT_EQ(h.app.settings().file("config"), (root / "models" / "config.json").string());
  h.click("elsewhere:model/card");
  h.settle();
  EXPECT_EQ(h.app.study().id, "model/card");
}

TEST_F(Folders, DroppedFilesFindTheStudyThatTakesThem) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.app.take_files({root / "models" / "config.json"});
  h.frames();
  h.settle();
  EXPECT_EQ(h.app.study().id, "model/card");
  EXPECT_EQ(h.app.settings().file("config"), (root / "models" / "config.json").string());
  h.app.undo();
  EXPECT_EQ(h.app.study().id, "norm/compare");

  h.take(root / "models");
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
  EXPECT_NE(h.app.notice().text.find("is a folder"), std::string::npos);
  h.take(root / "models" / "notes.md");
  EXPECT_NE(h.app.notice().text.find("is none of what is read"), std::string::npos);
  EXPECT_NE(h.app.notice().text.find(".npy"), std::string::npos);
  h.take(root / "gone.npy");
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
  EXPECT_EQ(h.app.study().id, "norm/compare");
}

TEST_F(Folders, ABrokenConfigurationTakesNobodysPlace) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  const fs::path file = root / "models" / "config.json";
  std::ofstream(file) << "{\"hidden_size\": 64,\n \"num_attention_heads\" 2}";
  EXPECT_FALSE(h.take(file));
  h.settle();
  EXPECT_EQ(h.app.study().id, "norm/compare");
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
  EXPECT_NE(h.app.notice().text.find("config.json:2:"), std::string::npos) << h.app.notice().text;
}

TEST_F(Folders, OfATensorFileOneIsAskedFor) {
  const std::string header =
      R"({"a.inv_freq":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b.inv_freq":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  bytes += header + std::string("\0\0\x80\x3f\0\0\0\x3f\0\0\x80\x3f\0\0\0\x3f", 16);
  const fs::path file = root / "models" / "m.safetensors";
  std::ofstream(file, std::ios::binary) << bytes;
  Harness h;
  h.app.start_with(study::find("activation/functions"));
  h.settle();
  h.take(file);
  h.settle();
  h.frames(3);
  EXPECT_EQ(h.app.study().id, "activation/functions") << "until one was chosen";
  h.click("tensor:b.inv_freq");
  h.click("picker-open");
  h.settle();
  EXPECT_EQ(h.app.study().id, "rope/identify");
  EXPECT_EQ(h.app.settings().file("vector"), file.string() + "#b.inv_freq");
  // Named at once, nothing is asked.
  EXPECT_TRUE(h.take(file.string() + "#a.inv_freq")) << h.app.notice().text;
  EXPECT_FALSE(h.app.question);
  EXPECT_EQ(h.app.settings().file("vector"), file.string() + "#a.inv_freq");
}

TEST_F(Folders, OpenTakesWhatIsDroppedAndKeepsWhatItRefuses) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  const auto open = [&] {
    h.key(static_cast<Key>('O'), true);
    h.frames(4);
  };
  open();
  h.type((root / "models" / "notes.md").c_str());
  h.key(Key::enter);
  h.frames(3);
  const ItemBox reason = h.item("picker-error"), field = h.item("picker-path");
  EXPECT_GT(reason.low.y, field.high.y - 1);
  EXPECT_EQ(h.app.study().id, "norm/compare");
  // What was refused is selected: typing begins anew.
  h.type((root / "models" / "config.json").c_str());
  h.key(Key::enter);
  h.settle();
  EXPECT_FALSE(h.ui.items.find("picker-path")) << h.app.notice().text;
  EXPECT_EQ(h.app.study().id, "model/card");
  EXPECT_EQ(h.app.settings().file("config"), (root / "models" / "config.json").string());

  h.app.open(study::find("norm/compare"));
  h.settle();
  open();
  h.click("recent:0");
  h.settle();
  EXPECT_EQ(h.app.study().id, "model/card");
}

TEST_F(Folders, ARelativePathBeginsWhereThePickerStands) {
  Harness h;
  h.settle();
  h.app.page.folder = root.string();
  h.key(Key::s, true);
  h.frames(3);
  h.click("browse:folder-field");
  h.frames(4);
  EXPECT_FALSE(h.ui.items.find("entry:notes.md")) << "folders alone";
  h.type("models/de");
  h.frames(2);
  h.item("entry:deep");
  h.key(Key::enter);
  h.frames(3);
  h.click("picker-open");
  h.frames(3);
  h.click("export-go");
  h.settle();
  EXPECT_EQ(h.app.page.folder, (root / "models" / "deep").string()) << h.app.notice().text;
}

TEST_F(Folders, WhatIsLeftOfSeveralDroppedFilesIsSaid) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  std::ofstream(root / "a.toml") << "orrery = 1\nstudy = \"rope/rotation\"\n";
  h.app.take_files({root / "a.toml", root / "models" / "config.json"});
  h.frames();
  EXPECT_EQ(h.app.study().id, "rope/rotation");
  EXPECT_NE(h.app.notice().text.find("1 more left"), std::string::npos) << h.app.notice().text;
}

}  // namespace
}  // namespace orrery::gui::files_test
