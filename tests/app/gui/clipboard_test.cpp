// A picture goes to the desktop's program, whole; without one, or where it fails, into a file.
#include "app/gui/clipboard.h"
#include "app/language/dictionary.h"
#include "app/language/language.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

namespace orrery::gui::clipboard_test {
namespace {

namespace fs = std::filesystem;

/// A variable of the environment, for as long as a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class PictureClipboardTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  void stand_in(const char* name, const std::string& script) {
    const fs::path path = folder / name;
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all);
  }
  static std::string text_of(const fs::path& path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string path() const { return folder.string() + ":/usr/bin:/bin"; }
  static PictureClipboard::Said last_word(PictureClipboard& clipboard) {
    for (int i = 0; i < 500; ++i) {
      if (const auto said = clipboard.poll(); !said.text.empty()) return said;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }
};

TEST_F(PictureClipboardTest, TheProgramGetsEveryByteAndTheRightWords) {
  const std::string got = (folder / "got").string(), words = (folder / "words").string();
  stand_in("xclip",
           "echo \"$@\" > " + words + "\ncat > " + got + ".part && mv " + got + ".part " + got + "\n");
  const Variable display("DISPLAY", ":7"), wayland("WAYLAND_DISPLAY", ""), where("PATH", path());
  std::string png(3'000'000, 'x');  // more than a pipe holds
  for (std::size_t i = 0; i < png.size(); ++i) png[i] = static_cast<char>(i * 7919 >> 3);
  PictureClipboard clipboard;
  const auto said = clipboard.put(png);
  EXPECT_FALSE(said.failed) << said.text;
  for (int i = 0; i < 500 && !fs::exists(got); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(text_of(got), png);
  EXPECT_EQ(text_of(words), "-selection clipboard -t image/png\n");
}

TEST_F(PictureClipboardTest, OnWaylandItIsTheOtherOne) {
  const std::string words = (folder / "words").string();
  stand_in("wl-copy", "echo \"$@\" > " + words + ".part && mv " + words + ".part " + words + "\n");
  stand_in("xclip", "exit 1\n");
  const Variable display("DISPLAY", ":7"), wayland("WAYLAND_DISPLAY", "wayland-0"), where("PATH", path());
  PictureClipboard clipboard;
  EXPECT_FALSE(clipboard.put("png").failed);
  for (int i = 0; i < 500 && !fs::exists(words); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(text_of(words), "--type image/png\n");
}

TEST_F(PictureClipboardTest, WithoutOneThePictureIsAFile) {
  const Variable display("DISPLAY", ":7"), wayland("WAYLAND_DISPLAY", ""), where("PATH", folder.string());
  PictureClipboard clipboard;
  const auto said = clipboard.put("the picture");
  EXPECT_TRUE(said.failed);
  EXPECT_EQ(said.path.filename(), "orrery-figure.png");
  EXPECT_EQ(text_of(said.path), "the picture");
  EXPECT_EQ(said.text.find("xclip is not installed: the picture is in "), 0u) << said.text;
  EXPECT_NE(said.text.find(said.path.string()), said.text.npos);
  EXPECT_EQ(said.text.find('\n'), said.text.npos);
}

TEST_F(PictureClipboardTest, WhereTheProgramFailsThePictureIsAFileToo) {
  stand_in("xclip", "exit 3\n");
  const Variable display("DISPLAY", ":7"), wayland("WAYLAND_DISPLAY", ""), where("PATH", path());
  PictureClipboard clipboard;
  EXPECT_FALSE(clipboard.put("the picture").failed);
  const auto said = last_word(clipboard);
  EXPECT_TRUE(said.failed);
  EXPECT_EQ(said.text.find("xclip failed with status 3: "), 0u) << said.text;
  EXPECT_EQ(text_of(said.path), "the picture");
}

// However often it happens, one folder is left: each picture takes the place of the one before.
TEST_F(PictureClipboardTest, TheNextPictureTakesItsPlace) {
  const Variable display("DISPLAY", ":7"), wayland("WAYLAND_DISPLAY", ""), where("PATH", folder.string()),
      temporary("TMPDIR", folder.string());
  PictureClipboard clipboard;
  const fs::path first = clipboard.put("the first").path, second = clipboard.put("the second").path;
  EXPECT_EQ(first, second);
  EXPECT_EQ(text_of(second), "the second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  fs::remove_all(first.parent_path());
  EXPECT_EQ(text_of(clipboard.put("the third").path), "the third") << "the folder was cleared away";
}

TEST_F(PictureClipboardTest, WhatWentWrongIsSaidInChineseToo) {
  const Variable display("DISPLAY", ":7"), wayland("WAYLAND_DISPLAY", ""), where("PATH", path());
  PictureClipboard clipboard;
  const language::Dictionary& chinese = language::dictionary(language::Language::zh);
  stand_in("xclip", "exit 3\n");
  EXPECT_FALSE(clipboard.put("the picture").failed);
  const auto failed = last_word(clipboard);
  EXPECT_EQ(chinese.translate(failed.text),
            "xclip \u5931\u8D25\uFF0C\u9000\u51FA\u72B6\u6001 3\uFF1A\u56FE\u7247\u5B58\u4E8E " +
                failed.path.string() + "\uFF0C\u5DF2\u590D\u5236\u8BE5\u8DEF\u5F84");
  fs::remove(folder / "xclip");
  const Variable nowhere("PATH", folder.string());
  const auto missing = clipboard.put("the picture");
  EXPECT_EQ(chinese.translate(missing.text).find("\u672A\u5B89\u88C5 xclip\uFF1A"), 0u) << missing.text;
}

}  // namespace
}  // namespace orrery::gui::clipboard_test
