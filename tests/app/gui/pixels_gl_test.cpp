// The whole window as pixels: drawn by OpenGL into a framebuffer of its own, without a display. The pictures stay below
// the build folder, to be looked at.
#include <epoxy/gl.h>

#include <backends/imgui_impl_opengl3.h>
#include <cairo.h>

#include <filesystem>
#include <memory>
#include <set>

#include "tests/app/gui/harness.h"
#include "tests/app/gui/offscreen.h"

namespace orrery::gui {
namespace {

class PixelsGlTest : public testing::Test {
 protected:
  static constexpr int width = 1280, height = 800;

  void SetUp() override {
    if (!context.ready) GTEST_SKIP() << "no OpenGL 3.3 through EGL on this machine";
    glGenTextures(1, &target);
    glBindTexture(GL_TEXTURE_2D, target);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    ASSERT_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
    harness = std::make_unique<Harness>(ImVec2(width, height), &textures);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    harness->before_frame = [] { ImGui_ImplOpenGL3_NewFrame(); };
    harness->after_frame = [this] {
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
      glViewport(0, 0, width, height);
      glClearColor(1, 0, 1, 1);  // a colour that no theme has: what nobody painted would show
      glClear(GL_COLOR_BUFFER_BIT);
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    };
  }
  void TearDown() override {
    if (!harness) return;
    ImGui_ImplOpenGL3_Shutdown();
    harness.reset();
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &target);
  }

  std::vector<figure::Color> pixels() {
    std::vector<figure::Color> read(static_cast<std::size_t>(width) * height);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
    std::vector<figure::Color> flipped;
    for (int y = height - 1; y >= 0; --y)
      flipped.insert(flipped.end(), read.begin() + y * width, read.begin() + (y + 1) * width);
    return flipped;
  }
  static void save(const std::vector<figure::Color>& pixels, const std::string& name) {
    // Beside the test program, which is below the build folder wherever the test was started.
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "gui-pictures";
    std::filesystem::create_directories(folder);
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    unsigned char* data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const figure::Color c = pixels[static_cast<std::size_t>(y) * width + x];
        reinterpret_cast<std::uint32_t*>(data + y * stride)[x] =
            (std::uint32_t{c.r} << 16) | (std::uint32_t{c.g} << 8) | c.b;
      }
    cairo_surface_mark_dirty(surface);
    cairo_surface_write_to_png(surface, (folder / (name + ".png")).c_str());
    cairo_surface_destroy(surface);
  }
  /// Different colours in a box: text and lines have many, emptiness has one.
  static std::size_t colours(const std::vector<figure::Color>& pixels, ItemBox box) {
    std::set<std::uint32_t> seen;
    for (int y = static_cast<int>(box.low.y); y < std::min<int>(height, static_cast<int>(box.high.y)); ++y)
      for (int x = static_cast<int>(box.low.x); x < std::min<int>(width, static_cast<int>(box.high.x)); ++x) {
        const figure::Color c = pixels[static_cast<std::size_t>(y) * width + x];
        seen.insert((std::uint32_t{c.r} << 16) | (std::uint32_t{c.g} << 8) | c.b);
      }
    return seen.size();
  }

  Context context;
  GLuint target = 0, framebuffer = 0;
  GlTextures textures;
  std::unique_ptr<Harness> harness;
};

TEST_F(PixelsGlTest, EveryStudyIsDrawnInBothThemes) {
  for (const char* theme : {"dark", "light"}) {
    harness->app.preferences.theme = theme;
    for (const study::Study* s : study::studies()) {
      if (&harness->app.study() != s) harness->app.open(*s);
      harness->settle();
      const auto picture = pixels();
      std::string name(s->id);
      std::replace(name.begin(), name.end(), '/', '-');
      save(picture, name + "-" + theme);
      // Smooth edges alone give dozens of shades; an empty pane has one.
      EXPECT_GT(colours(picture, harness->item("figure")), 40u) << s->id << " " << theme;
      EXPECT_GT(colours(picture, harness->item("study:" + std::string(s->id))), 8u) << s->id << " " << theme;
      for (const figure::Color& c : picture)
        ASSERT_FALSE(c.r == 255 && c.g == 0 && c.b == 255) << "not painted: " << s->id << " " << theme;
    }
  }
}

TEST_F(PixelsGlTest, TheGroundIsTheThemesOwn) {
  harness->settle();
  const figure::Color ground = pixels()[60 * width + 245];  // above the title, left of everything
  EXPECT_EQ(ground, figure::dark_theme().background);
}

TEST_F(PixelsGlTest, MistakesSearchAndLongListsArePainted) {
  harness->app.start_with(study::find("rope/model"));
  harness->app.preferences.theme = "light";
  harness->settle();
  const auto before = pixels();
  harness->app.change_text("length", "2^");
  harness->app.change_text("config", "/no/such/folder/config.json");
  harness->app.change_text("length", "2^");
  harness->settle();
  save(pixels(), "mistakes");
  EXPECT_GT(colours(pixels(), harness->item("complaint:config")), 20u);

  harness->click("parameter:model");
  harness->frames(3);
  save(pixels(), "long-list");
  EXPECT_FALSE(before == pixels());
  harness->key(Key::escape);
  harness->key(Key::f, true);
  harness->type("\u03B8 base");
  harness->frames(3);
  save(pixels(), "search");
  EXPECT_GT(colours(pixels(), harness->item("search")), 20u);
}

TEST_F(PixelsGlTest, ExportDialogAndReadOut) {
  harness->app.start_with(study::find("rope/rotation"));
  harness->settle();
  const figure::Rect plot = harness->frame.figure().scene().panels.back().plot;
  const ItemBox area = harness->item("figure");
  harness->move({area.low.x + static_cast<float>(plot.x + plot.w * 0.5),
                 area.low.y + static_cast<float>(plot.y + plot.h * 0.3)});
  harness->frames(2);
  save(pixels(), "read-out");
  const auto before = pixels();
  harness->key(Key::s, true);
  harness->frames(3);
  const auto after = pixels();
  save(after, "export");
  EXPECT_GT(colours(after, harness->item("export-go")), 8u);
  EXPECT_FALSE(before == after);
}

}  // namespace
}  // namespace orrery::gui
