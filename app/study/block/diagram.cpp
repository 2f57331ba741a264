#include "app/study/block/diagram.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/study/block/diagram_drawing.h"
#include "app/study/kit/panels.h"

namespace orrery::study::diagram {
namespace {

using figure::HAlign;
using figure::Panel;
using figure::Role;
using transformer::Placement;

// Lengths in units of the diagram.
constexpr double box_width = 3.8, narrow_width = 2.9, step = 0.5, branch = 0.3, loop = 0.36, pitch = 5.8,
                 wide_pitch = 8.4, words_beside = 2.2,
                 roomy_step = 0.9;  // with a letter between line and box

bool is_parallel(Placement placement) {
  return placement == Placement::parallel || placement == Placement::parallel_one_norm;
}

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
                .size = 0.6},
               side_ * words_beside);
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
    const double rise = each.from_memory && memory ? roomy_step : step;
    to_.arrow(x_, y_, x_, y_ + rise);
    if (each.from_memory && memory) {
      to_.note({.x = x_,
                .y = y_ + 0.5 * rise,
                .text = "$Q$",
                .ink = ink(Role::secondary),
                .h = HAlign::left,
                .dx = 3,
                .size = 0.7});
      fetch(*memory, y_ + rise + 0.5 * (each.detail.empty() ? box_height : two_lines));
    }
    y_ = to_.box(each.kind, each.part, x_, y_ + rise, box_width, each.name, each.detail);
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
      to_.note({.x = x_ + 0.75 * side_ * away,  // above the arrow, where no box and no frame is
                .y = to,
                .text = "$\\alpha$",
                .ink = ink(Role::text),
                .v = VAlign::bottom,
                .dy = -2,
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
