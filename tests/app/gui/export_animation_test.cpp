// Export of what plays: its ends, its track on the page, and that it opens again.
#include "tests/app/gui/export_fixture.h"

namespace orrery::gui::export_animation_test {
namespace {

/// The dialog, asking for a small one.
void open_for_an_animation(Harness& h, const support::TemporaryFolder& folder, int frames) {
  h.app.page.folder = folder.string();
  h.app.page.size = "column";
  h.app.page.dpi = 40;
  h.app.page.frames = frames;
  h.key(Key::s, true);
  h.frames(3);
  h.click("ending=webp");
  h.frames(2);
}

TEST_F(ExportTest, AnAnimationGoesAsFarAsTheEyeFollowsAndItsEndsAreTyped) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.ending = "webp";
  ASSERT_TRUE(h.app.animation());
  EXPECT_EQ(h.app.animation()->from, 0);
  EXPECT_EQ(h.app.animation()->to, 48);
  h.key(Key::s, true);
  h.frames(3);
  h.click("page-to");
  h.key(Key::end);
  h.type("0");
  EXPECT_EQ(h.app.animation()->to, 480) << "typed behind 48";
  h.type("x");
  h.item("page-ends-error");
  EXPECT_EQ(h.app.animation()->to, 480);
  h.click("export-cancel");
}

TEST_F(ExportTest, WhatPlaysBecomesAnAnimationThatOpensAgain) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.app.change_text("base", "777");
  h.settle();
  open_for_an_animation(h, folder, 4);
  h.click("export-go");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  h.app.change_text("base", "10000");
  h.take(folder / "rope-rotation.webp");
  EXPECT_EQ(h.app.settings().real("base"), 777) << h.app.notice().text;
}

TEST_F(ExportTest, AnAnimationThatTurnsBackIsTakenUpAgain) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  open_for_an_animation(h, folder, 24);
  h.click("page-loop=turns back");
  h.click("fps=12");
  ASSERT_TRUE(h.app.animation());
  const recipe::Animation way = *h.app.animation();
  EXPECT_EQ(way.loop, Loop::back_and_forth);
  h.click("export-go");
  h.settle();
  ASSERT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(h.app.animation()->loop, Loop::round) << "how it runs is a step of undo";

  h.app.page = {};
  h.app.dismiss_motion();
  h.take(folder / "rope-rotation.webp");
  EXPECT_TRUE(h.app.animation() == way);
  ASSERT_NE(h.app.moving(), nullptr) << "its strip is shown below its slider";
  EXPECT_EQ(h.app.moving()->name, way.parameter);
}

TEST_F(ExportTest, AnEndThatIsTypedWhileTheOtherIsWrongIsKept) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.ending = "webp";
  h.key(Key::s, true);
  h.frames(3);
  h.click("page-to");
  h.key(Key::end);
  h.type("*");  // 48* is none yet
  h.item("page-ends-error");
  h.click("page-from");
  h.key(Key::home);
  h.type("7");  // 70
  h.click("page-to");
  h.key(Key::end);
  h.type("10");  // 48*10
  ASSERT_TRUE(h.app.animation());
  EXPECT_EQ(h.app.animation()->to, 480);
  EXPECT_EQ(h.app.animation()->from, 70);
}

}  // namespace
}  // namespace orrery::gui::export_animation_test
