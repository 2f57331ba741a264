#include "app/figure/crowded_notes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figure/path.h"
#include "app/figure/text_box.h"

namespace orrery::figure {
namespace {

constexpr std::size_t fewest = 12, most = 256;  // fewer are no table; of more nobody reads each
constexpr double smallest = 0.6;

std::vector<Rect> boxes_of(const Panel& panel, const PanelFrame& frame, const Theme& theme,
                           const TextMetrics& metrics) {
  std::vector<Rect> boxes;
  for (const Mark& mark : panel.marks) {
    const auto* note = std::get_if<Note>(&mark);
    if (!note || note->paragraph || note->text.empty()) continue;
    const Point p = frame.to_page(note->x, note->y);
    const TextStyle style{note->numbers ? Voice::numbers : Voice::words, theme.text_size * note->size, false};
    boxes.push_back(label_box(
        Label{{p.x + note->dx, p.y + note->dy}, note->text, style, {}, note->h, note->v, true}, metrics));
  }
  return boxes;
}

std::size_t notes_of(const Panel& panel) {
  return static_cast<std::size_t>(std::ranges::count_if(panel.marks, [](const Mark& mark) {
    const auto* note = std::get_if<Note>(&mark);
    return note && !note->paragraph;
  }));
}

}  // namespace

double crowded_notes_scale(const Panel& panel, const PanelFrame& frame, const Theme& theme,
                           const TextMetrics& metrics) {
  if (const std::size_t count = notes_of(panel); count < fewest || count > most) return 1;
  const std::vector<Rect> boxes = boxes_of(panel, frame, theme, metrics);
  double scale = 1;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const Rect &a = boxes[i], &b = boxes[j];
      const double apart = std::abs(a.y + a.h / 2 - b.y - b.h / 2), height = (a.h + b.h) / 2;
      if (apart > 1 && overlap(a, b)) scale = std::min(scale, apart / height);
    }
  return scale < 1 ? std::max(stepped_size(theme.text_size * scale) / theme.text_size, smallest) : 1;
}

bool struck_through(const Rect& words, const Scene& scene, std::size_t first) {
  constexpr double grazed = 1;  // points
  const Rect core = grown(words, -0.15 * words.h);
  for (std::size_t i = first; i < scene.primitives.size(); ++i)
    if (const auto* line = std::get_if<Polyline>(&scene.primitives[i])) {
      double length = 0;
      for (const Path& part : clip_path(line->points, core)) length += path_length(part);
      if (length > grazed) return true;
    }
  return false;
}

}  // namespace orrery::figure
