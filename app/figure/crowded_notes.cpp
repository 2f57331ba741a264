#include "app/figure/crowded_notes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include "app/figure/path.h"
#include "app/figure/text_box.h"

namespace orrery::figure {
namespace {

constexpr std::size_t fewest = 12, most = 256;  // fewer are no table; of more nobody reads each
constexpr double smallest = 0.6;
constexpr double gap = 0.4;     // between neighbours on a line, text sizes
constexpr double inked = 0.76;  // of a line's height: closer than that, letters touch those of the next line

/// Words, and the x from which they are written to either side.
struct Words {
  Rect box;
  double anchor;
  bool free;         ///< else in a room, where they stay whatever stands beside
  std::size_t mark;  ///< index in the panel
  double line;       ///< where their line stands on the page
  double middle() const { return box.y + box.h / 2; }
  double left() const { return anchor - box.x; }
  double right() const { return box.x + box.w - anchor; }
};

bool has_room_of_its_own(const Note& note) {
  return note.room > 0 || note.room_y > 0;
}

std::vector<Words> words_of(const Panel& panel, const PanelFrame& frame, const Theme& theme,
                            const TextMetrics& metrics) {
  std::vector<Words> all;
  const double in_rooms = roomed_notes_scale(panel, frame, theme, metrics);
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const auto* note = std::get_if<Note>(&panel.marks[i]);
    if (!note || note->paragraph || note->text.empty()) continue;
    const Point p = frame.to_page(note->x, note->y);
    const bool free = !has_room_of_its_own(*note);
    const TextStyle style{note->numbers ? Voice::numbers : Voice::words,
                          theme.text_size * note->size * (free ? 1 : in_rooms), false};
    const Rect box = label_box(
        Label{{p.x + note->dx, p.y + note->dy}, note->text, style, {}, note->h, note->v, true}, metrics);
    all.push_back({box, p.x + note->dx, free, i, p.y});
  }
  return all;
}

/// What two on one line, or one and the edge of the plot, are written smaller by to stand apart.
double beside(const Words& a, const Words& b, double between) {
  const Words &left = a.anchor <= b.anchor ? a : b, &right = a.anchor <= b.anchor ? b : a;
  const double room = right.anchor - left.anchor, wanted = left.right() + right.left();
  return room > between && wanted > 0 ? (room - between) / wanted : 1;
}
double within_plot(const Words& words, const Rect& plot) {
  const double left = words.anchor - plot.x, right = plot.x + plot.w - words.anchor;
  double scale = 1;
  if (left > 0 && words.left() > left) scale = std::min(scale, left / words.left());
  if (right > 0 && words.right() > right) scale = std::min(scale, right / words.right());
  return scale;
}

std::size_t notes_of(const Panel& panel) {
  return static_cast<std::size_t>(std::ranges::count_if(panel.marks, [](const Mark& mark) {
    const auto* note = std::get_if<Note>(&mark);
    return note && !note->paragraph;
  }));
}

/// What two of different lines, one above the other, are written smaller by to stand apart, at the least.
double above_each_other(const std::vector<Words>& all) {
  double scale = 1;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Rect &a = all[i].box, &b = all[j].box;
      if (all[i].line == all[j].line || a.x >= b.x + b.w || b.x >= a.x + a.w) continue;
      scale = std::min(scale, std::abs(all[i].middle() - all[j].middle()) / ((a.h + b.h) / 2));
    }
  return scale;
}

bool is_table(const Panel& panel, const PanelFrame& frame) {
  const std::size_t count = notes_of(panel);
  return count == panel.marks.size() && count >= fewest && count <= most && !panel.x.visible &&
         !panel.y.visible && frame.y_scale.kind() == Scale::Kind::linear;
}

}  // namespace

CutTable cut_table(const Panel& panel, const PanelFrame& frame, const Theme& theme,
                   const TextMetrics& metrics) {
  CutTable cut;
  if (!is_table(panel, frame)) return cut;
  const std::vector<Words> all = words_of(panel, frame, theme, metrics);
  const double scale = above_each_other(all);
  if (scale <= 0 || scale >= inked * smallest) return cut;
  cut.stretch = smallest / scale;
  const double top = frame.plot.y, bottom = top + frame.plot.h + 0.01;
  std::map<double, double> feet;  // of the lines, as they stand then
  for (const Words& words : all) {
    double& foot = feet.emplace(words.line, top).first->second;
    foot = std::max(foot, top + cut.stretch * (words.middle() - top) + smallest * words.box.h / 2);
  }
  const auto over = std::ranges::find_if(feet, [&](const auto& line) { return line.second > bottom; });
  if (over == feet.end()) return cut;
  const double last = over == feet.begin() ? over->first : std::prev(over)->first;
  for (const Words& words : all) {
    if (words.line < last) continue;
    cut.gone.insert(words.mark);
    if (words.line == last && !cut.dots) cut.dots = words.mark;
  }
  return cut;
}

double crowded_notes_scale(const Panel& panel, const PanelFrame& frame, const Theme& theme,
                           const TextMetrics& metrics) {
  if (const std::size_t count = notes_of(panel); count < fewest || count > most) return 1;
  const std::vector<Words> all = words_of(panel, frame, theme, metrics);
  const double between = gap * theme.text_size;
  double scale = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].free) scale = std::min(scale, within_plot(all[i], frame.plot));
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!all[i].free && !all[j].free) continue;
      const Rect &a = all[i].box, &b = all[j].box;
      const double apart = std::abs(a.y + a.h / 2 - b.y - b.h / 2), height = (a.h + b.h) / 2;
      if (apart > 1 && overlap(a, b)) scale = std::min(scale, apart / height);
      if (apart <= 1 && a.x < b.x + b.w + between && b.x < a.x + a.w + between)
        scale = std::min(scale, beside(all[i], all[j], between));
    }
  }
  return scale < 1 ? std::max(stepped_size(theme.text_size * scale) / theme.text_size, smallest) : 1;
}

double room_of(const Note& note, const PanelFrame& frame) {
  return std::abs(frame.to_page(note.x + note.room, note.y).x - frame.to_page(note.x, note.y).x);
}

double roomed_notes_scale(const Panel& panel, const PanelFrame& frame, const Theme& theme,
                          const TextMetrics& metrics) {
  constexpr double least = 0.7;
  double scale = 1;
  for (const Mark& mark : panel.marks) {
    const auto* note = std::get_if<Note>(&mark);
    if (!note || !has_room_of_its_own(*note) || note->text.empty()) continue;
    const Voice voice = note->numbers ? Voice::numbers : Voice::words;
    const double down = frame.to_page(note->x, note->y + note->room_y).y - frame.to_page(note->x, note->y).y;
    const auto too_large = [&](double at) {
      const Extent words = metrics.measure(note->text, {voice, at * theme.text_size * note->size, false});
      return (note->room > 0 && words.width > room_of(*note, frame)) ||
             (note->room_y > 0 && words.ascent + words.descent > std::abs(down));
    };
    while (scale > least && too_large(scale)) scale = std::max(least, 0.96 * scale);
  }
  return scale;
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
