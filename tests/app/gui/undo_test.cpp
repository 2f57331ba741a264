// Undo and redo of everything: whatever is done, all of it can be taken back to the very document it began with, and done
// again to the very document it ended with.
#include <gtest/gtest.h>

#include <random>

#include "app/gui/app.h"
#include "app/gui/tray.h"
#include "tests/app/study/draw.h"

namespace orrery::gui::undo_test {
namespace {

using study::drawn;

/// Chance with a seed: the same edits on every machine.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % std::max<std::size_t>(1, n); }
  double fraction() { return static_cast<double>(engine_()) / 4294967296.0; }
  bool coin() { return below(2) == 0; }

 private:
  std::mt19937 engine_;
};

const char* gesture_of(Dice& dice) {
  static constexpr const char* names[] = {"", "", "drag", "wheel", "key"};
  return names[dice.below(5)];
}

void change_a_parameter(App& app, Dice& dice) {
  const auto declared = app.study().parameters;
  if (declared.empty()) return;
  const parameter::Parameter& p = declared[dice.below(declared.size())];
  const parameter::Settings other = drawn(app.study(), dice.below(1000));
  switch (dice.below(4)) {
    case 0:
      app.change_text(p.name, other.text(p.name));
      break;
    case 1:
      app.reset(p.name);
      break;
    case 2:
      app.change_text(p.name, "no value at all");
      break;
    default:
      app.change(p.name, other.value(p.name), gesture_of(dice));
  }
}

void look_elsewhere(App& app, Dice& dice) {
  figure::View view = app.view();
  if (dice.coin()) {
    view.panels.resize(1 + dice.below(3));
    view.panels[dice.below(view.panels.size())].x = figure::Range{-dice.fraction(), 1 + dice.fraction()};
  } else {
    view.hidden.insert({static_cast<int>(dice.below(2)), static_cast<int>(dice.below(4))});
  }
  app.show(dice.below(8) == 0 ? figure::View{} : view, gesture_of(dice));
}

void change_the_tray(App& app, Dice& dice) {
  const std::size_t count = collected(app.document().tray).size();
  switch (dice.below(6)) {
    case 0:
      return move_collected(app, dice.below(count), dice.below(count));
    case 1:
      return remove_collected(app, dice.below(count));
    case 2:
      return duplicate_collected(app, dice.below(count));
    case 3:
      return retitle(app, dice.below(count), "Title " + std::to_string(dice.below(9)));
    case 4:
      return open_collected(app, dice.below(count));
    default: {
      if (count > 12) return;
      recipe::Recipe recipe;
      recipe.study = &app.study();
      recipe.settings = app.settings();
      const recipe::NamedRecipe figure{"", recipe, ""};
      app.edit("Collect", {}, [&](Document& d) { d.tray = with_recipes(d.tray, std::span(&figure, 1)); });
    }
  }
}

void change_the_rest(App& app, Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return app.set_device(dice.coin() ? study::DeviceChoice::ref : study::DeviceChoice::cpu);
    case 1:
      return app.edit("Width", gesture_of(dice), [&](Document& d) {
        d.panes.list = static_cast<float>(180 + dice.below(200));
        d.panes.tray_shown = dice.coin();
      });
    case 2:
      return app.edit("Pin", {}, [&](Document& d) {
        d.pinned = dice.coin() ? std::optional(d.live) : std::nullopt;
        d.together = static_cast<figure::CompareMode>(dice.below(3));
      });
    case 3:
      return app.edit("Lock", {}, [&](Document& d) {
        d.locked.insert(std::string(d.live.study->id) + "." + std::to_string(dice.below(5)));
      });
    default:
      if (!app.study().tries.empty()) app.try_out(app.study().tries[dice.below(app.study().tries.size())]);
  }
}

/// One thing that a person might do.
void act(App& app, Dice& dice) {
  switch (dice.below(12)) {
    case 0:
      app.open(*study::studies()[dice.below(study::studies().size())]);
      break;
    case 1:
      app.open_neighbour(dice.coin() ? 1 : -1);
      break;
    case 2:
      look_elsewhere(app, dice);
      break;
    case 3:
    case 4:
      change_the_tray(app, dice);
      break;
    case 5:
      change_the_rest(app, dice);
      break;
    case 6:
      app.undo();
      break;
    case 7:
      app.redo();
      break;
    case 8:
      app.hand(dice.coin(), dice.fraction());
      break;
    default:
      change_a_parameter(app, dice);
  }
}

TEST(UndoTest, AHundredThousandEditsAreTakenBackAndDoneAgainExactly) {
  // More than fit into the history would not all come back: rounds that fit, and many of them.
  constexpr std::size_t rounds = 210, acts = History::kept;
  std::size_t done = 0;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    App app;
    Dice dice(seed);
    const Document start = app.document();
    for (std::size_t i = 0; i < acts; ++i, ++done) {
      act(app, dice);
      if (i % 16 != 0 || !app.history().can_undo()) continue;
      const Document here = app.document();
      ASSERT_TRUE(app.undo() && app.redo());
      ASSERT_TRUE(app.document() == here) << "seed " << seed << ", act " << i;
    }
    while (app.redo()) continue;
    const Document end = app.document();
    while (app.undo()) continue;
    ASSERT_TRUE(app.document() == start) << "seed " << seed;
    while (app.redo()) continue;
    ASSERT_TRUE(app.document() == end) << "seed " << seed;
  }
  EXPECT_GE(done, 100'000u);
}

TEST(UndoTest, WhatIsOlderThanTheHistoryIsForgottenAndTheRestStays) {
  App app;
  for (std::size_t i = 0; i < 2 * History::kept; ++i)
    app.edit("Width", {}, [&](Document& d) { d.panes.list = static_cast<float>(200 + i); });
  std::size_t steps = 0;
  while (app.undo()) ++steps;
  EXPECT_EQ(steps, History::kept);
  EXPECT_EQ(app.document().panes.list, 200 + static_cast<float>(History::kept) - 1);
}

TEST(UndoTest, TurnsOfTheWheelThatFollowOneAnotherAreOneStep) {
  App app;
  const auto turn = [&](double to) {
    figure::View view;
    view.panels = {{figure::Range{0, to}, std::nullopt}};
    app.show(view, "view");
  };
  for (int i = 1; i <= 5; ++i) {
    turn(i);
    app.hand(false, 0.1);
  }
  app.hand(false, 2);  // a pause: the next turn is another thing
  turn(6);
  EXPECT_TRUE(app.undo());
  EXPECT_EQ(app.view().panels[0].x->hi, 5);
  EXPECT_TRUE(app.undo());
  EXPECT_TRUE(app.view().panels.empty());
  EXPECT_FALSE(app.history().can_undo());
}

TEST(UndoTest, ADragEndsWithTheButtonHoweverLongItRests) {
  App app;
  app.hand(true, 0);
  const auto drag = [&](float to) { app.edit("Width", "divider", [&](Document& d) { d.panes.list = to; }); };
  drag(240);
  app.hand(true, 30);
  drag(250);
  app.hand(false, 0.02);
  app.hand(true, 0.02);
  drag(260);  // taken up again at once: a drag of its own
  app.undo();
  EXPECT_EQ(app.document().panes.list, 250);
  app.undo();
  EXPECT_EQ(app.document().panes.list, Panes{}.list);
}

TEST(UndoTest, PlayingIsOneStep) {
  App app;
  app.start_with(study::find("rope/rotation"));
  const Document start = app.document();
  app.toggle_play();
  for (int i = 0; i < 200 && app.settings().text("position") == start.live.settings.text("position"); ++i) {
    app.update(0.1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_FALSE(app.document() == start);
  EXPECT_EQ(app.history().undo_what(), "Play Position");
  EXPECT_TRUE(app.undo());
  EXPECT_TRUE(app.document() == start);
  EXPECT_FALSE(app.history().can_undo());
  EXPECT_EQ(app.playing(), nullptr);
}

}  // namespace
}  // namespace orrery::gui::undo_test
