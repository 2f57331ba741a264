// What of the last frame's drawing is in sight: corners of one colour within a box, that no clipping has cut away, and what
// colour one window's drawing leaves at a place.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "app/figure/contrast.h"
#include "app/gui/items.h"
#include "app/gui/style.h"

namespace orrery::gui {

struct Drawn {
  int corners = 0;
  float left = 1e9f, right = -1e9f;  ///< of them all
};

inline Drawn drawn(ItemBox area, ImU32 ink) {
  Drawn found;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i) {
    const ImDrawList& list = *data->CmdLists[i];
    std::set<int> seen;  // a corner is of several triangles
    for (const ImDrawCmd& cmd : list.CmdBuffer)
      for (unsigned k = 0; k < cmd.ElemCount; ++k) {
        const auto index =
            static_cast<int>(cmd.VtxOffset + list.IdxBuffer[static_cast<int>(cmd.IdxOffset + k)]);
        const ImDrawVert& v = list.VtxBuffer[index];
        const bool clipped = v.pos.x < cmd.ClipRect.x || v.pos.x > cmd.ClipRect.z ||
                             v.pos.y < cmd.ClipRect.y || v.pos.y > cmd.ClipRect.w;
        if (v.col != ink || clipped || !area.holds(v.pos) || !seen.insert(index).second) continue;
        ++found.corners;
        found.left = std::min(found.left, v.pos.x);
        found.right = std::max(found.right, v.pos.x);
      }
  }
  return found;
}

/// What a window draws itself, without the panes in it; nullptr where it is not there.
inline const ImDrawList* drawing_of(std::string_view window) {
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i)
    if (const char* name = data->CmdLists[i]->_OwnerName; name && name == window) return data->CmdLists[i];
  return nullptr;
}

/// The colour of a triangle at a place within it.
inline std::optional<figure::Color> colour_within(const ImDrawVert& a, const ImDrawVert& b,
                                                  const ImDrawVert& c, ImVec2 at) {
  const auto cross = [&](ImVec2 to, ImVec2 and_to) {
    return (to.x - a.pos.x) * (and_to.y - a.pos.y) - (and_to.x - a.pos.x) * (to.y - a.pos.y);
  };
  const float area = cross(b.pos, c.pos);
  if (area == 0) return std::nullopt;
  const float of_b = cross(at, c.pos) / area, of_c = cross(b.pos, at) / area, of_a = 1 - of_b - of_c;
  constexpr float rounding = -1e-4f;  // places on an edge are within
  if (of_a < rounding || of_b < rounding || of_c < rounding) return std::nullopt;
  const auto mixed = [&](int shift) {
    const auto channel = [&](ImU32 ink) { return static_cast<float>(ink >> shift & 0xFF); };
    const float sum = of_a * channel(a.col) + of_b * channel(b.col) + of_c * channel(c.col);
    return static_cast<std::uint8_t>(std::lround(std::clamp(sum, 0.0f, 255.0f)));
  };
  return figure::Color{mixed(IM_COL32_R_SHIFT), mixed(IM_COL32_G_SHIFT), mixed(IM_COL32_B_SHIFT),
                       mixed(IM_COL32_A_SHIFT)};
}

/// What a drawing of fills and lines makes of a colour that lies under it there.
inline figure::Color painted(const ImDrawList& list, ImVec2 at, figure::Color under) {
  for (const ImDrawCmd& cmd : list.CmdBuffer) {
    const ImVec4& sight = cmd.ClipRect;
    if (!ItemBox{{sight.x, sight.y}, {sight.z, sight.w}}.holds(at)) continue;
    const auto corner = [&](unsigned k) -> const ImDrawVert& {
      const auto place = static_cast<int>(cmd.IdxOffset + k);
      return list.VtxBuffer[static_cast<int>(cmd.VtxOffset + list.IdxBuffer[place])];
    };
    for (unsigned k = 0; k + 2 < cmd.ElemCount; k += 3)
      if (const auto ink = colour_within(corner(k), corner(k + 1), corner(k + 2), at))
        under = figure::over(*ink, under);
  }
  return under;
}

}  // namespace orrery::gui
