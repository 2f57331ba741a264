// The figure without a mouse: its crosshair, its view, its legend, the parts that can be pressed; and which keys are its own.
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/handles.h"
#include "app/study/links.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::figure_keys_test {
namespace {

/// As a view hides it: its panel and its place there.
using LegendMark = std::pair<int, int>;

class FigureKeysTest : public testing::Test {
 protected:
  void open(const char* id) {
    h.app.start_with(study::find(id));
    h.settle();
    ASSERT_NE(h.app.result(), nullptr) << english(h.app.error());
    h.ui.focus.set("figure");
    h.frames();
  }
  /// A legend of some length, and the marks of its first two entries.
  void open_legend(LegendMark& first, LegendMark& second) {
    open("activation/functions");
    ASSERT_GE(scene().legend.size(), 3u);
    first = {scene().legend[0].panel, scene().legend[0].mark};
    second = {scene().legend[1].panel, scene().legend[1].mark};
  }
  const figure::Scene& scene() const { return h.frame.figure().scene(); }
  const figure::PanelFrame& panel(std::size_t i = 0) const { return scene().panels.at(i); }
  const std::optional<Readout>& readout() const { return h.frame.figure().readout(); }
  void letter(char c, bool shift = false) { h.key(Key{c}, false, shift); }
  /// Down once, said so many times as a keyboard repeats it, and up.
  void hold(const Chord& chord, int times) {
    compat::feed_modifiers(chord.ctrl, chord.shift);
    compat::feed_alt(chord.alt);
    compat::feed_key(chord.key, true);
    for (int i = 0; i < times; ++i) {
      h.ui.keys.push_back(chord);
      h.settle();
    }
    compat::feed_key(chord.key, false);
    compat::feed_modifiers(false, false);
    compat::feed_alt(false);
    h.frames(2);
  }
  /// The keyboard comes to the figure anew, and the crosshair goes from the middle of the plot in its own steps.
  void put_crosshair(figure::Point p) {
    const figure::Rect& plot = panel().plot;
    const auto steps = [](double to, double low, double length) {
      return static_cast<int>(std::lround(((to - low) / length - 0.5) * 50));
    };
    const int across = steps(p.x, plot.x, plot.w), down = steps(p.y, plot.y, plot.h);
    begin_anew();
    h.key(Key::right);  // it appears
    for (int i = 0; i < std::abs(across); ++i) h.key(across > 0 ? Key::right : Key::left);
    for (int i = 0; i < std::abs(down); ++i) h.key(down > 0 ? Key::down : Key::up);
  }
  void begin_anew() {
    h.ui.focus.leave();
    h.frames();
    h.ui.focus.set("figure");
    h.frames();
  }
  /// The middle of a part that chooses this, where the first panel has one.
  std::optional<figure::Point> part_for(std::string_view choice) const {
    const Declared declared = h.app.settings().declared();
    for (const figure::Handle& handle : h.app.result()->result.figure.panels[0].handles)
      if (is_region(handle, declared) && choice_of(handle, declared) == choice)
        if (const auto box = region_box(panel(), handle))
          return figure::Point{box->x + box->w / 2, box->y + box->h / 2};
    return std::nullopt;
  }

  Harness h;
};

TEST_F(FigureKeysTest, ArrowsMoveTheCrosshairAndItReads) {
  open("activation/functions");
  EXPECT_FALSE(readout());
  h.key(Key::right);
  ASSERT_TRUE(readout() && readout()->x);
  const double first = *readout()->x;
  h.key(Key::right);
  const double near = *readout()->x - first;
  EXPECT_GT(near, 0);
  h.key(Key::right, true);
  EXPECT_GT(*readout()->x - first, 4 * near);
  for (int i = 0; i < 20; ++i) h.key(Key::left, true);
  ASSERT_TRUE(readout() && readout()->x);
  EXPECT_NEAR(*readout()->x, panel().x.lo, 0.02 * panel().x.length()) << "it stays in the plot";
  h.key(Key::down);
  EXPECT_TRUE(h.ui.focus.on("figure"));
  EXPECT_EQ(h.app.view(), figure::View{});

  h.key(Key::escape);
  EXPECT_FALSE(readout());
  EXPECT_TRUE(h.ui.focus.on("figure"));
  h.key(Key::escape);
  EXPECT_TRUE(h.ui.focus.nowhere());
}

TEST_F(FigureKeysTest, PlusAndMinusZoomAndShiftPans) {
  open("activation/functions");
  const figure::Range x = panel().x, y = panel().y;
  h.key(Key::plus, false, true);
  EXPECT_NEAR(panel().x.length() * 1.2, x.length(), 1e-9 * x.length());
  EXPECT_NEAR(panel().y.length() * 1.2, y.length(), 1e-9 * y.length());
  h.key(Key::pad_minus);
  EXPECT_NEAR(panel().x.length(), x.length(), 1e-9 * x.length());
  h.key(Key::right, false, true);
  EXPECT_NEAR(panel().x.lo, x.lo + 0.1 * x.length(), 1e-6 * x.length()) << "what lay to the right comes";
  h.key(Key::up, false, true);
  EXPECT_NEAR(panel().y.lo, y.lo + 0.1 * y.length(), 1e-6 * y.length());
}

TEST_F(FigureKeysTest, PagesAreThePanels) {
  open("activation/functions");
  ASSERT_GE(scene().panels.size(), 2u);
  const figure::Range first = panel(0).y, second = panel(1).y;
  h.key(Key::page_down);
  h.key(Key::equal);
  EXPECT_EQ(panel(0).y, first);
  EXPECT_NE(panel(1).y, second);
}

TEST_F(FigureKeysTest, TheLegendIsWalkedThrough) {
  LegendMark first, second;
  ASSERT_NO_FATAL_FAILURE(open_legend(first, second));
  const auto& hidden = h.app.view().hidden;
  letter('N');
  ASSERT_TRUE(h.ui.items.find("region:legend"));
  h.key(Key::enter);
  EXPECT_TRUE(hidden.contains(first));
  h.key(Key::enter);
  EXPECT_TRUE(hidden.empty());
  letter('N');
  h.key(Key::enter, true);
  EXPECT_FALSE(hidden.contains(second));
  EXPECT_TRUE(hidden.contains(first));
  h.key(Key::enter, true, true);
  EXPECT_TRUE(hidden.empty());
  letter('N', true);
  h.key(Key::enter);
  EXPECT_TRUE(hidden.contains(first));
}

TEST_F(FigureKeysTest, EnterPressesThePartUnderTheCrosshair) {
  open("block/walk");
  const auto part = part_for("encoder_attention");
  ASSERT_TRUE(part) << "another part is needed here";
  ASSERT_NE(h.app.settings().choice("part"), "encoder_attention");
  put_crosshair(*part);
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().choice("part"), "encoder_attention");
}

/// The first press chooses a part, one more opens its study, where the same place may be a part again.
TEST_F(FigureKeysTest, EnterThatIsHeldIsOnePress) {
  open("block/walk");
  const auto steps = [&] { return h.app.history().undo_steps(); };
  const auto before = steps();
  const auto part = part_for("encoder_attention");
  ASSERT_TRUE(part);
  put_crosshair(*part);
  hold({Key::enter}, 4);
  EXPECT_EQ(h.app.study().id, "block/walk");
  EXPECT_EQ(h.app.settings().choice("part"), "encoder_attention");
  EXPECT_EQ(steps(), before + 1);

  const study::Link link = study::links_in(h.app.result()->result).at(0);
  const auto again = part_for("encoder_attention");
  ASSERT_TRUE(again);
  put_crosshair(*again);
  hold({Key::enter}, 4);
  EXPECT_EQ(h.app.study().id, link.study);
  EXPECT_TRUE(h.app.settings() == study::settings_of(link));
  EXPECT_EQ(steps(), before + 2);
}

TEST_F(FigureKeysTest, WhatTurnsBackAtTheNextPressDoesNotFlickerWhileItsKeyIsHeld) {
  LegendMark first, second;
  ASSERT_NO_FATAL_FAILURE(open_legend(first, second));
  const auto& hidden = h.app.view().hidden;
  letter('N');
  for (const Key enter : {Key::enter, Key::pad_enter}) {
    hold({enter}, 4);
    EXPECT_TRUE(hidden.contains(first));
    hold({enter}, 4);
    EXPECT_FALSE(hidden.contains(first));
  }
  hold({.key = Key::enter, .ctrl = true}, 4);
  EXPECT_FALSE(hidden.contains(first));
  EXPECT_TRUE(hidden.contains(second));
}

/// What the list names reaches no action while there is something for it to act on, and what it does not name always does:
/// by the list a person is told which of the own keys are taken by the figure.
TEST_F(FigureKeysTest, TheListOfItsOwnIsTrue) {
  open("activation/functions");
  std::vector<Chord> chords;
  std::string all;
  for (const std::string beside : {"", "Ctrl+", "Shift+", "Alt+", "Ctrl+Shift+"})
    for (const char* key :
         {"Left", "Down", "PageUp", "Home", "Enter", "Space", "Esc", "+", "=", "-", "N", "G"}) {
      const auto chord = parse_chord(beside + key);
      ASSERT_TRUE(chord) << beside << key;
      if (plain(*chord) != *chord) continue;  // no keyboard sends it
      chords.push_back(*chord);
      all += beside + key + " ";
    }
  const support::TemporaryFolder folder;
  std::ofstream(folder / "keys.toml") << "figure-alone = \"" << all << "\"\n";
  const auto said = h.frame.key_map.read(folder / "keys.toml");
  std::size_t own = 0;
  for (const Chord& chord : chords) {
    int arrived = 0;
    for (const bool in_legend : {false, true}) {
      begin_anew();
      h.key(in_legend ? Key{'N'} : Key::right);
      const Panes before = h.app.document().panes;
      hold(chord, 1);
      arrived += h.app.document().panes != before;
    }
    const std::string does = english(what_figure_does(chord));
    EXPECT_EQ(arrived < 2, !does.empty()) << chord_text(chord) << " " << does;
    own += !does.empty();
  }
  EXPECT_GE(own, 15u);
  EXPECT_EQ(said.size(), own) << "each is said";
}

TEST_F(FigureKeysTest, WithoutTheKeyboardTheFigureLeavesThemAlone) {
  open("activation/functions");
  h.ui.focus.leave();
  h.move({2, 2});
  h.key(Key::right);
  h.key(Key::plus);
  letter('N');
  EXPECT_FALSE(readout());
  EXPECT_EQ(h.app.view(), figure::View{});
  EXPECT_FALSE(h.ui.items.find("region:legend"));
}

TEST_F(FigureKeysTest, ThePointerIsReadAgainWhereItMoves) {
  open("activation/functions");
  h.key(Key::right);
  ASSERT_TRUE(readout() && readout()->x);
  const double by_key = *readout()->x;
  const ItemBox area = h.item("figure");
  const figure::Rect& plot = panel().plot;
  const auto at = [&](double share) {
    return ImVec2(area.low.x + static_cast<float>(plot.x + share * plot.w),
                  area.low.y + static_cast<float>(plot.y + 0.5 * plot.h));
  };
  h.move(at(0.1));
  h.move(at(0.12));
  ASSERT_TRUE(readout() && readout()->x);
  EXPECT_LT(*readout()->x, by_key - 0.2 * panel().x.length());
}

}  // namespace
}  // namespace orrery::gui::figure_keys_test
