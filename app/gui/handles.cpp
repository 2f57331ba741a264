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

namespace {

using figure::Handle;
using figure::Point;

constexpr double dial_radius =
    2;  // units of the handle: dials side by side leave no gap in which a drag would pan
constexpr double least_arm =
    0.25;  // of a hand's length: nearer to its root a small move would be a large change

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double distance_to_hand(Point root, Point tip, Point p) {
  const double dx = tip.x - root.x, dy = tip.y - root.y, length2 = dx * dx + dy * dy;
  if (length2 == 0) return distance(root, p);
  const double along = std::clamp(((p.x - root.x) * dx + (p.y - root.y) * dy) / length2, least_arm, 1.0);
  return distance({root.x + along * dx, root.y + along * dy}, p);
}

bool of_kind(const Handle& handle, Declared declared, parameter::Kind kind) {
  return std::ranges::any_of(
      declared, [&](const parameter::Parameter& p) { return p.name == handle.parameter && p.kind == kind; });
}

bool is_hand(const Handle& handle, Declared declared) {
  return handle.across.empty() && of_kind(handle, declared, parameter::Kind::vector);
}

bool is_face(const figure::Panel& panel, const Handle& handle, Declared declared) {
  return of_kind(handle, declared, parameter::Kind::integer) &&
         std::ranges::any_of(panel.handles,
                             [&](const Handle& hand) { return face_of(panel, hand, declared) == &handle; });
}

Point root_of(const figure::PanelFrame& frame, const Handle& handle) {
  return frame.to_page(handle.origin_x, handle.origin_y);
}

}  // namespace

bool is_region(const Handle& handle, Declared declared) {
  return handle.across.size() == 1 && handle.up.size() == 1 &&
         of_kind(handle, declared, parameter::Kind::choice);
}

std::optional<figure::Rect> region_box(const figure::PanelFrame& frame, const Handle& handle) {
  const Point a = frame.to_page(handle.x - handle.across[0], handle.y - handle.up[0]),
              b = frame.to_page(handle.x + handle.across[0], handle.y + handle.up[0]);
  const figure::Rect& plot = frame.plot;
  const auto [left, right] = std::minmax(a.x, b.x);
  const auto [top, foot] = std::minmax(a.y, b.y);
  const double x = std::max(left, plot.x), y = std::max(top, plot.y);
  const double w = std::min(right, plot.x + plot.w) - x, h = std::min(foot, plot.y + plot.h) - y;
  return w > 0 && h > 0 ? std::optional(figure::Rect{x, y, w, h}) : std::nullopt;
}

std::string choice_of(const Handle& handle, Declared declared) {
  const auto own =
      std::ranges::find(declared, std::string_view(handle.parameter), &parameter::Parameter::name);
  if (own == declared.end()) return {};
  const std::vector<std::string_view> choices = parameter::choices_of(*own);
  const auto place = static_cast<std::size_t>(handle.component);
  return place < choices.size() ? std::string(choices[place]) : std::string();
}

std::optional<HandleId> region_at(const figure::Figure& figure, const figure::Scene& scene, Declared declared,
                                  Point p) {
  for (std::size_t i = 0; i < std::min(figure.panels.size(), scene.panels.size()); ++i) {
    const figure::PanelFrame& frame = scene.panels[i];
    if (!frame.plot.contains(p)) continue;
    const auto& handles = figure.panels[i].handles;
    for (std::size_t k = 0; k < handles.size(); ++k) {
      if (!is_region(handles[k], declared)) continue;
      if (const auto box = region_box(frame, handles[k]); box && box->contains(p))
        return HandleId{static_cast<int>(i), static_cast<int>(k)};
    }
  }
  return std::nullopt;
}

const Handle* face_of(const figure::Panel& panel, const Handle& hand, Declared declared) {
  if (!is_hand(hand, declared)) return nullptr;
  const auto face = std::ranges::find_if(panel.handles, [&](const Handle& other) {
    return other.x == hand.origin_x && other.y == hand.origin_y &&
           of_kind(other, declared, parameter::Kind::integer);
  });
  return face == panel.handles.end() ? nullptr : &*face;
}

std::optional<CellHandles> cell_handles(const figure::Panel& panel, Declared declared) {
  const auto along = [&](bool y) {
    const auto found = std::ranges::find_if(panel.handles, [&](const Handle& each) {
      return each.along_y == y && of_kind(each, declared, parameter::Kind::integer);
    });
    return found == panel.handles.end() ? nullptr : &*found;
  };
  const CellHandles both{along(false), along(true)};
  return both.across && both.down ? std::optional(both) : std::nullopt;
}

bool has_ring(const figure::Panel& panel, std::size_t k, Declared declared) {
  const Handle& own = panel.handles[k];
  const auto first = std::ranges::find(panel.handles, own.parameter, &Handle::parameter);
  return &*first == &own && !is_face(panel, own, declared) && !is_region(own, declared);
}

double ring_radius(const figure::PanelFrame& frame, const Handle& handle, Declared declared) {
  constexpr double usual = 6, least = 3, of_dial = 0.45;
  if (!is_hand(handle, declared)) return usual;
  const Point root = root_of(frame, handle);
  const double dial = distance(root, frame.to_page(handle.origin_x + handle.unit, handle.origin_y));
  return std::clamp(of_dial * dial, least, usual);
}

std::optional<HandleId> handle_at(const figure::Figure& figure, const figure::Scene& scene, Declared declared,
                                  Point p, double reach) {
  // A point before a hand before a dial; of each the nearest.
  struct Candidate {
    int rank = 3;
    double distance = 0;
    HandleId id;
  } best;
  for (std::size_t i = 0; i < std::min(figure.panels.size(), scene.panels.size()); ++i) {
    const figure::PanelFrame& frame = scene.panels[i];
    const figure::Panel& panel = figure.panels[i];
    for (std::size_t k = 0; k < panel.handles.size(); ++k) {
      const Handle& handle = panel.handles[k];
      if (is_region(handle, declared)) continue;
      const HandleId id{static_cast<int>(i), static_cast<int>(k)};
      const auto offer = [&](int rank, double far, double within) {
        if (far <= within && (rank < best.rank || (rank == best.rank && far < best.distance)))
          best = {rank, far, id};
      };
      const Point at = frame.to_page(handle.x, handle.y);
      const double to_point = distance(at, p);
      const bool hand = is_hand(handle, declared);
      // Cheap things first: a figure may have a hundred hands, and this is asked in every frame.
      if (to_point <= reach && in_sight(frame, handle) && (hand || !is_face(panel, handle, declared)))
        offer(0, to_point, reach);
      if (!hand || !frame.plot.contains(p)) continue;
      const Point root = root_of(frame, handle);
      const double radius =
          distance(root, frame.to_page(handle.origin_x + dial_radius * handle.unit, handle.origin_y));
      if (distance(root, p) > std::max(radius, distance(root, at) + reach)) continue;
      offer(1, distance_to_hand(root, at, p), reach / 2);
      offer(2, distance(root, p), radius);
    }
  }
  return best.rank < 3 ? std::optional(best.id) : std::nullopt;
}

Grab grab(const figure::PanelFrame& frame, const Handle& handle, Declared declared, Point from) {
  const Point start = frame.to_page(handle.x, handle.y), root = root_of(frame, handle);
  const double length = distance(root, start);
  Grab grab{start, from, root};
  grab.turns = is_hand(handle, declared) && length > 0;
  grab.stretches = grab.turns && distance(root, from) >= least_arm * length &&
                   distance_to_hand(root, start, from) <= 7 + 0.2 * length;
  return grab;
}

Point moved(const Grab& g, Point to) {
  if (!g.turns) return {g.start.x + to.x - g.from.x, g.start.y + to.y - g.from.y};
  const double fx = g.from.x - g.root.x, fy = g.from.y - g.root.y, tx = to.x - g.root.x, ty = to.y - g.root.y;
  const double from2 = fx * fx + fy * fy, from = std::sqrt(from2), far = std::hypot(tx, ty);
  if (from2 == 0 || far == 0) return g.start;
  // to / from as complex numbers; without the stretch, of length 1.
  const double whole = g.stretches ? from2 : from * far;
  const double re = (tx * fx + ty * fy) / whole, im = (ty * fx - tx * fy) / whole;
  const double sx = g.start.x - g.root.x, sy = g.start.y - g.root.y;
  return {g.root.x + sx * re - sy * im, g.root.y + sx * im + sy * re};
}

std::optional<parameter::Value> dragged(const figure::Handle& handle, const parameter::Settings& settings,
                                        std::pair<double, double> to) {
  const auto declared =
      std::find_if(settings.declared().begin(), settings.declared().end(),
                   [&](const parameter::Parameter& p) { return p.name == handle.parameter; });
  if (declared == settings.declared().end() || handle.unit == 0) return std::nullopt;
  double x = (to.first - handle.origin_x) / handle.unit, y = (to.second - handle.origin_y) / handle.unit;
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
  const double hx = (handle.x - handle.origin_x) / handle.unit,
               hy = (handle.y - handle.origin_y) / handle.unit;
  if (!handle.across.empty()) {  // projected
    for (std::size_t i = 0; i < std::min(handle.across.size(), handle.up.size()); ++i)
      if (first + i < components.size())
        put(first + i, components[first + i] + handle.across[i] * (x - hx) + handle.up[i] * (y - hy));
    return parameter::Value(components);
  }
  // Turned and stretched against its value: by what is undone here, as complex numbers.
  if (const double length2 = hx * hx + hy * hy; length2 > 0 && first + 1 < components.size()) {
    const double vx = components[first], vy = components[first + 1];
    if (vx != 0 || vy != 0) {
      const double re = (x * hx + y * hy) / length2, im = (y * hx - x * hy) / length2;
      x = vx * re - vy * im;
      y = vx * im + vy * re;
    }
  }
  put(first, x);
  put(first + 1, y);
  return parameter::Value(components);
}

}  // namespace orrery::gui
