// Simple polygons, convex or not, into triangles.
#pragma once

#include <imgui.h>

#include <array>
#include <span>
#include <vector>

namespace orrery::gui {

using Triangle = std::array<int, 3>;

/// By clipping ears: n − 2 triangles whose corners are indices into `points`, in either turning direction. A polygon that
/// comes by one point twice, as a band does where it has no width, is taken apart there, and has fewer. One that crosses
/// itself gives some covering of it, and always an end.
std::vector<Triangle> triangulate(std::span<const ImVec2> points);

/// Positive when the points turn clockwise on a page whose y grows downwards.
double signed_area(std::span<const ImVec2> points);

}  // namespace orrery::gui
