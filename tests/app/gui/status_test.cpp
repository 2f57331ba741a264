// What the line at the foot of the window says.
#include <array>
#include <string>

#include "app/study/kit/declare.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::status_test {
namespace {

constexpr std::array<parameter::Parameter, 2> declared{
    study::whole("checks", "Checks", "1", {1, 9}, "how many there are"),
    study::whole("off", "Off", "0", {0, 9}, "by how much the first is off")};

/// So many checks, of which the first is off by so much.
study::StudyResult compute(const parameter::Settings& settings, const study::Run&) {
  study::StudyResult result;
  result.figure.panels.resize(1);
  for (std::int64_t i = 0; i < settings.integer("checks"); ++i)
    result.checks.push_back({"one is one", i == 0 ? static_cast<double>(settings.integer("off")) : 0, 0.5});
  return result;
}

constexpr study::Study checked{.id = "test/checked",
                               .title = "Checked",
                               .topic = "Test",
                               .summary = "",
                               .formula = "x",
                               .about = "",
                               .source = "",
                               .parameters = declared,
                               .tries = {},
                               .compute = compute};

TEST(StatusTest, OneCheckIsOne) {
  Harness h({1280, 800});
  h.app.start_with(checked);
  h.settle();
  const auto says = [&](std::string_view text) {
    const ItemBox box = h.item("status:checks");
    EXPECT_NEAR(box.high.x - box.low.x, h.ui.faces.small_numbers.width(text), 0.01) << text;
  };
  says("1 check holds");
  h.app.change_text("off", "1");
  h.settle();
  says("1 check fails");
  h.app.change_text("checks", "3");
  h.settle();
  says("1 of 3 checks fail");
  h.app.change_text("off", "0");
  h.settle();
  says("3 checks hold");
}

// A pane that is too small says that the figure lacks words, and which.
TEST(StatusTest, WhatTheFigureHasNoRoomForIsTold) {
  Harness large({1280, 800});
  large.app.start_with(study::find("rope/rotation"));
  large.settle();
  EXPECT_FALSE(large.ui.items.find("status:no-room"));
  Harness small({640, 400});
  small.app.start_with(study::find("embedding/learned"));
  small.settle();
  const ItemBox box = small.item("status:no-room");
  compat::feed_mouse_position(box.centre().x, box.centre().y);
  small.frames(40, 1 / 60.0);
  EXPECT_NE(small.ui.rest.on.find("the page has no room for"), std::string::npos) << small.ui.rest.on;
}

}  // namespace
}  // namespace orrery::gui::status_test
