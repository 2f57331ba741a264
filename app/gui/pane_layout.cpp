#include "app/gui/pane_layout.h"

#include <algorithm>
#include <cmath>

namespace orrery::gui {
namespace {

constexpr float least_figure = 340;

float within(float width, PaneRange range) {
  return std::clamp(width, range.least, range.most);
}

}  // namespace

PaneLayout arrange(const Panes& panes, float width) {
  const float room = width - std::max(least_figure, width / 2);
  PaneLayout layout;
  if (panes.inspector_shown) layout.inspector = within(panes.inspector, inspector_range);
  if (panes.list_shown) layout.list = within(panes.list, list_range);
  if (layout.list + layout.inspector <= room) return layout;

  const float least_inspector = panes.inspector_shown ? inspector_range.least : 0;
  if (panes.list_shown && list_range.least + least_inspector <= room) {
    if (panes.inspector_shown) layout.inspector = std::max(least_inspector, room - layout.list);
    layout.list = room - layout.inspector;
    return layout;
  }
  layout.list = 0;
  if (panes.inspector_shown)
    layout.inspector = std::max(inspector_range.least, std::min(layout.inspector, width - least_figure));
  if (width - layout.inspector < least_figure / 2) layout.inspector = 0;  // hardly a window at all
  return layout;
}

bool list_fits(const Panes& panes, float width) {
  Panes shown = panes;
  shown.list_shown = true;
  return arrange(shown, width).list > 0;
}

float fitting_scale(double wanted, int width, int height) {
  constexpr double least_width = 640, least_height = 400, smallest = 0.5, largest = 6;
  const double room = std::max(smallest, std::min(width / least_width, height / least_height));
  return static_cast<float>(
      std::floor(std::clamp(std::min(wanted, room), smallest, largest) * 20 + 0.5 - 1e-9) / 20);
}

Phrase too_large(double zoom, double natural, int width, int height) {
  constexpr double half_a_step = 1.0 / 40;
  const double shown = fitting_scale(zoom * natural, width, height);
  if (shown >= zoom * natural - 1.1 * half_a_step) return {};
  const auto percent = [](double share) { return static_cast<int>(std::lround(100 * share)); };
  return words("{} % does not fit into this window: it is shown at {} %", percent(zoom),
               percent(shown / natural));
}

}  // namespace orrery::gui
