// Questions about files whose answer may never come.
#include "app/gui/inquiry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>

#include "app/gui/presence.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::inquiry_test {
namespace {

namespace fs = std::filesystem;

/// A place of which nothing comes back for as long as this lives: what is asked of it waits for what was asked before.
class Stuck {
 public:
  explicit Stuck(const std::string& place)
      : first_(place, [wait = gone_.get_future().share()] {
          wait.wait();
          return true;
        }) {}
  ~Stuck() { gone_.set_value(); }
  Stuck(const Stuck&) = delete;
  Stuck& operator=(const Stuck&) = delete;

 private:
  std::promise<void> gone_;
  study::Reading<bool> first_;
};

/// Frames until something holds, for a machine that is busy.
template <class Holds>
bool comes(Harness& h, Holds&& holds) {
  for (int i = 0; i < 5000 && !holds(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    h.frames();
  }
  return holds();
}

TEST(Inquiry, WhatIsAnsweredIsDoneHereAndOnce) {
  Inquiry inquiry;
  int done = 0;
  const auto here = std::this_thread::get_id();
  inquiry.ask(
      "a place",
      [&done, here]() -> Inquiry::Then {
        EXPECT_NE(std::this_thread::get_id(), here);
        return [&done, here] {
          EXPECT_EQ(std::this_thread::get_id(), here);
          ++done;
        };
      },
      {}, {}, std::chrono::seconds(30));
  EXPECT_EQ(done, 1);
  EXPECT_FALSE(inquiry.pending());
  inquiry.poll();
  EXPECT_EQ(done, 1);
}

TEST(Inquiry, WhatGoesWrongIsSaid) {
  Inquiry inquiry;
  std::string why;
  inquiry.ask(
      "a place", []() -> Inquiry::Then { throw Failure("no such thing"); },
      [&](const Complaint& said) { why = english(said); }, {}, std::chrono::seconds(30));
  EXPECT_EQ(why, "no such thing");
}

TEST(Inquiry, OfAPlaceThatDoesNotAnswerNobodyWaitsLongerThanAGlance) {
  const Stuck stuck("gone");
  Inquiry inquiry;
  const auto began = std::chrono::steady_clock::now();
  bool done = false;
  for (int i = 0; i < 10; ++i) inquiry.ask("gone", [&done] { return [&done] { done = true; }; });
  // Only the first of ten waits at all; ten seconds are what a stuck one would take.
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  EXPECT_TRUE(inquiry.pending());
  inquiry.poll();
  EXPECT_FALSE(done);
  inquiry.drop();
  EXPECT_FALSE(inquiry.pending());
}

TEST(Inquiry, AnErrandRunsUntilAllIsDone) {
  Errands errands;
  Inquiry inquiry;
  bool ran = false;
  inquiry.ask(errands.begin(), "a place",
              [&]() -> Inquiry::Then { return [&] { ran = errands.running(); }; });
  while (inquiry.pending()) inquiry.poll();
  EXPECT_TRUE(ran) << "what the answer changes is part of it";
  EXPECT_FALSE(errands.running());
  EXPECT_FALSE(errands.left_undone());
  inquiry.ask(errands.begin(), "a place", []() -> Inquiry::Then { throw Failure("no room"); });
  while (inquiry.pending()) inquiry.poll();
  EXPECT_FALSE(errands.running());
  EXPECT_TRUE(errands.left_undone());
  const Stuck stuck("a stuck place");
  inquiry.ask(errands.begin(), "a stuck place", []() -> Inquiry::Then { return {}; });
  EXPECT_TRUE(errands.running());
  EXPECT_FALSE(errands.left_undone());
  inquiry.drop();
  EXPECT_FALSE(errands.running());
}

TEST(Inquiry, APresetOnItsWayToTheDiskIsAnErrand) {
  const support::TemporaryFolder folder;
  ::setenv("XDG_DATA_HOME", folder.string().c_str(), 1);
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.patient = false;
  h.click("presets");
  h.frames(2);
  h.click("preset-name");
  h.type("mine");
  const fs::path file = recipe::preset_file(h.app.study(), "mine");
  {
    const Stuck stuck(file.parent_path().string());
    h.click("preset-save");
    h.frames(2);
    EXPECT_TRUE(h.app.errands.running());
    EXPECT_FALSE(fs::exists(file));
  }
  EXPECT_TRUE(comes(h, [&] { return !h.app.errands.running(); }));
  EXPECT_TRUE(fs::exists(file));
  ::unsetenv("XDG_DATA_HOME");
}

TEST(Inquiry, APlaceThatDoesNotAnswerLeavesThePickerAsItIs) {
  const support::TemporaryFolder folder;
  const fs::path root = folder.path();
  fs::create_directories(root / "gone");
  fs::create_directories(root / "here");
  std::ofstream(root / "here" / "config.json") << R"({"hidden_size": 64, "num_attention_heads": 2})";
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.patient = false;
  const Stuck stuck((root / "gone" / "").string());
  h.key(static_cast<Key>('O'), true);
  h.frames(4);
  h.type((root / "gone" / "x").c_str());
  h.frames(3);
  h.item("picker-reading");
  h.key(Key::enter);  // a choice among names that are still being read
  h.frames(3);
  h.item("picker-reading");
  h.key(static_cast<Key>('A'), true);
  h.type((root / "here" / "config.json").c_str());
  h.frames(2);
  EXPECT_TRUE(comes(h, [&] { return h.ui.items.find("entry:config.json").has_value(); }));
  h.key(Key::enter);
  EXPECT_TRUE(comes(h, [&] { return h.app.study().id == "model/card"; })) << h.app.notice().text;
}

TEST(Inquiry, AFileThatDoesNotAnswerIsSaidAndAnotherIsTaken) {
  const support::TemporaryFolder folder;
  const fs::path root = folder.path();
  std::ofstream(root / "config.json") << R"({"hidden_size": 64, "num_attention_heads": 2})";
  Harness h;
  h.settle();
  h.patient = false;
  const Stuck stuck((root / "gone.toml").string());
  h.app.take_file(root / "gone.toml");
  EXPECT_TRUE(h.app.asking());
  h.frames(3);
  EXPECT_EQ(h.app.notice().text.substr(0, 9), "reading: ");
  h.app.take_file(root / "config.json");
  EXPECT_TRUE(comes(h, [&] { return h.app.study().id == "model/card"; })) << h.app.notice().text;
  EXPECT_FALSE(h.app.asking());
  h.app.take_file(root / "gone.toml");
  h.app.leave_file();
  EXPECT_FALSE(h.app.asking());
  EXPECT_EQ(h.app.notice().text, "");
}

TEST(Inquiry, WhatIsThereIsKnownWhenTheDiskSaysSo) {
  const support::TemporaryFolder folder;
  const fs::path root = folder.path();
  std::ofstream(root / "a.pdf") << "a";
  Harness h;
  h.settle();
  Presence presence;
  const auto known = [&](const std::vector<fs::path>& files) {
    return comes(h, [&] { return presence.of(h.ui, files).has_value(); });
  };
  ASSERT_TRUE(known({root / "a.pdf", root / "b.pdf"}));
  EXPECT_EQ(presence.of(h.ui, {root / "a.pdf", root / "b.pdf"})->files, 1u);
  EXPECT_TRUE(presence.of(h.ui, {root / "a.pdf", root / "b.pdf"})->folder);
  ASSERT_TRUE(known({root / "none" / "a.pdf"}));
  EXPECT_FALSE(presence.of(h.ui, {root / "none" / "a.pdf"})->folder);
  const Stuck stuck((root / "gone").string());
  EXPECT_FALSE(presence.of(h.ui, {root / "gone" / "a.pdf"}));
}

}  // namespace
}  // namespace orrery::gui::inquiry_test
