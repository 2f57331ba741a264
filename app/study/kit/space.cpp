#include "app/study/kit/space.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "app/study/kit/panels.h"

namespace orrery::study {
namespace {

constexpr double turning_height = 1.15;  // of a radius, below the origin

double dot(const Point3& a, const Point3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

View view_of(const parameter::Settings& settings) {
  return {settings.real("azimuth"), settings.real("elevation")};
}

Space::Space(View view) : view_(view) {
  constexpr double degree = std::numbers::pi / 180;
  const double ca = std::cos(view.azimuth * degree), sa = std::sin(view.azimuth * degree);
  const double ce = std::cos(view.elevation * degree), se = std::sin(view.elevation * degree);
  across_ = {-sa, ca, 0};
  up_ = {-se * ca, -se * sa, ce};
  towards_ = {ce * ca, ce * sa, se};
}

Space::OnPage Space::at(const Point3& p) const {
  return {dot(across_, p), dot(up_, p), dot(towards_, p)};
}

std::vector<std::size_t> Space::far_to_near(std::span<const Point3> points) const {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return at(points[i]).depth; });
  return order;
}

figure::Line Space::line(std::span<const Point3> points, figure::Line look) const {
  for (const Point3& p : points) {
    const OnPage there = at(p);
    look.x.push_back(there.x);
    look.y.push_back(there.y);
  }
  return look;
}

figure::Points Space::points(std::span<const Point3> points, figure::Points look) const {
  for (const std::size_t i : far_to_near(points)) {
    const OnPage there = at(points[i]);
    look.x.push_back(there.x);
    look.y.push_back(there.y);
  }
  return look;
}

figure::Arrows Space::arrow(const Point3& to, figure::Arrows look) const {
  const OnPage there = at(to);
  look.x = look.y = {0};
  look.dx = {there.x};
  look.dy = {there.y};
  return look;
}

void Space::add_handle(figure::Panel& panel, const Point3& point, std::string parameter, std::string hint,
                       int component) const {
  const OnPage there = at(point);
  study::add_handle(panel, there.x, there.y, std::move(parameter), std::move(hint));
  figure::Handle& handle = panel.handles.back();
  handle.component = component;
  handle.across = {across_.begin(), across_.end()};
  handle.up = {up_.begin(), up_.end()};
}

void Space::add_turning(figure::Panel& panel, double radius, std::string hint) const {
  const double x = -view_.azimuth / 180 * radius;  // what is dragged right turns right
  panel.handles.push_back({.x = x,
                           .y = -turning_height * radius,
                           .parameter = "azimuth",
                           .unit = -radius / 180,
                           .hint = std::move(hint)});
}

figure::Panel Space::panel(std::string title, double radius) {
  const figure::Range range{-1.25 * radius, 1.25 * radius};
  return {.title = std::move(title),
          .x = {.range = range, .visible = false},
          .y = {.range = range, .visible = false},
          .legend = figure::LegendPlace::none,
          .equal_aspect = true};
}

}  // namespace orrery::study
