#include "app/study/block/norm_drawing.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "app/study/kit/panels.h"

namespace orrery::study {
namespace {

using figure::Ink;
using figure::Note;
using figure::Role;

constexpr double sublayer_height = 5.4;                        // with its sum, and a norm behind that
constexpr double last = 1.6 + 2 * sublayer_height;             // the end of the block
constexpr double cell_width = 4.85, cell_height = last + 3.4;  // of one drawing with its name
constexpr double text_size = 0.68, sum_radius = 0.3;
constexpr double box_text_size = 0.6;  // which print, whose letters are wide, writes smaller yet
constexpr double box_step = 1.05;  // from a sublayer to the norm beside it: so high are their lines at most
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// One drawing: its place on the panel, and the pen.
class Drawing {
 public:
  Drawing(figure::Panel& panel, const NormPlace& place, double left, double bottom)
      : panel_(panel), ink_(ink_of(place)), left_(left), bottom_(bottom) {
    points_.ink = ink(Role::secondary);
    points_.radius = 3.2;
    points_.symbol = figure::Symbol::ring;
    points_.symbol_by_series = false;
    points_.reading = {.none = true};
  }

  /// A line through points that stand one behind the other, an arrow's head at its end where asked for.
  void line(std::vector<std::pair<double, double>> way, bool head = false) {
    if (head) {
      const auto [x, y] = way.back();
      const auto [from_x, from_y] = way[way.size() - 2];
      arrows_.x.push_back(left_ + from_x);
      arrows_.y.push_back(bottom_ + from_y);
      arrows_.dx.push_back(x - from_x);
      arrows_.dy.push_back(y - from_y);
      way.pop_back();
    }
    if (way.size() < 2) return;
    for (const auto& [x, y] : way) {
      line_.x.push_back(left_ + x);
      line_.y.push_back(bottom_ + y);
    }
    line_.x.push_back(nothing);
    line_.y.push_back(nothing);
  }

  /// Blocks that are not drawn. Dots in words would be in the way of the norm's name, and all words small for it.
  void more(double x, double from, double to) {
    dotted_.x.insert(dotted_.x.end(), {left_ + x, left_ + x, nothing});
    dotted_.y.insert(dotted_.y.end(), {bottom_ + from, bottom_ + to, nothing});
  }

  void norm(double x, double y) { box(x, y, 1.9, 0.8, "norm", {ink_.role, ink_.index, 0.35}, ink_); }
  void sublayer(double x, double y, const char* name, double width = 2.6) {
    box(x, y, width, 1, name, ink(Role::grid), ink(Role::secondary));
  }

  /// What the stream and a branch come to.
  void sum(double x, double y) {
    constexpr double arm = 0.8 * sum_radius;
    for (const auto& [dx, dy] : {std::pair{arm, 0.0}, {0.0, arm}}) {
      plus_.x.insert(plus_.x.end(), {left_ + x - dx, left_ + x + dx, nothing});
      plus_.y.insert(plus_.y.end(), {bottom_ + y - dy, bottom_ + y + dy, nothing});
    }
    if (!panel_.equal_aspect) {
      points_.x.push_back(left_ + x);
      points_.y.push_back(bottom_ + y);
      return;
    }
    // Few drawings are large ones, and what they are made of with them: no mark of a fixed size.
    figure::Shape sum = disc(left_ + x, bottom_ + y, sum_radius);
    sum.fill = ink(Role::grid);
    sum.edge = ink(Role::secondary);
    sum.width = 0.9;
    sums_.push_back(std::move(sum));
  }

  void word(double x, double y, std::string text, figure::HAlign h = figure::HAlign::center) {
    notes_.push_back({.x = left_ + x, .y = bottom_ + y, .text = std::move(text), .h = h, .size = text_size});
  }

  /// Lines lie under boxes, and words on them.
  void finish() {
    line_.ink = dotted_.ink = arrows_.ink = ink(Role::secondary);
    line_.dash_by_series = dotted_.dash_by_series = false;
    line_.reading = dotted_.reading = {.none = true};
    dotted_.dash = figure::Dash::dotted;
    arrows_.head = 4;
    panel_.marks.emplace_back(line_);
    if (!dotted_.x.empty()) panel_.marks.emplace_back(dotted_);
    panel_.marks.emplace_back(arrows_);
    for (std::vector<figure::Shape>* shapes : {&boxes_, &sums_})
      for (figure::Shape& shape : *shapes) panel_.marks.emplace_back(std::move(shape));
    panel_.marks.emplace_back(points_);
    plus_.ink = ink(Role::secondary);
    plus_.width = 0.9;
    plus_.dash_by_series = false;
    plus_.reading = {.none = true};
    panel_.marks.emplace_back(plus_);
    for (Note& note : notes_) panel_.marks.emplace_back(std::move(note));
  }

 private:
  void box(double x, double y, double width, double height, const char* name, Ink fill, Ink edge) {
    const double l = left_ + x - width / 2, r = left_ + x + width / 2, b = bottom_ + y - height / 2,
                 t = bottom_ + y + height / 2;
    // An opaque ground, so that no line is seen through it.
    boxes_.push_back({.x = {l, r, r, l}, .y = {b, b, t, t}, .fill = ink(Role::grid)});
    boxes_.push_back({.x = {l, r, r, l}, .y = {b, b, t, t}, .fill = fill, .edge = edge, .width = 0.8});
    notes_.push_back({.x = left_ + x,
                      .y = bottom_ + y,
                      .text = name,
                      .size = box_text_size,
                      .room = 0.94 * width,
                      .room_y = box_step,
                      .whole = true});
  }

  figure::Panel& panel_;
  Ink ink_;
  double left_, bottom_;
  figure::Line line_, dotted_, plus_;
  figure::Arrows arrows_;
  std::vector<figure::Shape> boxes_, sums_;
  figure::Points points_;
  std::vector<Note> notes_;
};

constexpr double foot = 0.2, top = last + 1.7;  // where the stream enters and leaves

/// Norms behind the embedding and behind the last block stand apart from the block by a gap in the stream.
void draw_stream(Drawing& to, double x, const NormPlace& place) {
  if (place.embedding_norm) {
    to.line({{x, foot}, {x, 0.5}});
    to.norm(x, 0.9);
    to.line({{x, 1.3}, {x, last}});
  } else {
    to.line({{x, foot}, {x, last}});
  }
  if (transformer::ends_unnormed(place.placement)) {
    to.norm(x, last + 0.9);
    to.line({{x, last + 1.3}, {x, top}}, true);
    to.more(x, last + 0.06, last + 0.5);
  } else {
    to.line({{x, last}, {x, top}}, true);
  }
}

/// Attention and the network one behind the other, each with its norms.
void draw_in_a_row(Drawing& to, const NormPlace& place) {
  constexpr double stream = 1.0, branch = 3.1;
  const transformer::Norms norms = transformer::norms_of(place.placement);
  draw_stream(to, stream, place);
  for (int s = 0; s < 2; ++s) {
    const double y = 1.75 + sublayer_height * s;
    to.line({{stream, y}, {branch, y}, {branch, y + 3.6}, {stream + sum_radius, y + 3.6}}, true);
    if (norms.before) to.norm(branch, y + 1.8 - box_step);
    to.sublayer(branch, y + 1.8, s == 0 ? "attention" : "FFN");
    if (norms.inner) to.norm(branch, y + 1.8 + box_step);
    to.sum(stream, y + 3.6);
    if (norms.after) to.norm(stream, y + 4.75);
    if (place.placement == transformer::Placement::deep_norm) to.word(0.55, y + 1.8, "$\\alpha$");
  }
}

/// Both read the same stream.
void draw_in_parallel(Drawing& to, const NormPlace& place) {
  constexpr double stream = 2.3, left = 1.1, right = 3.5, width = 2.36, y = 4.2;
  draw_stream(to, stream, place);
  to.line({{left, y}, {right, y}});
  for (const double x : {left, right}) {
    to.line({{x, y}, {x, y + 4.6}, {x < stream ? stream - sum_radius : stream + sum_radius, y + 4.6}}, true);
    to.norm(x, y + 1);
    to.sublayer(x, y + 2.6, x < stream ? "attention" : "FFN", width);
  }
  to.sum(stream, y + 4.6);
}

}  // namespace

figure::Panel norm_drawing_panel(std::vector<const NormPlace*> places, std::size_t in_a_row) {
  const std::size_t columns = std::min(in_a_row, places.size()),
                    rows = (places.size() + columns - 1) / columns;
  // Many fill what there is, and letters need the width; few would be stretched out of shape. Those that have the panel alone
  // are large ones; with plots below them they are as large as if all stood there, or their words would have no room.
  constexpr std::size_t many = 4;
  const bool alone = in_a_row <= many;
  const double width = cell_width * static_cast<double>(columns),
               beside = alone ? 0 : (cell_width * static_cast<double>(in_a_row) - width) / 2;
  figure::Panel panel{
      .title = "One block of each, from below",
      .x = {.range = figure::Range{-beside, width + beside}, .visible = false},
      .y = {.range = figure::Range{0, cell_height * static_cast<double>(rows)}, .visible = false},
      .legend = figure::LegendPlace::none};
  panel.equal_aspect = alone && columns < many;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double left = cell_width * static_cast<double>(i % columns),
                 bottom = cell_height * static_cast<double>(rows - 1 - i / columns);
    Drawing drawing(panel, *places[i], left, bottom);
    if (places[i]->placement == transformer::Placement::parallel)
      draw_in_parallel(drawing, *places[i]);
    else
      draw_in_a_row(drawing, *places[i]);
    drawing.finish();
    panel.marks.emplace_back(Note{.x = left + cell_width / 2,
                                  .y = bottom + last + 2.6,
                                  .text = std::string(places[i]->name),
                                  .size = 0.9});
  }
  return panel;
}

}  // namespace orrery::study
