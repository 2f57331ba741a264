#include "app/gui/pinned.h"

#include <algorithm>
#include <optional>

namespace orrery::gui {

// What is looked at is another figure each time: where it was zoomed to says nothing about that one.

void pin(App& app) {
  app.keep_pinned();
  app.edit("Pin", {}, [](Document& d) {
    d.pinned = d.live;
    d.view = {};
  });
  app.say(Notice::Kind::done, "pinned as A; what is changed now is B");
}

void unpin(App& app) {
  app.edit("Unpin", {}, [](Document& d) {
    d.pinned.reset();
    d.view = {};
  });
}

void swap_sides(App& app) {
  app.edit("Swap A and B", {}, [](Document& d) {
    if (!d.pinned) return;
    std::swap(*d.pinned, d.live);
    d.view = {};
  });
}

void return_to_pinned(App& app) {
  app.edit("Back to A", {}, [](Document& d) {
    if (!d.pinned) return;
    if (d.pinned->study != d.live.study) d.view = {};
    d.live = *d.pinned;
  });
}

void show_together(App& app, figure::CompareMode mode) {
  app.edit("Comparison", {}, [&](Document& d) {
    if (d.together == mode) return;
    d.together = mode;
    d.view = {};
  });
}

void compare_with_reference(App& app) {
  app.edit("Compare with the reference", {}, [](Document& d) {
    d.pinned = d.live;
    d.pinned->device = study::DeviceChoice::ref;
    d.together = figure::CompareMode::difference;
    d.view = {};
  });
}

bool differs_from_pinned(const App& app, const parameter::Parameter& p) {
  const std::optional<Side>& a = app.document().pinned;
  if (!a || a->study != &app.study()) return false;
  const auto all = recipe::differing(a->settings, app.settings());
  return std::ranges::find(all, &p) != all.end();
}

}  // namespace orrery::gui
