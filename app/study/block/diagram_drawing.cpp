#include "app/study/block/diagram_drawing.h"

#include <algorithm>
#include <utility>

#include "app/study/kit/panels.h"

namespace orrery::study::diagram {

using figure::Arrows;
using figure::Ink;
using figure::Line;
using figure::Note;
using figure::Panel;
using figure::Role;
using figure::Shape;

namespace {

Ink ground_of(Box kind) {
  switch (kind) {
    case Box::embedding:
      return {Role::series, 3, 0.22};
    case Box::attention:
      return {Role::series, 1, 0.24};
    case Box::network:
      return {Role::series, 0, 0.24};
    case Box::norm:
      return {Role::series, 5, 0.26};
    case Box::head:
      break;
  }
  return {Role::series, 2, 0.22};
}

/// In letters: a character of three bytes or four is as wide as two.
double letters_of(const std::string& words) {
  double letters = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) letters += byte < 0xe0 ? 1 : 2;
  }
  return letters;
}

/// The size at which words stay inside of a box, as a part of the page's: a box 3.8 wide holds nine letters of size 1.
double fitting(const std::string& words, double width) {
  return 9.0 / 3.8 * width / letters_of(words);
}
/// As much of a box as words may take where a page's letters are wide for it.
constexpr double in_box = 0.94;

}  // namespace

Drawing::Drawing(const Look& look) : look_(look) {
  panel_.title = look.title;
  panel_.legend = figure::LegendPlace::none;
}

void Drawing::line(std::vector<double> x, std::vector<double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) meet(x[i], y[i]);
  panel_.marks.emplace_back(Line{.x = std::move(x),
                                 .y = std::move(y),
                                 .ink = ink(Role::secondary),
                                 .width = 0.8,
                                 .dash_by_series = false,
                                 .reading = {.none = true}});
}

void Drawing::arrow(double x0, double y0, double x1, double y1) {
  meet(x0, y0), meet(x1, y1);
  panel_.marks.emplace_back(Arrows{.x = {x0},
                                   .y = {y0},
                                   .dx = {x1 - x0},
                                   .dy = {y1 - y0},
                                   .ink = ink(Role::secondary),
                                   .width = 0.8,
                                   .head = 4});
}

void Drawing::note(Note note, double beyond) {
  meet(note.x, note.y), meet(note.x + beyond, note.y);
  panel_.marks.emplace_back(std::move(note));
}

double Drawing::box(Box kind, const std::string& part, double x, double y, double width,
                    const std::string& name, const std::string& detail) {
  const double height = detail.empty() ? box_height : two_lines, half = width / 2;
  const bool chosen = is_chosen(part);
  panel_.marks.emplace_back(Shape{.x = {x - half, x + half, x + half, x - half},
                                  .y = {y, y, y + height, y + height},
                                  .fill = chosen ? ink(Role::accent_ground) : ground_of(kind),
                                  .edge = chosen ? ink(Role::accent) : ink(Role::outline),
                                  .width = chosen ? 1.8 : 0.7});
  const Ink words = ink(chosen ? Role::accent : Role::text);
  const double middle = y + height / 2, apart = detail.empty() ? 0 : 0.24;
  note({.x = x,
        .y = middle + apart,
        .text = name,
        .ink = words,
        .size = std::min(0.72, fitting(name, width)),
        .room = in_box * width,
        .room_y = height,
        .whole = true});
  if (!detail.empty())
    note({.x = x,
          .y = middle - apart - 0.04,
          .text = detail,
          .ink = ink(chosen ? Role::accent : Role::secondary),
          .size = std::min(0.58, fitting(detail, width)),
          .room = in_box * width,
          .room_y = height,
          .whole = true});
  offer(part, x, middle, half, height / 2);
  return y + height;
}

void Drawing::plus(const std::string& part, double x, double y) {
  // A chosen one has the accent's colour alone: in a small diagram a ground or bolder lines would leave nothing of the cross.
  const Ink line_ink = ink(is_chosen(part) ? Role::accent : Role::secondary);
  Shape sum = disc(x, y, plus_radius);
  sum.fill = {};
  sum.edge = line_ink;
  sum.width = 0.9;
  panel_.marks.emplace_back(std::move(sum));
  const double arm = 0.6 * plus_radius;
  for (const auto& [dx, dy] : {std::pair{arm, 0.0}, {0.0, arm}})
    panel_.marks.emplace_back(Line{.x = {x - dx, x + dx},
                                   .y = {y - dy, y + dy},
                                   .ink = line_ink,
                                   .width = 0.9,
                                   .dash_by_series = false,
                                   .reading = {.none = true}});
  offer(part, x, y, 1.6 * plus_radius, 1.6 * plus_radius);
}

void Drawing::frame(double x0, double y0, double x1, double y1) {
  meet(x0, y0), meet(x1, y1);
  panel_.marks.emplace_back(Shape{.x = {x0, x1, x1, x0},
                                  .y = {y0, y0, y1, y1},
                                  .fill = {},
                                  .edge = ink(Role::outline),
                                  .width = 0.9,
                                  .dash = figure::Dash::dashed});
}

Panel Drawing::finished() && {
  constexpr double margin = 0.25;
  panel_.x = {.range = figure::Range{low_x_ - margin, high_x_ + margin}, .visible = false};
  panel_.y = {.range = figure::Range{low_y_ - margin, high_y_ + margin}, .visible = false};
  panel_.equal_aspect = true;
  return std::move(panel_);
}

void Drawing::meet(double x, double y) {
  low_x_ = std::min(low_x_, x), high_x_ = std::max(high_x_, x);
  low_y_ = std::min(low_y_, y), high_y_ = std::max(high_y_, y);
}

void Drawing::offer(const std::string& part, double x, double y, double half_width, double half_height) {
  meet(x - half_width, y - half_height), meet(x + half_width, y + half_height);
  const auto choice = std::ranges::find(look_.parts, part);
  if (look_.parameter.empty() || choice == look_.parts.end()) return;
  panel_.handles.push_back({.x = x,
                            .y = y,
                            .parameter = look_.parameter,
                            .component = static_cast<int>(choice - look_.parts.begin()),
                            .across = {half_width},
                            .up = {half_height},
                            .hint = look_.hint});
}

}  // namespace orrery::study::diagram
