// Shaders that are edited under the window.
#include "app/gui/shader_watch.h"

#include <chrono>
#include <string>
#include <thread>

#include "tests/app/gui/harness.h"
#include "tests/core/gpu/shader_folder.h"

namespace orrery::gui::shader_watch_test {
namespace {

TEST(ShaderWatch, SeesAChangeAtMostTwiceASecond) {
  const gpu::ShaderFolder folder;
  ShaderWatch watch;
  EXPECT_TRUE(watch.on());
  EXPECT_FALSE(watch.changed(1));
  folder.write("new.comp", "void main() {}");
  EXPECT_FALSE(watch.changed(0.2)) << "not yet looked at";
  EXPECT_TRUE(watch.changed(0.4));
  EXPECT_FALSE(watch.changed(1)) << "said once";
}

TEST(ShaderWatch, WithoutAFolderThereIsNothing) {
  ShaderWatch watch;
  EXPECT_FALSE(watch.on());
  EXPECT_FALSE(watch.changed(1));
}

TEST(LiveShadersGlTest, AnErrorIsShownAndTheLastPictureStays) {
  const gpu::ShaderFolder folder;
  Harness h;
  h.app.open(study::find("numerics/twins"));
  h.app.set_device(study::DeviceChoice::gpu);
  h.settle();
  if (!h.app.error().empty()) GTEST_SKIP() << english(h.app.error());
  const std::string whole = gpu::shader_text("rms_norm.comp");
  const auto changed = [&](const std::string& text) {
    // A file system may keep times to the second only.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    folder.write("rms_norm.comp", text);
    h.frames(1, ShaderWatch::period);
    h.settle();
  };
  changed(whole + "\nthis is no shader\n");
  EXPECT_NE(english(h.app.error()).find(": rms_norm.comp:"), std::string::npos) << english(h.app.error());
  ASSERT_TRUE(h.app.result());
  EXPECT_TRUE(h.app.result()->error.empty());
  changed(whole);
  EXPECT_EQ(english(h.app.error()), "");
}

}  // namespace
}  // namespace orrery::gui::shader_watch_test
