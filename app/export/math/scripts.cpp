// Sub- and superscripts, beside their nucleus or, at big operators in display style, above and below it.
#include <algorithm>

#include "app/export/math/layout.h"

namespace orrery::exporter::math {

Box Setter::scripts(const Node& node, Style style) const {
  const Node& nucleus_node = node.parts[0];
  const Box nucleus = set(nucleus_node, style);
  const bool has_sub = !node.parts[1].parts.empty();
  const bool has_sup = !node.parts[2].parts.empty();
  const Box sub = has_sub ? set(node.parts[1], style.subscript()) : Box{};
  const Box sup = has_sup ? set(node.parts[2], style.superscript()) : Box{};
  if (nucleus_node.limits == Limits::always ||
      (nucleus_node.limits == Limits::in_display && style.display())) {
    return limits(nucleus, sub, sup, style);
  }

  const Constants& c = constants();
  const double size = em(style);
  // A single character is drawn so that the shifts fit; anything larger hangs its scripts from its own
  // corners.
  const bool character = nucleus.character && !nucleus_node.big;
  double down = character ? 0 : nucleus.descent + c.subscript_baseline_drop_min * size;
  double up = character ? 0 : nucleus.ascent - c.superscript_baseline_drop_max * size;
  if (has_sub) {
    const double shift = has_sup ? c.subscript_shift_down : c.subscript_shift_down_alone;
    down = std::max(down, shift * size);
    if (!has_sup) down = std::max(down, sub.ascent - c.subscript_top_max * size);
  }
  if (has_sup) {
    const double shift = style.cramped     ? c.superscript_shift_up_cramped
                         : style.display() ? c.superscript_shift_up_display
                                           : c.superscript_shift_up;
    up = std::max({up, shift * size, sup.descent + c.superscript_bottom_min * size});
  }
  if (has_sub && has_sup) {
    const double gap = (up - sup.descent) - (sub.ascent - down);
    const double missing = c.sub_superscript_gap_min * size - gap;
    if (missing > 0) {
      // The exponent rises to its limit, the index sinks by what is left.
      const double rise = std::max(0.0, c.superscript_bottom_max_with_subscript * size - (up - sup.descent));
      up += rise;
      down += missing - rise;
    }
  }

  Box result;
  result.place(nucleus, 0, 0);
  // The index tucks in under a slanted letter; the exponent keeps clear of it. Fonts with cut-ins say more.
  double sub_x = nucleus.width - (nucleus.character || nucleus_node.big ? nucleus.italic : 0);
  double sup_x = nucleus.width;
  if (nucleus.character && !nucleus.glyphs.empty()) {
    const GlyphId letter = nucleus.glyphs.front().glyph;
    if (has_sub)
      sub_x += size * font_.script_kern(letter, HB_OT_MATH_KERN_BOTTOM_RIGHT, (sub.ascent - down) / size);
    if (has_sup)
      sup_x += size * font_.script_kern(letter, HB_OT_MATH_KERN_TOP_RIGHT, (up - sup.descent) / size);
  }
  if (has_sub) result.place(sub, sub_x, down);
  if (has_sup) result.place(sup, sup_x, -up);
  // One length in all styles, as \scriptspace is.
  result.width = std::max({has_sub ? sub_x + sub.width : 0, has_sup ? sup_x + sup.width : 0,
                           has_sub && !has_sup ? sub_x : nucleus.width}) +
                 c.space_after_script * size_;
  result.accent_at = result.width / 2;
  return result;
}

Box Setter::limits(const Box& nucleus, const Box& below, const Box& above, Style style) const {
  const Constants& c = constants();
  const double size = em(style);
  Box result;
  result.width = std::max({nucleus.width, below.width, above.width});
  result.place(nucleus, (result.width - nucleus.width) / 2, 0);
  const auto empty = [](const Box& box) { return box.width == 0 && box.ascent == 0 && box.descent == 0; };
  // A leaning sign (∫ with limits) leans its limits too.
  if (!empty(above)) {
    const double rise =
        std::max(c.upper_limit_baseline_rise_min * size, c.upper_limit_gap_min * size + above.descent);
    result.place(above, (result.width - above.width + nucleus.italic) / 2, -(nucleus.ascent + rise));
    result.ascent += c.limit_room * size;
  }
  if (!empty(below)) {
    const double drop =
        std::max(c.lower_limit_baseline_drop_min * size, c.lower_limit_gap_min * size + below.ascent);
    result.place(below, (result.width - below.width - nucleus.italic) / 2, nucleus.descent + drop);
    result.descent += c.limit_room * size;
  }
  result.accent_at = result.width / 2;
  return result;
}

/// \xrightarrow: an arrow as long as what stands on it, with room at both ends.
Box Setter::arrow(const Node& node, Style style) const {
  const double mu = em(style.superscript()) / 18;
  const auto with_room = [&](const Node& script, Style script_style) {
    Box box;
    if (script.parts.empty()) return box;
    const Box inside = set(script, script_style);
    box.place(inside, 5 * mu, 0);
    box.width = inside.width + 14 * mu;  // amsmath: 5 mu before, 9 behind
    return box;
  };
  const Box below = with_room(node.parts[0], style.subscript());
  const Box above = with_room(node.parts[1], style.superscript());
  const double side = 0.056 * em(style);  // the air beside the arrow's one glyph
  const Box sign = wide(node.code, std::max(below.width, above.width) - 2 * side, style);
  Box shaft;
  shaft.place(sign, side, 0);
  shaft.width = sign.width + 2 * side;
  // What stands on it stands on the shaft, not on the head.
  shaft.ascent = (constants().axis_height + 0.117) * em(style);
  shaft.descent = 0;
  return limits(shaft, below, above, style);
}

}  // namespace orrery::exporter::math
