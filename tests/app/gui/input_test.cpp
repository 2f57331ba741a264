// What is done faster than frames come arrives in its order: each test pushes all of it at once, as a slow frame finds it.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/gui/input_queue.h"
#include "app/gui/rhythm.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::input_test {
namespace {

/// A window whose input goes through the queue, as that of GLFW does.
class InputTest : public testing::Test {
 protected:
  InputTest() : h({1280, 800}) {
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyMap[ImGuiKey_Backspace] = static_cast<int>(Key::backspace);
#endif
    h.before_frame = [this] {
      queue.feed(h.ui.keys);
      ++frames;
    };
  }
  void key(Key k, bool ctrl = false, char32_t text = 0) {
    constexpr int control = 341;
    if (ctrl) queue.push(KeyPressed{control, {static_cast<Key>(control)}});
    queue.push(KeyPressed{static_cast<int>(k), {k, ctrl}});
    if (text != 0) queue.push(TextTyped{text});
    queue.push(KeyReleased{static_cast<int>(k)});
    if (ctrl) queue.push(KeyReleased{control});
  }
  void type(std::string_view text) {
    for (const char c : text)
      key(Key{std::toupper(static_cast<unsigned char>(c))}, false, static_cast<char32_t>(c));
  }
  void click(ImVec2 at) {
    queue.push(PointerMoved{at.x, at.y});
    queue.push(ButtonTurned{0, true});
    queue.push(ButtonTurned{0, false});
  }
  /// Until nothing is left.
  void drain() {
    for (int i = 0; i < 500 && queue.pending(); ++i) h.frames();
    ASSERT_FALSE(queue.pending());
    h.frames(4);
  }

  InputQueue queue;
  Harness h;
  int frames = 0;
};

TEST_F(InputTest, WhatIsTypedBehindAChordGoesIntoTheFieldThatItOpens) {
  key(Key::p, true);
  type("wavelengths");
  key(Key::enter);
  drain();
  EXPECT_EQ(h.app.study().id, "rope/wavelengths");
}

TEST_F(InputTest, TheSearchFieldMissesNoLetter) {
  key(Key::f, true);
  type("sinusoidal");
  drain();
  EXPECT_TRUE(h.ui.items.find("study:position/sinusoidal"));
  EXPECT_FALSE(h.ui.items.find("study:norm/layer-norm"));
}

TEST_F(InputTest, ANumberIsTypedOnASliderInItsOrder) {
  h.ui.focus.set("parameter:base");
  h.frames(3);
  type("2^14");
  key(Key::enter);
  drain();
  EXPECT_EQ(h.app.settings().real("base"), 16384);

  h.ui.focus.set("parameter:base");
  h.frames(3);
  type("12345");
  key(Key::enter);
  drain();
  EXPECT_EQ(h.app.settings().real("base"), 12345);
}

TEST_F(InputTest, AValueIsClickedAndTypedAtOnce) {
  click(h.item("value:base").centre());
  type("4096");
  key(Key::enter);
  drain();
  EXPECT_EQ(h.app.settings().real("base"), 4096);
}

TEST_F(InputTest, KeysOfAFieldKeepTheirPlaceAmongItsLetters) {
  key(Key::p, true);
  type("wavx");
  key(Key::backspace);
  type("elengths");
  key(Key::enter);
  drain();
  EXPECT_EQ(h.app.study().id, "rope/wavelengths");
}

TEST_F(InputTest, EveryPressCountsHoweverManyComeAtOnce) {
  const auto all = study::studies();
  const auto at = [&] { return std::find(all.begin(), all.end(), &h.app.study()) - all.begin(); };
  const auto before = at();
  queue.push(PointerMoved{640, 400});
  for (int i = 0; i < 3; ++i) key(Key::down);
  drain();
  EXPECT_EQ(at(), before + 3);
}

TEST_F(InputTest, AKeyThatIsHeldDoesNotRunOnAfterItsRelease) {
  const auto all = study::studies();
  const auto at = [&] { return std::find(all.begin(), all.end(), &h.app.study()) - all.begin(); };
  const auto before = at();
  const int down = static_cast<int>(Key::down);
  queue.push(KeyPressed{down, {Key::down}});
  for (int i = 0; i < 50; ++i) queue.push(KeyPressed{down, {Key::down}, true});
  queue.push(KeyReleased{down});
  drain();
  EXPECT_LE(at(), before + 2);
}

TEST_F(InputTest, AClickShorterThanAFrameIsOneWhereItWasMade) {
  const ImVec2 there = h.item("parameter:pairing=half").centre();
  click(there);
  queue.push(PointerMoved{5, 5});  // and away again
  drain();
  EXPECT_EQ(h.app.settings().choice("pairing"), "half");
}

TEST_F(InputTest, MovesAndTurnsOfTheWheelAreOneEach) {
  for (int i = 0; i < 100; ++i) queue.push(PointerMoved{600 + static_cast<float>(i), 300});
  for (int i = 0; i < 100; ++i) queue.push(WheelTurned{0, 0.01f});
  frames = 0;
  while (queue.pending()) h.frames();
  EXPECT_EQ(frames, 2);
  EXPECT_EQ(ImGui::GetIO().MousePos.x, 699);
}

TEST_F(InputTest, AFieldTakesAWholeSentenceInOneFrame) {
  key(Key::p, true);
  drain();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  type("what is attention");
  frames = 0;
  while (queue.pending()) h.frames();
  EXPECT_LE(frames, 2);
}

TEST(Rhythm, DrawsAgainAfterAnEventAndThenRests) {
  Rhythm rhythm;
  double now = 10;
  for (int i = 0; i < Rhythm::frames_after_an_event; ++i) rhythm.drawn(now, 0.1);
  EXPECT_GT(rhythm.due({}), now + 1000) << "nothing happens";
  // However long the frame took in which it came.
  rhythm.happened();
  for (int i = 0; i < Rhythm::frames_after_an_event; ++i) {
    EXPECT_LE(rhythm.due({}), now + 0.2) << i;
    rhythm.drawn(now += 0.15, 0.15);
  }
  EXPECT_GT(rhythm.due({}), now + 1000);
  EXPECT_EQ(rhythm.due({.wake_after = 3}), now + 3);
  rhythm.news();
  EXPECT_LE(rhythm.due({}), now + 0.01);
}

TEST(Rhythm, PlaysAtTheDisplaysRateAndNoFasterThanSixty) {
  Rhythm rhythm;
  // A beat is asked for half a beat of the display early, which then ends it.
  for (const double rate : {50.0, 60.0, 75.0, 120.0, 144.0, 165.0, 240.0}) {
    rhythm.set_rate(rate, false);
    const double beats = std::ceil(rhythm.beat() * rate);
    EXPECT_LE(rate / beats, 61) << rate;
    EXPECT_GE(rate / beats, 37) << rate;
  }
  rhythm.set_rate(60, true);
  EXPECT_NEAR(rhythm.beat(), 1.0 / 30, 1e-9);
  rhythm.set_rate(0, false);
  EXPECT_LE(rhythm.beat(), 1.0 / 60);
}

TEST(Rhythm, LeavesTimeToOthersWhereDrawingIsSlowAndRestsWhileHidden) {
  Rhythm rhythm;
  for (int i = 0; i < 10; ++i) rhythm.drawn(1, 0.1);
  EXPECT_GE(rhythm.due({.playing = true}), 1.2);
  EXPECT_LE(rhythm.due({.playing = true}), 1.5);
  // What plays asks for results all the time: they are shown by the beat.
  rhythm.news();
  EXPECT_GE(rhythm.due({.playing = true}), 1.2);
  rhythm.happened();
  EXPECT_LE(rhythm.due({.playing = true}), 1.1) << "a person does not wait for it";
  EXPECT_GT(rhythm.due({.playing = true, .hidden = true}), 1000);
}

}  // namespace
}  // namespace orrery::gui::input_test
