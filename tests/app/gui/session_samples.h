// Sessions of tests, and a place for their files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include "app/gui/session.h"
#include "app/gui/session_keeper.h"
#include "app/gui/tray.h"
#include "tests/app/study/draw.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::session_samples {

namespace fs = std::filesystem;

class SessionTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  fs::path file = folder / "session.toml";
  fs::path own = folder / ("session." + std::to_string(::getpid()) + ".toml");
  static std::string text_of(const fs::path& path) { return support::contents(path); }
};

inline Side side(const char* id, std::uint64_t seed) {
  const study::Study& s = study::find(id);
  return {&s, study::drawn(s, seed), study::DeviceChoice::ref};
}

/// Nothing in it is as at the first start.
inline Session full_session() {
  Session s;
  Document& d = s.document;
  d.live = side("rope/rotation", 3);
  d.view.panels = {{figure::Range{-1.0 / 3, 2}, std::nullopt}};
  d.view.hidden = {{0, 2}};
  d.pinned = side("norm/compare", 4);
  d.together = figure::CompareMode::difference;
  recipe::Recipe recipe;
  recipe.study = d.live.study;
  recipe.settings = d.live.settings;
  const recipe::NamedRecipe figure{"", recipe, "A \"title\"\nin two lines, 标题"};
  d.tray = with_recipes(d.tray, std::span(&figure, 1));
  d.panes = {
      .list = 200.5f, .inspector = 400, .list_shown = false, .inspector_shown = false, .tray_shown = true};
  d.panes.folded = {"checks"};
  d.locked = {"rope/rotation.base"};
  d.motions["rope/rotation.position"] = {.speed = 2, .loop = Loop::once, .from = 1.5, .to = 9};
  s.left[&study::find("norm/compare")] = study::drawn(study::find("norm/compare"), 5);
  s.preferences = {
      .theme = "light", .language = "zh", .zoom = 1.21, .high_contrast = true, .reduced_motion = true};
  s.page.ending = "png";
  s.page.size = "slide";
  s.page.theme = "dark";
  s.page.dpi = 150;
  s.page.title = s.page.transparent = s.page.svg_text = true;
  s.page.own_title = "Own";
  s.page.font = "TeX Gyre Pagella";
  s.page.math_font = "TeX Gyre Pagella Math";
  s.page.name = "fig-1";
  s.page.folder = "~/a folder";
  s.page.frames = 96;
  s.page.fps = 12;
  s.page.language = language::Language::zh;
  s.recent = {"/a/b.toml", "/c 'd'.pdf"};
  s.width = 1280;
  s.height = 800;
  return s;
}

/// Frames of a window that is idle but for its clock.
inline void pass(SessionKeeper& keeper, App& app, double& now, double seconds) {
  for (const double end = now + seconds; now < end; now += 0.25) keeper.poll(now, app, 1600, 1000);
  // Where a folder cannot be written it never is.
  for (int waited = 0; !keeper.up_to_date() && waited < 1000; ++waited) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    keeper.poll(now, app, 1600, 1000);
  }
}

}  // namespace orrery::gui::session_samples
