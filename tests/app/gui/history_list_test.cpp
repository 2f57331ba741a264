// The list of what was done: where a click goes, and what each step says.
#include <string>

#include "app/gui/number_text.h"
#include "app/gui/pinned.h"
#include "app/gui/step_text.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::history_list_test {
namespace {

TEST(HistoryListTest, AClickGoesThere) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  for (const double base : {100.0, 200.0, 300.0}) h.app.change("base", base);
  h.frames();
  h.key(Key{'H'}, true);
  h.frames(3);
  h.click("history:-2");
  EXPECT_EQ(h.app.settings().real("base"), 100);
  EXPECT_EQ(h.app.history().redo_steps(), 2u);
  h.frames(2);
  h.click("history:2");
  EXPECT_EQ(h.app.settings().real("base"), 300);
}

TEST(HistoryListTest, AStepSaysWhatItChanged) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const std::string base = value_text(h.app.settings().value("base"));
  h.app.change("base", 777.0);
  h.app.change("base", 888.0);
  const auto last = [&] {
    const History& history = h.app.history();
    return step_text(h.ui, history.undo_what(0), history.undo_to(0), h.app.document());
  };
  EXPECT_EQ(last(), "Base 777 \u2192 888");
  const History& history = h.app.history();
  EXPECT_EQ(step_text(h.ui, history.undo_what(1), history.undo_to(1), history.undo_to(0)),
            "Base " + base + " \u2192 777");
  pin(h.app);
  EXPECT_EQ(last(), "Pin");
  show_together(h.app, figure::CompareMode::overlay);
  EXPECT_EQ(last(), "Comparison Side by side \u2192 Overlay");
  h.app.set_device(study::DeviceChoice::ref);
  EXPECT_EQ(last(), "Device cpu \u2192 ref");
  figure::View view = h.app.document().view;
  view.panels.resize(2);
  view.panels[1].x = figure::Range{2, 8.5};
  h.app.show(view);
  EXPECT_EQ(last(), "View x 2 \u2026 8.5");
  h.app.reset_all();
  EXPECT_EQ(last(), "Reset all parameters: Base 888 \u2192 " + base);
  h.app.open(study::find("norm/compare"));
  EXPECT_EQ(last(), study::find("norm/compare").title);
  h.app.undo();
  h.app.undo();
  EXPECT_EQ(step_text(h.ui, history.redo_what(0), h.app.document(), history.redo_to(0)),
            "Reset all parameters: Base 888 \u2192 " + base);
  h.key(Key{'H'}, true);
  h.frames(3);
  h.item("history:2");
}

}  // namespace
}  // namespace orrery::gui::history_list_test
