// Points in a figure that a person drags, and the parameter values they then mean.
//
// The handle of a vector is the tip of a hand that turns about the handle's origin: it may be grabbed anywhere along the
// hand, and within its dial, 2 units around. It may stand turned and stretched against the value, as a vector that was
// rotated does: how it stands to it is kept while it is dragged. Of several handles of one parameter in a panel only the
// first has its ring all the time. The handle of a whole number that stands at the origin of a hand is the dial's face: it
// is not dragged; a press on the dial that does not become a drag sets it.
//
// The handle of a choice is a part of the picture, `across` and `up` half its width and its height about (x, y): a press that
// does not become a drag chooses what stands at `component` among the choices; on what is chosen already it follows that
// panel's first link (app/study/links.h).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/figure/scene.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

/// Which handle of a figure: panel and place in its list.
struct HandleId {
  int panel = 0, handle = 0;
  bool operator==(const HandleId&) const = default;
};

/// Whether the panel shows the place where the handle stands: zoomed in, it may not.
bool in_sight(const figure::PanelFrame&, const figure::Handle&);

/// The parameters that a study declares: they say of which kind a handle is.
using Declared = std::span<const parameter::Parameter>;

/// The nearest handle within `reach` points of the pointer; else a hand that is as near, else one whose dial it is in.
std::optional<HandleId> handle_at(const figure::Figure&, const figure::Scene&, Declared, figure::Point,
                                  double reach = 14);
/// The part of the picture there that a press chooses; it has no ring.
std::optional<HandleId> region_at(const figure::Figure&, const figure::Scene&, Declared, figure::Point);
bool is_region(const figure::Handle&, Declared);
/// What the panel shows of it: zoomed in, a part of it or nothing.
std::optional<figure::Rect> region_box(const figure::PanelFrame&, const figure::Handle&);
/// What a press on it makes of its parameter.
std::string choice_of(const figure::Handle&, Declared);

/// Whether its ring is drawn all the time.
bool has_ring(const figure::Panel&, std::size_t handle, Declared);
/// Of that ring, in points: smaller where it would cover the dial of its hand.
double ring_radius(const figure::PanelFrame&, const figure::Handle&, Declared);
/// Two handles of whole numbers, one along each axis: together they stand for a cell of a map.
struct CellHandles {
  const figure::Handle *across, *down;
};
std::optional<CellHandles> cell_handles(const figure::Panel&, Declared);
/// The face of the dial that a hand turns on.
const figure::Handle* face_of(const figure::Panel&, const figure::Handle& hand, Declared);

/// Where a handle goes that stood at `start` when it was grabbed at `from`: it keeps its place under the pointer, so that
/// nothing jumps. A hand turns about its root; grabbed near the root, or beside the hand, it keeps its length.
struct Grab {
  figure::Point start, from, root;
  bool turns = false, stretches = false;
};
Grab grab(const figure::PanelFrame&, const figure::Handle&, Declared, figure::Point from);
figure::Point moved(const Grab&, figure::Point to);

/// The value of the handle's parameter when it is dragged to `to` (data units), kept within what is allowed;
/// nothing where the parameter does not exist or is not a number or a vector. A vector's handle as it was grabbed says
/// with the settings of then how it stands to its value.
std::optional<parameter::Value> dragged(const figure::Handle&, const parameter::Settings&,
                                        std::pair<double, double> to);

}  // namespace orrery::gui
