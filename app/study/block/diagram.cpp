#include "app/study/block/diagram.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "app/study/kit/panels.h"

namespace orrery::study::diagram {
namespace {

using figure::Arrows;
using figure::HAlign;
using figure::Ink;
using figure::Line;
using figure::Note;
using figure::Panel;
using figure::Role;
using figure::Shape;
using transformer::Placement;

// Lengths in units of the diagram.
constexpr double box_width = 3.8, narrow_width = 2.9, box_height = 0.86, two_lines = 1.24, step = 0.5,
                 branch = 0.3, plus_radius = 0.2, loop = 0.36, pitch = 5.8, wide_pitch = 8.4;

bool is_parallel(Placement placement) {
  return placement == Placement::parallel || placement == Placement::parallel_one_norm;
}

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

/// A panel that is drawn into, box by box.
class Drawing {
 public:
  explicit Drawing(const Look& look) : look_(look) {
    panel_.title = look.title;
    panel_.legend = figure::LegendPlace::none;
  }

  void line(std::vector<double> x, std::vector<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) meet(x[i], y[i]);
    panel_.marks.emplace_back(Line{.x = std::move(x),
                                   .y = std::move(y),
                                   .ink = ink(Role::secondary),
                                   .width = 0.8,
                                   .dash_by_series = false,
                                   .reading = {.none = true}});
  }
  void arrow(double x0, double y0, double x1, double y1) {
    meet(x0, y0), meet(x1, y1);
    panel_.marks.emplace_back(Arrows{.x = {x0},
                                     .y = {y0},
                                     .dx = {x1 - x0},
                                     .dy = {y1 - y0},
                                     .ink = ink(Role::secondary),
                                     .width = 0.8,
                                     .head = 4});
  }
  /// Words that reach `beyond` to one side need room there.
  void note(Note note, double beyond = 0) {
    meet(note.x, note.y), meet(note.x + beyond, note.y);
    panel_.marks.emplace_back(std::move(note));
  }

  /// Its bottom stands at y; the result is its top.
  double box(Box kind, const std::string& part, double x, double y, double width, const std::string& name,
             const std::string& detail = {}) {
    const double height = detail.empty() ? box_height : two_lines, half = width / 2;
    const bool chosen = is_chosen(part);
    panel_.marks.emplace_back(Shape{.x = {x - half, x + half, x + half, x - half},
                                    .y = {y, y, y + height, y + height},
                                    .fill = chosen ? ink(Role::accent_ground) : ground_of(kind),
                                    .edge = chosen ? ink(Role::accent) : ink(Role::outline),
                                    .width = chosen ? 1.8 : 0.7});
    const Ink words = ink(chosen ? Role::accent : Role::text);
    const double middle = y + height / 2, apart = detail.empty() ? 0 : 0.24;
    note({.x = x, .y = middle + apart, .text = name, .ink = words, .size = 0.8});
    if (!detail.empty())
      note({.x = x,
            .y = middle - apart - 0.04,
            .text = detail,
            .ink = ink(chosen ? Role::accent : Role::secondary),
            .size = 0.64});
    offer(part, x, middle, half, height / 2);
    return y + height;
  }
  /// A circle with a plus in it, its middle at (x, y).
  void plus(const std::string& part, double x, double y) {
    const bool chosen = is_chosen(part);
    const Ink line_ink = chosen ? ink(Role::accent) : ink(Role::secondary);
    // Not an arc: its radius is a length in x and in y, and must stay one.
    Shape disc{.fill = ink(chosen ? Role::accent_ground : Role::accent_ground, chosen ? 1 : 0),
               .edge = line_ink,
               .width = chosen ? 1.8 : 0.9};
    for (int k = 0; k < 24; ++k) {
      const double angle = 2 * std::numbers::pi * k / 24;
      disc.x.push_back(x + plus_radius * std::cos(angle));
      disc.y.push_back(y + plus_radius * std::sin(angle));
    }
    panel_.marks.emplace_back(std::move(disc));
    const double arm = 0.6 * plus_radius;
    for (const auto& [dx, dy] : {std::pair{arm, 0.0}, {0.0, arm}})
      panel_.marks.emplace_back(Line{.x = {x - dx, x + dx},
                                     .y = {y - dy, y + dy},
                                     .ink = line_ink,
                                     .width = chosen ? 1.4 : 0.9,
                                     .dash_by_series = false,
                                     .reading = {.none = true}});
    offer(part, x, y, 1.6 * plus_radius, 1.6 * plus_radius);
  }
  void frame(double x0, double y0, double x1, double y1) {
    meet(x0, y0), meet(x1, y1);
    panel_.marks.emplace_back(Shape{.x = {x0, x1, x1, x0},
                                    .y = {y0, y0, y1, y1},
                                    .fill = {},
                                    .edge = ink(Role::outline),
                                    .width = 0.9,
                                    .dash = figure::Dash::dashed});
  }

  Panel finished() && {
    constexpr double margin = 0.25;
    panel_.x = {.range = figure::Range{low_x_ - margin, high_x_ + margin}, .visible = false};
    panel_.y = {.range = figure::Range{low_y_ - margin, high_y_ + margin}, .visible = false};
    panel_.equal_aspect = true;
    return std::move(panel_);
  }

 private:
  bool is_chosen(const std::string& part) const { return !part.empty() && part == look_.chosen; }
  void meet(double x, double y) {
    low_x_ = std::min(low_x_, x), high_x_ = std::max(high_x_, x);
    low_y_ = std::min(low_y_, y), high_y_ = std::max(high_y_, y);
  }
  /// A click there chooses the part.
  void offer(const std::string& part, double x, double y, double half_width, double half_height) {
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

  const Look& look_;
  Panel panel_;
  double low_x_ = 1e9, high_x_ = -1e9, low_y_ = 1e9, high_y_ = -1e9;
};

/// A stack about x, upwards from y; `side` is that of its residual connections.
class StackDrawing {
 public:
  StackDrawing(Drawing& to, const Stack& stack, double x, double side)
      : to_(to), stack_(stack), x_(x), side_(side) {}

  struct Memory {
    double x = 0, y = 0;
  };
  /// Where what the stack makes may be fetched from.
  Memory draw(const std::optional<Memory>& memory) {
    y_ = 0;
    if (!stack_.input.empty()) inputs();
    const double foot = y_ + 0.1;
    for (std::size_t i = 0; i < stack_.sublayers.size(); ++i) {
      if (is_parallel(stack_.placement) && i + 1 < stack_.sublayers.size()) {
        both_at_once(stack_.sublayers[i], stack_.sublayers[i + 1]);
        break;
      }
      sublayer(stack_.sublayers[i], memory);
    }
    const double top = y_ + 0.28, reach = half_width() + loop + 0.22;
    to_.frame(x_ - reach, foot, x_ + reach, top);
    if (!stack_.repeats.empty())
      to_.note({.x = x_ + side_ * (reach + 0.16),
                .y = (foot + top) / 2,
                .text = stack_.repeats,
                .ink = ink(Role::text),
                .h = side_ < 0 ? HAlign::right : HAlign::left},
               side_ * 0.9);
    if (stack_.final_norm) {
      to_.arrow(x_, y_, x_, y_ + step + 0.2);
      y_ = to_.box(Box::norm, stack_.prefix + "final_norm", x_, y_ + step + 0.2, box_width, stack_.norm);
    }
    if (stack_.head)
      head();
    else
      to_.line({x_, x_}, {y_, y_ + step + (stack_.final_norm ? 0 : 0.2)}),
          y_ += step + (stack_.final_norm ? 0 : 0.2);
    return {x_, y_};
  }

 private:
  double half_width() const { return is_parallel(stack_.placement) ? narrow_width + 0.15 : box_width / 2; }

  void inputs() {
    to_.note({.x = x_, .y = y_, .text = stack_.input, .ink = ink(Role::secondary), .size = 0.86});
    to_.arrow(x_, y_ + 0.3, x_, y_ + 0.3 + step);
    const std::string part = stack_.prefix + "embedding";
    y_ = to_.box(Box::embedding, part, x_, y_ + 0.3 + step, box_width, "Embedding");
    if (!stack_.positions.empty()) {
      const double middle = y_ + step + plus_radius;
      to_.arrow(x_, y_, x_, middle - plus_radius);
      to_.plus(part, x_, middle);
      to_.arrow(x_ + side_ * (box_width / 2 - 0.2), middle, x_ + side_ * plus_radius, middle);
      to_.note({.x = x_ + side_ * (box_width / 2 - 0.1),
                .y = middle,
                .text = stack_.positions,
                .ink = ink(Role::secondary),
                .h = side_ < 0 ? HAlign::right : HAlign::left,
                .size = 0.78});
      y_ = middle + plus_radius;
    }
    to_.line({x_, x_}, {y_, y_ + step});
    y_ += step;
  }

  void norm(const std::string& part, double x, double width) {
    to_.arrow(x, y_, x, y_ + step);
    y_ = to_.box(Box::norm, part, x, y_ + step, width, stack_.norm);
  }

  /// x₁ = x + F(x), with the norms where they stand.
  void sublayer(const Sublayer& each, const std::optional<Memory>& memory) {
    const transformer::Norms norms = transformer::norms_of(stack_.placement);
    const double from = y_ + branch;
    to_.line({x_, x_}, {y_, from});
    y_ = from;
    if (norms.before) norm(each.part + "_norm", x_, box_width);
    to_.arrow(x_, y_, x_, y_ + step);
    if (each.from_memory && memory) {
      to_.note({.x = x_,
                .y = y_ + 0.5 * step,
                .text = "$Q$",
                .ink = ink(Role::secondary),
                .h = HAlign::left,
                .dx = 3,
                .size = 0.7});
      fetch(*memory, y_ + step + 0.5 * (each.detail.empty() ? box_height : two_lines));
    }
    y_ = to_.box(each.kind, each.part, x_, y_ + step, box_width, each.name, each.detail);
    if (norms.inner) norm(each.part + (norms.before ? "_inner" : "_norm"), x_, box_width);
    const double middle = y_ + step + plus_radius;
    to_.arrow(x_, y_, x_, middle - plus_radius);
    to_.plus(each.part + "_add", x_, middle);
    residual(from, middle, half_width() + loop);
    y_ = middle + plus_radius;
    if (norms.after) norm(each.part + "_add", x_, box_width);
  }

  /// From where it branches off around all that stands between, into the sum.
  void residual(double from, double to, double away) {
    const double out = x_ + side_ * away;
    to_.line({x_, out, out}, {from, from, to});
    to_.arrow(out, to, x_ + side_ * plus_radius, to);
    if (stack_.placement == Placement::deep_norm)
      to_.note({.x = out,
                .y = (from + to) / 2,
                .text = "$\\alpha$",
                .ink = ink(Role::text),
                .dx = -5 * side_,
                .size = 0.8});
  }

  void both_at_once(const Sublayer& attention, const Sublayer& network) {
    const double from = y_ + branch, left = x_ - narrow_width / 2 - 0.15,
                 right = x_ + narrow_width / 2 + 0.15;
    to_.line({x_, x_}, {y_, from});
    y_ = from;
    const bool one_norm = stack_.placement == Placement::parallel_one_norm;
    if (one_norm) norm(attention.part + "_norm", x_, narrow_width);
    const double split = y_ + branch;
    to_.line({x_, x_}, {y_, split});
    to_.line({left, right}, {split, split});
    double top = 0;
    for (const auto& [each, at] : {std::pair{&attention, left}, {&network, right}}) {
      y_ = split;
      if (!one_norm) norm(each->part + "_norm", at, narrow_width);
      to_.arrow(at, y_, at, y_ + step);
      y_ = to_.box(each->kind, each->part, at, y_ + step, narrow_width, each->name, each->detail);
      top = std::max(top, y_);
    }
    const double join = top + branch, middle = join + branch + 0.1 + plus_radius;
    to_.line({left, left, right, right}, {top, join, join, top});
    to_.arrow(x_, join, x_, middle - plus_radius);
    to_.plus(network.part + "_add", x_, middle);
    residual(from, middle, half_width() + loop);
    y_ = middle + plus_radius;
  }

  /// The memory's way into the left of a box.
  void fetch(const Memory& memory, double y) {
    const double edge = x_ - box_width / 2, turn = (memory.x + x_) / 2;
    to_.line({memory.x, turn, turn}, {memory.y, memory.y, y});
    to_.arrow(turn, y, edge, y);
    to_.note({.x = (memory.x + turn) / 2,
              .y = memory.y,
              .text = "$K, V$",
              .ink = ink(Role::secondary),
              .dy = -7,
              .size = 0.74});
  }

  void head() {
    to_.arrow(x_, y_, x_, y_ + step + 0.2);
    y_ = to_.box(Box::head, "logits", x_, y_ + step + 0.2, box_width, "Linear");
    to_.arrow(x_, y_, x_, y_ + step);
    y_ = to_.box(Box::head, "probabilities", x_, y_ + step, box_width, "Softmax");
    to_.arrow(x_, y_, x_, y_ + step);
    y_ += step;
    if (stack_.output.empty()) return;
    to_.note({.x = x_, .y = y_ + 0.3, .text = stack_.output, .ink = ink(Role::text), .size = 0.86});
    y_ += 0.5;
  }

  Drawing& to_;
  const Stack& stack_;
  double x_, side_, y_ = 0;
};

}  // namespace

Panel panel(const std::vector<Stack>& stacks, const Look& look) {
  Drawing drawing(look);
  std::optional<StackDrawing::Memory> memory;
  double x = 0;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const bool wide = is_parallel(stacks[i].placement);
    if (i > 0) x += wide ? wide_pitch : pitch;
    const auto made = StackDrawing(drawing, stacks[i], x, i == 0 && stacks.size() > 1 ? -1 : 1).draw(memory);
    if (!memory) memory = made;
  }
  return std::move(drawing).finished();
}

}  // namespace orrery::study::diagram
