// Lines as triangles with soft edges. Dear ImGui's own polylines grow long spikes where noisy data turns back
// on itself.
#pragma once

#include <imgui.h>

#include <span>
#include <vector>

namespace orrery::gui {

/// Thickness and fringe in the draw list's units; a line thinner than the fringe is drawn at the fringe's
/// width and paler.
void stroke(ImDrawList&, std::span<const ImVec2> points, ImU32 color, float thickness, float fringe,
            bool closed);

/// The drawn pieces of a dashed line; `pattern` is on, off, on … in the points' units.
std::vector<std::vector<ImVec2>> dashes(std::span<const ImVec2> points, std::span<const double> pattern,
                                        bool closed);

}  // namespace orrery::gui
