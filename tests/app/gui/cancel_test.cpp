// Computing that a person stops, or lets rest and go on, by the buttons and actions of the window.
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "app/gui/actions.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::cancel_test {
namespace {

/// No training is kept as long as it lives.
class NothingKept {
 public:
  NothingKept() {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, "", 1);
  }
  ~NothingKept() {
    if (before_)
      ::setenv(name, before_->c_str(), 1);
    else
      ::unsetenv(name);
  }
  NothingKept(const NothingKept&) = delete;

 private:
  static constexpr const char* name = "ORRERY_TRAININGS";
  std::optional<std::string> before_;
};

void begin_training(Harness& h, const char* steps) {
  h.app.open(study::find("extrapolation/race"));
  h.settle();
  h.app.change_text("steps", steps);
  h.app.change_text("retrain", "on");
  h.frames();
}

TEST(CancelTest, TheLastGoodFigureStaysAndTheNoticeSaysSo) {
  Harness h({1280, 800});
  h.settle();
  const auto before = h.app.shown();
  h.app.open(study::find("extrapolation/base"));
  h.frames();
  ASSERT_TRUE(h.app.busy());  // it takes longer than this frame
  Reach reach{h.app, h.wishes};
  perform(*find_action("stop-computing"), reach);
  EXPECT_FALSE(h.app.busy());
  EXPECT_NE(h.app.notice().text.find("stopped"), std::string::npos) << h.app.notice().text;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  h.frames(3);
  EXPECT_FALSE(h.app.busy());
  EXPECT_TRUE(h.app.shown() == before || h.app.shown()->partial);
  h.app.compute_again();
  h.frames();
  EXPECT_TRUE(h.app.busy());
}

/// A training of many minutes: after two seconds it can be paused, and is stopped while it rests.
TEST(CancelTest, WhatTakesLongRestsAndGoesOn) {
  const NothingKept nothing_kept;
  Harness h({1280, 800});
  begin_training(h, "20000");
  h.frames();
  EXPECT_FALSE(h.ui.items.find("pause"));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!h.ui.items.find("pause") && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    h.frames();
  }
  ASSERT_TRUE(h.ui.items.find("pause"));
  const ItemBox stop = h.item("cancel");
  h.click("pause");
  EXPECT_TRUE(h.app.paused());
  EXPECT_TRUE(h.app.busy());
  h.frames(2);
  EXPECT_EQ(h.item("cancel").low.x, stop.low.x);  // what stood under the pointer still stands there
  h.click("pause");
  EXPECT_FALSE(h.app.paused());
  Reach reach{h.app, h.wishes};
  perform(*find_action("pause-computing"), reach);
  EXPECT_TRUE(h.app.paused());
  h.click("cancel");
  EXPECT_FALSE(h.app.busy());
  EXPECT_FALSE(h.app.paused());
}

/// Paused at once, before anything says that something is computed: the bar says so, and lets it go on.
TEST(CancelTest, WhatRestsFromTheBeginningSaysSo) {
  const NothingKept nothing_kept;
  Harness h({1280, 800});
  begin_training(h, "2000");
  Reach reach{h.app, h.wishes};
  perform(*find_action("pause-computing"), reach);
  h.frames(2);
  ASSERT_TRUE(h.app.paused());
  EXPECT_TRUE(h.ui.items.find("progress"));
  h.click("pause");
  EXPECT_FALSE(h.app.paused());
  h.app.cancel();
}

}  // namespace
}  // namespace orrery::gui::cancel_test
