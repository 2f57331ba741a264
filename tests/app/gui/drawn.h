// What of the last frame's drawing is in sight: corners of one colour within a box, that no clipping has cut away.
#pragma once

#include <algorithm>
#include <set>

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

}  // namespace orrery::gui
