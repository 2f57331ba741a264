#include "app/gui/handles.h"

#include <algorithm>
#include <cmath>

#include "app/gui/slider_scale.h"

namespace orrery::gui {

bool in_sight(const figure::PanelFrame& frame, const figure::Handle& handle) {
  constexpr double rim = 2;  // points: a handle on an axis is in sight
  const figure::Rect& r = frame.plot;
  return figure::Rect{r.x - rim, r.y - rim, r.w + 2 * rim, r.h + 2 * rim}.contains(
      frame.to_page(handle.x, handle.y));
}

std::optional<HandleId> handle_at(const figure::Figure& figure, const figure::Scene& scene, figure::Point p,
                                  double reach) {
  std::optional<HandleId> nearest;
  for (std::size_t i = 0; i < std::min(figure.panels.size(), scene.panels.size()); ++i) {
    const std::vector<figure::Handle>& handles = figure.panels[i].handles;
    for (std::size_t k = 0; k < handles.size(); ++k) {
      const figure::Point at = scene.panels[i].to_page(handles[k].x, handles[k].y);
      const double distance = std::hypot(at.x - p.x, at.y - p.y);
      if (!(distance <= reach) || !in_sight(scene.panels[i], handles[k])) continue;
      reach = distance;
      nearest = HandleId{static_cast<int>(i), static_cast<int>(k)};
    }
  }
  return nearest;
}

std::optional<parameter::Value> dragged(const figure::Handle& handle, const parameter::Settings& settings,
                                        std::pair<double, double> to) {
  const auto declared =
      std::find_if(settings.declared().begin(), settings.declared().end(),
                   [&](const parameter::Parameter& p) { return p.name == handle.parameter; });
  if (declared == settings.declared().end() || handle.unit == 0) return std::nullopt;
  const double x = (to.first - handle.origin_x) / handle.unit,
               y = (to.second - handle.origin_y) / handle.unit;
  if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
  if (declared->kind == parameter::Kind::integer || declared->kind == parameter::Kind::real)
    return nearest_allowed(*declared, handle.along_y ? y : x);
  if (declared->kind != parameter::Kind::vector) return std::nullopt;

  std::vector<double> components = settings.vector(declared->name);
  const auto first = static_cast<std::size_t>(handle.component);
  const auto put = [&](std::size_t i, double v) {
    // A thousandth of a unit is finer than a pixel, and keeps recipes readable.
    if (i < components.size())
      components[i] = std::clamp(std::round(v * 1000) / 1000, declared->min, declared->max);
  };
  put(first, x);
  put(first + 1, y);
  return parameter::Value(components);
}

}  // namespace orrery::gui
