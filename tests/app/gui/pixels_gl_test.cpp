// The whole window as pixels: drawn by OpenGL into a framebuffer of its own, without a display. The pictures stay below
// the build folder, to be looked at.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "tests/app/gui/screen.h"

namespace orrery::gui::pixels_gl_test {
namespace {

class PixelsGlTest : public testing::Test {
 protected:
  static constexpr int width = 1280, height = 800;

  void SetUp() override {
    if (!target.context.ready) GTEST_SKIP() << "no OpenGL 3.3 through EGL on this machine";
    screen = std::make_unique<Screen>(target);
    harness = &screen->window;
  }
  void TearDown() override {
    if (!screen) return;
    screen.reset();
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
  }
  /// Beside the test program, which is below the build folder wherever the test was started.
  void save(const std::string& name) const {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "gui-pictures";
    std::filesystem::create_directories(folder);
    screen->save(folder / (name + ".png"));
  }

  Target target{width, height};
  std::unique_ptr<Screen> screen;
  Harness* harness = nullptr;
};

TEST_F(PixelsGlTest, EveryStudyIsDrawnInBothThemes) {
  for (const char* theme : {"dark", "light"}) {
    harness->app.preferences.theme = theme;
    for (const study::Study* s : study::studies()) {
      if (&harness->app.study() != s) harness->app.open(*s);
      harness->settle();
      std::string name(s->id);
      std::replace(name.begin(), name.end(), '/', '-');
      save(name + "-" + theme);
      // Smooth edges alone give dozens of shades; an empty pane has one.
      EXPECT_GT(screen->colours(harness->item("figure")), 40u) << s->id << " " << theme;
      EXPECT_GT(screen->colours(harness->item("study:" + std::string(s->id))), 8u) << s->id << " " << theme;
      for (const figure::Color& c : screen->pixels())
        ASSERT_FALSE(c.r == 255 && c.g == 0 && c.b == 255) << "not painted: " << s->id << " " << theme;
    }
  }
}

// While things move a slow display gets a quarter of the pixels: the same picture, everything where it was.
TEST_F(PixelsGlTest, ACoarsePictureIsTheSharpOneSoftened) {
  harness->app.start_with(study::find("activation/functions"));
  harness->settle();
  harness->rest();  // thumbnails and faces that come a frame or two later
  const std::vector<figure::Color> sharp = screen->pixels();
  screen->coarse = true;
  harness->frames(1);
  const std::vector<figure::Color> coarse = screen->pixels();
  save("coarse");
  screen->coarse = false;
  harness->frames(1);
  EXPECT_EQ(screen->pixels(), sharp);
  EXPECT_NE(coarse, sharp);
  // Light goes nowhere else: means over blocks of 16 x 16 pixels agree, but where lines of one pixel stand side by side, of
  // which a quarter of the pixels sees some.
  constexpr int block = 16;
  int blocks = 0, far_off = 0;
  for (int y = 0; y + block <= height; y += block)
    for (int x = 0; x + block <= width; x += block) {
      double difference = 0;
      for (int v = y; v < y + block; ++v)
        for (int u = x; u < x + block; ++u) {
          const auto at = static_cast<std::size_t>(v * width + u);
          difference += coarse[at].g - sharp[at].g;
        }
      ++blocks;
      far_off += std::abs(difference) / (block * block) > 12;
    }
  std::printf("%d of %d blocks of 16 x 16 differ by over 12 of 255\n", far_off, blocks);
  EXPECT_LT(far_off, blocks / 50);
}

TEST_F(PixelsGlTest, TheGroundIsTheThemesOwn) {
  harness->settle();
  const figure::Color ground = screen->pixels()[60 * width + 245];  // above the title, left of everything
  EXPECT_EQ(ground, figure::dark_theme().background);
}

TEST_F(PixelsGlTest, MistakesSearchAndLongListsArePainted) {
  harness->app.start_with(study::find("rope/model"));
  harness->app.preferences.theme = "light";
  harness->settle();
  const auto before = screen->pixels();
  harness->app.change_text("length", "2^");
  harness->app.change_text("config", "/no/such/folder/config.json");
  harness->app.change_text("length", "2^");
  harness->settle();
  save("mistakes");
  EXPECT_GT(screen->colours(harness->item("complaint:config")), 20u);

  harness->click("parameter:model");
  harness->frames(3);
  save("long-list");
  EXPECT_FALSE(before == screen->pixels());
  harness->key(Key::escape);
  harness->key(Key::f, true);
  harness->type("\u03B8 base");
  harness->frames(3);
  save("search");
  EXPECT_GT(screen->colours(harness->item("search")), 20u);
}

TEST_F(PixelsGlTest, ExportDialogAndReadOut) {
  harness->app.start_with(study::find("rope/rotation"));
  harness->settle();
  const figure::Rect plot = harness->frame.figure().scene().panels.back().plot;
  const ItemBox area = harness->item("figure");
  harness->move({area.low.x + static_cast<float>(plot.x + plot.w * 0.5),
                 area.low.y + static_cast<float>(plot.y + plot.h * 0.3)});
  harness->frames(2);
  save("read-out");
  const auto before = screen->pixels();
  harness->key(Key::s, true);
  harness->frames(3);
  const auto after = screen->pixels();
  save("export");
  EXPECT_GT(screen->colours(harness->item("export-go")), 8u);
  EXPECT_FALSE(before == after);
}

}  // namespace
}  // namespace orrery::gui::pixels_gl_test
