#include "app/gui/marks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::gui {
namespace {

float thick(float size) {
  return std::max(1.0f, size * 0.11f);
}

/// Filled, pointing along (dx, dy).
void arrow_head(ImDrawList& draw, ImVec2 tip, float dx, float dy, float size, ImU32 ink) {
  const ImVec2 foot(tip.x - dx * size, tip.y - dy * size);
  const float half = size * 0.62f;
  draw.AddTriangleFilled(tip, {foot.x - dy * half, foot.y + dx * half},
                         {foot.x + dy * half, foot.y - dx * half}, ink);
}

/// Part of a circle with an arrow at its end; angles in turns, clockwise from the right.
void turning_arrow(ImDrawList& draw, ImVec2 m, float radius, float from, float to, float size, ImU32 ink) {
  constexpr float turn = 2 * std::numbers::pi_v<float>;
  draw.PathArcTo(m, radius, turn * from, turn * to, 20);
  draw.PathStroke(ink, 0, thick(size));
  const float sense = to > from ? 1.0f : -1.0f, angle = turn * to;
  const float dx = -std::sin(angle) * sense, dy = std::cos(angle) * sense, head = size * 0.34f;
  const ImVec2 end(m.x + radius * std::cos(angle), m.y + radius * std::sin(angle));
  arrow_head(draw, {end.x + dx * head * 0.8f, end.y + dy * head * 0.8f}, dx, dy, head, ink);
}

}  // namespace

void play_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2;
  draw.AddTriangleFilled({m.x - s * 0.7f, m.y - s}, {m.x + s, m.y}, {m.x - s * 0.7f, m.y + s}, ink);
}

void pause_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2;
  draw.AddRectFilled({m.x - s * 0.8f, m.y - s}, {m.x - s * 0.2f, m.y + s}, ink);
  draw.AddRectFilled({m.x + s * 0.3f, m.y - s}, {m.x + s * 0.9f, m.y + s}, ink);
}

void lock_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink, bool closed) {
  const float s = size / 2, line = thick(size);
  const ImVec2 low(m.x - s * 0.75f, m.y - s * 0.05f), high(m.x + s * 0.75f, m.y + s);
  const float bow = s * 0.46f, top = m.y - s * (closed ? 0.45f : 0.6f);
  // An open one is a line all around, its bow out of one side of the body.
  draw.PathLineTo({m.x - bow, low.y});
  draw.PathArcTo({m.x, top}, bow, std::numbers::pi_v<float>, 2 * std::numbers::pi_v<float>, 12);
  draw.PathLineTo({m.x + bow, closed ? low.y : top + s * 0.1f});
  draw.PathStroke(ink, 0, line);
  if (closed)
    draw.AddRectFilled(low, high, ink, s * 0.2f);
  else
    draw.AddRect({low.x + line / 2, low.y + line / 2}, {high.x - line / 2, high.y - line / 2}, ink, s * 0.2f,
                 0, line);
}

void dice_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2, line = thick(size), eye = size * 0.085f, off = s * 0.45f;
  draw.AddRect({m.x - s + line / 2, m.y - s + line / 2}, {m.x + s - line / 2, m.y + s - line / 2}, ink,
               size * 0.2f, 0, line);
  for (const float side : {-1.0f, 0.0f, 1.0f})
    draw.AddCircleFilled({m.x + side * off, m.y + side * off}, eye, ink);
}

void reset_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  turning_arrow(draw, m, size * 0.4f, 0.98f, 0.22f, size, ink);
}

void below_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2;
  draw.AddTriangleFilled({m.x - s, m.y - s * 0.5f}, {m.x + s, m.y - s * 0.5f}, {m.x, m.y + s * 0.75f}, ink);
}

void folder_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2, line = thick(size);
  draw.PathLineTo({m.x - s, m.y + s * 0.75f});
  draw.PathLineTo({m.x - s, m.y - s * 0.75f});
  draw.PathLineTo({m.x - s * 0.25f, m.y - s * 0.75f});
  draw.PathLineTo({m.x + s * 0.05f, m.y - s * 0.4f});
  draw.PathLineTo({m.x + s, m.y - s * 0.4f});
  draw.PathLineTo({m.x + s, m.y + s * 0.75f});
  draw.PathStroke(ink, ImDrawFlags_Closed, line);
}

void round_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  turning_arrow(draw, m, size * 0.4f, -0.12f, 0.68f, size, ink);
}

void back_and_forth_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2, head = size * 0.36f;
  draw.AddLine({m.x - s + head, m.y}, {m.x + s - head, m.y}, ink, thick(size));
  arrow_head(draw, {m.x - s, m.y}, -1, 0, head, ink);
  arrow_head(draw, {m.x + s, m.y}, 1, 0, head, ink);
}

void once_mark(ImDrawList& draw, ImVec2 m, float size, ImU32 ink) {
  const float s = size / 2, head = size * 0.36f, line = thick(size);
  draw.AddLine({m.x - s, m.y}, {m.x + s - line - head, m.y}, ink, line);
  arrow_head(draw, {m.x + s - line, m.y}, 1, 0, head, ink);
  draw.AddLine({m.x + s - line / 2, m.y - s * 0.6f}, {m.x + s - line / 2, m.y + s * 0.6f}, ink, line);
}

}  // namespace orrery::gui
