// What a machine may lack or change while the window is open: one clear line, and the work goes on. And an idle window
// asks for no frame.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/gui/pane_layout.h"
#include "app/study/gpu_report.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::never_in_the_way_test {
namespace {

constexpr double never = 1e8;  // seconds: Ui::wake_after starts far above it

/// Until what the window does by itself is done: computing, comparing with the reference.
void rest(Harness& h) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    h.frames(1, 0.02);
  } while (h.ui.wake_after < never && std::chrono::steady_clock::now() < patience);
}

TEST(IdleTest, AsksForNoFrameWhateverIsOpen) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  rest(h);
  EXPECT_GE(h.ui.wake_after, never);
  h.key(Key::p, true);  // the palette, with the caret in its field
  h.frames(3);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  rest(h);
  EXPECT_GE(h.ui.wake_after, never);
  h.key(Key::escape);
  h.key(Key::f, true);  // the caret in the search
  h.frames(3);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  rest(h);
  EXPECT_GE(h.ui.wake_after, never);
}

TEST(GpuDeathTest, WithoutEglTheWindowSaysWhyAndComputesOnTheProcessor) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // a process that has not yet asked for EGL
  EXPECT_EXIT(
      {
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent/no_vendor.json", 1);
        const study::GpuReport report = study::ask_for_gpu();
        const bool one_line = !report.text.empty() && report.text.find('\n') == std::string::npos;
        std::exit(!report.available && one_line ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(GpuTest, WhereThereIsNoneItsButtonDoesNothingAndItsActionSaysWhy) {
  Harness h({1280, 800});
  h.app.gpu = {.asked = true, .available = false, .software = false, .text = "no driver"};
  h.settle();
  h.click("device=gpu");
  EXPECT_EQ(h.app.device(), study::DeviceChoice::cpu);
  Reach reach{h.app, h.wishes};
  perform(*find_action("device-gpu"), reach);
  EXPECT_EQ(h.app.device(), study::DeviceChoice::cpu);
  EXPECT_NE(h.app.notice().text.find("no graphics processor"), std::string::npos) << h.app.notice().text;
  h.settle();
  EXPECT_NE(h.app.result(), nullptr);
}

TEST(ScaleTest, AnotherMonitorChangesTheScaleAndNothingElse) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.change("base", 777.0);
  for (const float scale : {2.0f, 1.0f, 1.5f}) {
    h.ui.set_scale(fitting_scale(scale, 1280, 800), 1);
    h.settle();
    EXPECT_EQ(h.app.settings().real("base"), 777);
    for (const char* name : {"figure", "export", "section:parameters"}) {
      const ItemBox box = h.item(name);
      EXPECT_GE(box.low.x, 0) << name << " at " << scale;
      EXPECT_LE(box.high.x, 1280) << name << " at " << scale;
    }
  }
}

TEST(KeyMapTest, AFolderInItsPlaceIsOneLine) {
  KeyMap keys;
  const auto faults = keys.read(std::filesystem::temp_directory_path());
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(english(faults[0]).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace orrery::gui::never_in_the_way_test
