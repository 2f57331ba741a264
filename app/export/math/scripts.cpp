// Sub- and superscripts, beside their nucleus or, at big operators in display style, above and below it.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {

Box Setter::scripts(const Node& node, Style style) const {
  const Node& nucleus_node = node.parts[0];
  const Box nucleus = set(nucleus_node, style);
  if (nucleus_node.limits && style.display()) return limits(nucleus, node, style);

  const bool has_sub = !node.parts[1].parts.empty();
  const bool has_sup = !node.parts[2].parts.empty();
  const Constants& c = constants();
  const double size = em(style);
  // A single character is drawn so that the shifts fit; anything larger hangs its scripts from its own
  // corners.
  const bool character = nucleus.character && !nucleus_node.big;
  double down = character ? 0 : nucleus.descent + c.subscript_baseline_drop_min * em(style.subscript());
  double up = character ? 0 : nucleus.ascent - c.superscript_baseline_drop_max * em(style.superscript());

  Box sub;
  Box sup;
  if (has_sub) {
    sub = set(node.parts[1], style.subscript());
    down = std::max({down, c.subscript_shift_down * size, sub.ascent - c.subscript_top_max * size});
  }
  if (has_sup) {
    sup = set(node.parts[2], style.superscript());
    const double shift = style.cramped ? c.superscript_shift_up_cramped : c.superscript_shift_up;
    up = std::max({up, shift * size, sup.descent + c.superscript_bottom_min * size});
  }
  if (has_sub && has_sup) {
    const double gap = (up - sup.descent) - (sub.ascent - down);
    const double missing = c.sub_superscript_gap_min * size - gap;
    if (missing > 0) {
      // The exponent rises first, to its limit, then the index sinks.
      const double room = c.superscript_bottom_max_with_subscript * size - (up - sup.descent);
      const double rise = std::clamp(room, 0.0, missing);
      up += rise;
      down += missing - rise;
    }
  }

  Box result;
  result.place(nucleus, 0, 0);
  // The index tucks in under a slanted letter; the exponent keeps clear of it.
  const double sub_x = nucleus.width - (nucleus.character || nucleus_node.big ? nucleus.italic : 0);
  const double sup_x = nucleus.width;
  if (has_sub) result.place(sub, sub_x, down);
  if (has_sup) result.place(sup, sup_x, -up);
  result.width = std::max(has_sub ? sub_x + sub.width : 0, has_sup ? sup_x + sup.width : 0);
  result.width =
      std::max(result.width, has_sub && !has_sup ? sub_x : nucleus.width) + c.space_after_script * size;
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::limits(const Box& nucleus, const Node& node, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  const Box below = set(node.parts[1], style.subscript());
  const Box above = set(node.parts[2], style.superscript());
  Box result;
  result.width = std::max({nucleus.width, below.width, above.width});
  result.place(nucleus, (result.width - nucleus.width) / 2, 0);
  // A leaning sign (∫ with limits) leans its limits too.
  if (!node.parts[2].parts.empty()) {
    const double rise =
        std::max(c.upper_limit_baseline_rise_min * size, c.upper_limit_gap_min * size + above.descent);
    result.place(above, (result.width - above.width + nucleus.italic) / 2, -(nucleus.ascent + rise));
  }
  if (!node.parts[1].parts.empty()) {
    const double drop =
        std::max(c.lower_limit_baseline_drop_min * size, c.lower_limit_gap_min * size + below.ascent);
    result.place(below, (result.width - below.width - nucleus.italic) / 2, nucleus.descent + drop);
  }
  result.accent_at = result.width / 2;
  return result;
}

}  // namespace orrery::exporter::math
