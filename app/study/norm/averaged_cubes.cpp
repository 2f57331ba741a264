#include "app/study/norm/averaged_cubes.h"

#include "app/study/kit.h"

namespace orrery::study {
namespace {

constexpr std::size_t columns = 3;
constexpr std::array lengths{1.0, 1.0, 1.7};  // of the edges along samples, positions and features

/// Where the edges of cells stand: 0 to 1 along samples, positions and features.
using Share = std::array<double, 3>;

/// One cube on the page: samples go away from the eye, positions down, features to the right.
class Cube {
 public:
  Cube(const Space& space, double x, double y) : space_(space), x_(x), y_(y) {
    const Point3& eye = space.towards();
    near_ = {eye[0] > 0 ? 0.0 : 1.0, eye[2] > 0 ? 0.0 : 1.0, eye[1] > 0 ? 1.0 : 0.0};
  }

  struct OnPage {
    double x, y;
  };
  OnPage at(const Share& s) const {
    const Space::OnPage p =
        space_.at({lengths[0] * (0.5 - s[0]), lengths[2] * (s[2] - 0.5), lengths[1] * (0.5 - s[1])});
    return {x_ + p.x, y_ + p.y};
  }
  /// The corner that is nearest to the eye.
  const Share& near() const { return near_; }
  /// So far from that corner along an axis.
  double from_near(std::size_t axis, double part) const { return near_[axis] == 0 ? part : 1 - part; }

  /// The side across an axis that the eye sees, as far as `part` from the near corner along the two others.
  figure::Shape side(std::size_t axis, const Share& part) const {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    figure::Shape shape;
    for (const auto& [along_u, along_v] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}) {
      Share s = near_;
      s[u] = from_near(u, along_u * part[u]);
      s[v] = from_near(v, along_v * part[v]);
      const OnPage p = at(s);
      shape.x.push_back(p.x);
      shape.y.push_back(p.y);
    }
    return shape;
  }

  /// The lines on the sides that the eye sees where one part ends and the next begins, `count` of them along each axis.
  Line parting(const Cells& count, Line look) const {
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const std::size_t along : {(axis + 1) % 3, (axis + 2) % 3}) {
        const std::size_t across = 3 - axis - along;
        for (Index k = 0; k <= count[along]; ++k) {
          Share s = near_;
          s[along] = number(k) / number(count[along]);
          for (const double end : {0.0, 1.0}) {
            s[across] = end;
            const OnPage p = at(s);
            look.x.push_back(p.x);
            look.y.push_back(p.y);
          }
          look.x.push_back(gap);
          look.y.push_back(gap);
        }
      }
    look.dash_by_series = false;
    look.reading.none = true;
    return look;
  }

 private:
  const Space& space_;
  double x_, y_;
  Share near_;
};

/// The cube's half width and half height on the page.
Cube::OnPage half_size(const Space& space) {
  const Cube cube(space, 0, 0);
  Cube::OnPage most{0, 0};
  for (const double b : {0.0, 1.0})
    for (const double t : {0.0, 1.0})
      for (const double j : {0.0, 1.0}) {
        const auto p = cube.at({b, t, j});
        most = {std::max(most.x, p.x), std::max(most.y, p.y)};
      }
  return most;
}

constexpr Share all_of_it{1, 1, 1};
constexpr std::array shades{0.55, 0.95, 0.75};  // of the sides across samples, positions and features

void add_cube(Panel& panel, const Cube& cube, const Cells& batch, const Cells& set, Ink filled) {
  constexpr Index many = 12;  // cells in a row: lines between more of them would be all there is to see
  Cells sets{};
  Share part{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sets[axis] = batch[axis] / set[axis];
    part[axis] = number(set[axis]) / number(batch[axis]);
  }
  const auto add_sides = [&](const Share& size, Ink of, double strength, double edge) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      figure::Shape side = cube.side(axis, size);
      side.fill = of;
      side.fill->alpha = strength * shades[axis];
      if (edge > 0) side.edge = of;
      side.width = edge;
      panel.marks.emplace_back(std::move(side));
    }
  };
  add_sides(all_of_it, ink(Role::faint), 0.25, 0);
  const bool crowded = std::ranges::max(batch) > many;
  if (crowded) {  // the set goes over the lines, else under them
    panel.marks.emplace_back(cube.parting(sets, {.ink = ink(Role::secondary, 0.6), .width = 0.3}));
    panel.marks.emplace_back(cube.parting({1, 1, 1}, {.ink = ink(Role::secondary), .width = 0.8}));
  }
  if (filled.alpha > 0) add_sides(part, filled, 1, crowded ? 0.8 : 0);
  if (!crowded) {
    panel.marks.emplace_back(cube.parting(batch, {.ink = ink(Role::outline), .width = 0.4}));
    panel.marks.emplace_back(cube.parting(sets, {.ink = ink(Role::secondary), .width = 0.8}));
  }
}

/// Names of the axes: features below the front, samples below the side, positions left of what stands furthest left.
void add_axes(Panel& panel, const Cube& cube) {
  const Share& near = cube.near();
  const double far_side = 1 - near[0], low = 1;
  const auto note = [&](const Share& where, const char* text, HAlign h, VAlign v, double dx, double dy) {
    const auto p = cube.at(where);
    panel.marks.emplace_back(Note{
        .x = p.x, .y = p.y, .text = text, .ink = ink(Role::secondary), .h = h, .v = v, .dx = dx, .dy = dy});
  };
  const bool side_on_left = cube.at({far_side, low, near[2]}).x < cube.at({near[0], low, near[2]}).x;
  note({near[0], low, 0.5}, "features", HAlign::center, VAlign::top, 0, 4);
  note({0.5, low, near[2]}, "samples", side_on_left ? HAlign::right : HAlign::left, VAlign::top,
       side_on_left ? -2 : 2, 2);
  const Share edge{side_on_left ? far_side : near[0], 0.5, side_on_left ? near[2] : 1 - near[2]};
  note(edge, "positions", HAlign::right, VAlign::middle, -4, 0);
}

}  // namespace

Panel averaged_cubes_panel(View view, const Cells& batch, const std::vector<AveragedCube>& cubes) {
  const Space space(view);
  const auto half = half_size(space);
  constexpr double between = 0.55, words = 1.05, margin = 1.35;  // of the page, in units of a cube's edge
  const double across = 2 * half.x + between, down = 2 * half.y + words;
  const double rows = std::ceil(number(cubes.size() + 1) / number(columns));
  Panel panel{
      .title = "Which numbers share one mean",
      .x = {.range = Range{-half.x - margin, (columns - 1) * across + half.x + 0.15}, .visible = false},
      .y = {.range = Range{-(rows - 1) * down - half.y - words / 2, half.y + words / 2}, .visible = false},
      .legend = LegendPlace::none,
      .equal_aspect = true};
  const std::string whole = "batch: " + grouped(number(batch[0])) + " × " + grouped(number(batch[1])) +
                            " × " + grouped(number(batch[2]));
  const auto place = [&](std::size_t i) {
    return Cube::OnPage{number(i % columns) * across, -number(i / columns) * down};
  };
  const auto name = [&](std::size_t i, const std::string& text, double size) {
    const auto [x, y] = place(i);
    panel.marks.emplace_back(
        Note{.x = x, .y = y + half.y, .text = text, .v = VAlign::bottom, .dy = -3, .size = size});
  };
  add_cube(panel, Cube(space, 0, 0), batch, batch, ink(Role::faint, 0));
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    const auto [x, y] = place(i + 1);
    add_cube(panel, Cube(space, x, y), batch, cubes[i].set, cubes[i].ink);
  }
  // On a page too small for all words the later ones go.
  for (std::size_t i = 0; i < cubes.size(); ++i) name(i + 1, cubes[i].name, 1);
  name(0, whole, 0.9);  // longer than those, which are names
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    const auto [x, y] = place(i + 1);
    panel.marks.emplace_back(Note{.x = x,
                                  .y = y - half.y,
                                  .text = cubes[i].caption,
                                  .ink = ink(Role::secondary),
                                  .v = VAlign::top,
                                  .dy = 3,
                                  .size = 0.9});
  }
  add_axes(panel, Cube(space, 0, 0));
  return panel;
}

}  // namespace orrery::study
