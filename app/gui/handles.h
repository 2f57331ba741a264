// Points in a figure that a person drags, and the parameter values they then mean.
#pragma once

#include <optional>

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

/// The nearest handle within `reach` points of the pointer.
std::optional<HandleId> handle_at(const figure::Figure&, const figure::Scene&, figure::Point,
                                  double reach = 12);

/// The value of the handle's parameter when it is dragged to `to` (data units), kept within what is allowed;
/// nothing where the parameter does not exist or is not a number or a vector.
std::optional<parameter::Value> dragged(const figure::Handle&, const parameter::Settings&,
                                        std::pair<double, double> to);

}  // namespace orrery::gui
