#include "app/gui/stroke.h"

#include <algorithm>
#include <cmath>

namespace orrery::gui {
namespace {

// A quarter circle of turn and more is bevelled: a mitre would stand out too far.
constexpr float bevel_below_cosine = 0.3f;
// Indices have 16 bits, and each cross-section takes four vertices.
constexpr std::size_t sections_at_once = 8000;

ImVec2 operator+(ImVec2 a, ImVec2 b) {
  return {a.x + b.x, a.y + b.y};
}
ImVec2 operator-(ImVec2 a, ImVec2 b) {
  return {a.x - b.x, a.y - b.y};
}
ImVec2 operator*(ImVec2 a, float s) {
  return {a.x * s, a.y * s};
}
float dot(ImVec2 a, ImVec2 b) {
  return a.x * b.x + a.y * b.y;
}
float length(ImVec2 a) {
  return std::sqrt(dot(a, a));
}

/// Where the line is cut across, and in which direction: `across` has length 1, or a little more at a mitre.
struct Section {
  ImVec2 at, across;
};

void join(std::vector<Section>& sections, ImVec2 at, ImVec2 before, ImVec2 after) {
  const float cosine = dot(before, after);
  if (cosine < bevel_below_cosine) {
    sections.push_back({at, before});
    sections.push_back({at, after});
  } else {
    const ImVec2 sum = before + after;
    sections.push_back({at, sum * (2 / dot(sum, sum))});
  }
}

std::vector<Section> sections_of(std::span<const ImVec2> points, bool closed) {
  std::vector<ImVec2> path;
  for (const ImVec2& p : points)
    if (path.empty() || length(p - path.back()) > 1e-4f) path.push_back(p);
  if (closed && path.size() > 2 && length(path.front() - path.back()) > 1e-4f) path.push_back(path.front());
  if (path.size() < 2) return {};

  std::vector<ImVec2> normals;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const ImVec2 d = path[i] - path[i - 1];
    normals.push_back(ImVec2(-d.y, d.x) * (1 / length(d)));
  }
  std::vector<Section> sections;
  const bool ring = closed && path.size() > 3;
  if (ring)
    join(sections, path.front(), normals.back(), normals.front());
  else
    sections.push_back({path.front(), normals.front()});
  for (std::size_t i = 1; i < normals.size(); ++i) join(sections, path[i], normals[i - 1], normals[i]);
  if (ring)
    join(sections, path.back(), normals.back(), normals.front());
  else
    sections.push_back({path.back(), normals.back()});
  return sections;
}

void emit(ImDrawList& draw, std::span<const Section> sections, ImU32 color, float core, float outer) {
  const ImU32 clear = color & ~IM_COL32_A_MASK;
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  const int count = static_cast<int>(sections.size());
  draw.PrimReserve((count - 1) * 18, count * 4);
  for (int i = 0; i < count; ++i) {
    const unsigned first = draw._VtxCurrentIdx;
    const auto [at, across] = sections[static_cast<std::size_t>(i)];
    draw.PrimWriteVtx(at + across * outer, uv, clear);
    draw.PrimWriteVtx(at + across * core, uv, color);
    draw.PrimWriteVtx(at - across * core, uv, color);
    draw.PrimWriteVtx(at - across * outer, uv, clear);
    if (i == 0) continue;
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned a = first - 4 + k, b = first + k;
      for (const unsigned index : {a, a + 1, b + 1, a, b + 1, b})
        draw.PrimWriteIdx(static_cast<ImDrawIdx>(index));
    }
  }
}

}  // namespace

void stroke(ImDrawList& draw, std::span<const ImVec2> points, ImU32 color, float thickness, float fringe,
            bool closed) {
  const std::vector<Section> sections = sections_of(points, closed);
  if (sections.size() < 2 || thickness <= 0) return;
  if (thickness < fringe) {
    const auto alpha = static_cast<float>(color >> IM_COL32_A_SHIFT) * thickness / fringe;
    color = (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(std::lround(alpha)) << IM_COL32_A_SHIFT);
    thickness = fringe;
  }
  const float core = (thickness - fringe) / 2, outer = (thickness + fringe) / 2;
  for (std::size_t from = 0; from + 1 < sections.size(); from += sections_at_once - 1)
    emit(draw, std::span(sections).subspan(from, std::min(sections_at_once, sections.size() - from)), color,
         core, outer);
}

std::vector<std::vector<ImVec2>> dashes(std::span<const ImVec2> points, std::span<const double> pattern,
                                        bool closed) {
  std::vector<std::vector<ImVec2>> pieces;
  double period = 0;
  for (const double part : pattern) period += part;
  if (points.size() < 2 || !(period > 0)) return pieces;

  std::size_t part = 0;
  double left = pattern[0];
  const auto drawn = [&] { return part % 2 == 0; };
  pieces.push_back({points[0]});
  const std::size_t count = points.size() + (closed ? 1 : 0);
  for (std::size_t i = 1; i < count; ++i) {
    ImVec2 from = points[i - 1];
    const ImVec2 to = points[i % points.size()];
    double rest = length(to - from);
    while (rest > left) {
      const ImVec2 cut = from + (to - from) * static_cast<float>(left / rest);
      if (drawn())
        pieces.back().push_back(cut);
      else
        pieces.push_back({cut});
      rest -= left;
      from = cut;
      part = (part + 1) %
             (pattern.size() + pattern.size() % 2);  // an odd pattern is read twice, as Cairo reads it
      left = pattern[part % pattern.size()];
    }
    left -= rest;
    if (drawn()) pieces.back().push_back(to);
  }
  std::erase_if(pieces, [](const auto& piece) { return piece.size() < 2; });
  return pieces;
}

}  // namespace orrery::gui
