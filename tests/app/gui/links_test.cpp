// A click on a part of a picture, and from a figure on to the study that takes its numbers.
#include "app/gui/links_section.h"

#include "tests/app/gui/harness.h"

namespace orrery::gui::links_test {
namespace {

TEST(LinksTest, AClickChoosesAPartAndOneMoreOpensItsStudyWithTheNumbers) {
  Harness h;
  h.app.start_with(study::find("block/walk"));
  h.settle();
  h.click("region:encoder_attention");
  h.settle();
  EXPECT_EQ(h.app.settings().choice("part"), "encoder_attention");
  const study::Link link = study::links_in(h.app.result()->result).at(0);
  h.click("region:encoder_attention");
  h.settle();
  EXPECT_EQ(h.app.study().id, "attention/steps");
  EXPECT_TRUE(h.app.settings() == study::settings_of(link));
  EXPECT_TRUE(h.app.undo());
  h.settle();
  EXPECT_EQ(h.app.study().id, "block/walk");
  EXPECT_EQ(h.app.settings().choice("part"), "encoder_attention");
}

TEST(LinksTest, WhatIsDraggedIsNoClick) {
  Harness h;
  h.app.start_with(study::find("block/walk"));
  h.settle();
  const std::string before = h.app.settings().choice("part");
  const ImVec2 from = h.item("region:encoder_attention").centre();
  h.drag(from, {from.x + 60, from.y + 20});
  h.settle();
  EXPECT_EQ(h.app.settings().choice("part"), before);
}

TEST(LinksTest, ARowOpensTheStudyAndOtherStudiesHaveNone) {
  Harness h;
  h.app.start_with(study::find("block/walk"));
  h.app.change_text("model", "llama");
  h.settle();
  h.click("link:1");
  h.settle();
  EXPECT_EQ(h.app.study().id, "rope/steps");
  EXPECT_EQ(h.app.settings().integer("position"), 2);
  EXPECT_FALSE(h.ui.items.find("link:0"));
}

TEST(LinksTest, APartWithoutALinkStaysChosen) {
  Harness h;
  h.app.start_with(study::find("block/walk"));
  h.settle();
  for (int i = 0; i < 2; ++i) {
    h.click("region:decoder_feed_forward");
    h.settle();
    EXPECT_EQ(h.app.study().id, "block/walk");
    EXPECT_EQ(h.app.settings().choice("part"), "decoder_feed_forward");
  }
}

TEST(LinksTest, InBoxModeAClickChoosesAPartToo) {
  Harness h;
  h.app.start_with(study::find("block/walk"));
  h.settle();
  h.move(h.item("region:encoder_attention").centre());
  h.key(Key{'O'});
  h.click("region:encoder_attention");
  EXPECT_EQ(h.app.settings().choice("part"), "encoder_attention");
}

TEST(LinksTest, AHandThatTremblesDoesNotPan) {
  Harness h;
  h.app.start_with(study::find("block/walk"));
  h.settle();
  const ImVec2 at = h.item("region:encoder_attention").centre();
  h.rest();
  h.move(at);
  compat::feed_mouse_button(0, true);
  h.frames();
  h.move({at.x + 2, at.y + 1});
  h.frames(3);
  compat::feed_mouse_button(0, false);
  h.frames(2);
  EXPECT_EQ(h.app.settings().choice("part"), "encoder_attention");
  EXPECT_EQ(h.app.view(), figure::View{});
}

}  // namespace
}  // namespace orrery::gui::links_test
