// A study's figure in the whole window, and where on the screen its parts are.
#pragma once

#include "tests/app/gui/harness.h"

namespace orrery::gui {

class FigureTest : public testing::Test {
 protected:
  static constexpr Key letter(char c) { return static_cast<Key>(c); }
  void open(const char* id) {
    h.app.start_with(study::find(id));
    h.settle();
    ASSERT_NE(h.app.result(), nullptr) << english(h.app.error());
  }
  const figure::Scene& scene() const { return h.frame.figure().scene(); }
  const figure::PanelFrame& panel(std::size_t i = 0) const { return scene().panels.at(i); }
  ImVec2 on_screen(figure::Point p) {
    const ItemBox area = h.item("figure");
    return {area.low.x + static_cast<float>(p.x), area.low.y + static_cast<float>(p.y)};
  }
  /// In shares of the plot, from its upper left corner.
  ImVec2 at(double across, double down, std::size_t i = 0) {
    const figure::Rect& r = panel(i).plot;
    return on_screen({r.x + across * r.w, r.y + down * r.h});
  }
  ImVec2 below(double across, std::size_t i = 0) {
    const figure::Rect& r = panel(i).plot;
    return on_screen({r.x + across * r.w, r.y + r.h + 10});
  }
  ImVec2 beside(double down, std::size_t i = 0) {
    const figure::Rect& r = panel(i).plot;
    return on_screen({r.x - 10, r.y + down * r.h});
  }
  ImVec2 entry(std::size_t i) {
    const figure::Rect& box = scene().legend.at(i).box;
    return on_screen({box.x + box.w / 2, box.y + box.h / 2});
  }
  void pause() { h.frames(60); }  // a second

  Harness h;
};

}  // namespace orrery::gui
