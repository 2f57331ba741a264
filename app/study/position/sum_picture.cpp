#include "app/study/position/sum_picture.h"

namespace orrery::study {

Index telling_pair(const Settings& settings, Index places) {
  const std::vector<double> omega =
      position::sinusoidal_frequencies(settings.integer("width"), sinusoidal_params(settings));
  const double wanted = 1.5 * std::numbers::pi / number(std::max<Index>(1, places - 1));
  const auto off = [&](double w) { return std::abs(std::log(w / wanted)); };
  return std::ranges::min_element(omega, {}, off) - omega.begin();
}

PlaneOfPair plane_of(const Settings& settings, Index pair, const Matrix& content, const Matrix& position,
                     const Matrix& others, const std::string& name) {
  const SineCosine at = dimensions_of(pair, settings.integer("width"), sinusoidal_params(settings).layout);
  const auto column = [](const Matrix& rows, Index dimension) {
    std::vector<double> values;
    for (Index p = 0; p < rows.rows(); ++p) values.push_back(rows(p, dimension));
    return values;
  };
  const Matrix sum = content + position;
  Series positions("plane_" + name, {"position", "tokens", counted(position.rows())});
  positions.add("position x", column(position, at.cosine)).add("position y", column(position, at.sine));
  positions.add("sum x", column(sum, at.cosine)).add("sum y", column(sum, at.sine));
  Series cloud("cloud_" + name, {"x", "", column(others, 0)});
  cloud.add("y", column(others, 1));
  return {std::move(positions), std::move(cloud), at};
}

double extent(const PlaneOfPair& plane) {
  double most = 1;
  for (const char* name : {"sum x", "sum y"}) most = std::max(most, largest(plane.positions[name]));
  // Nearly all of the cloud: its farthest points may lie outside.
  const auto size = [](const std::vector<double>& x) {
    double squares = 0;
    for (const double each : x) squares += each * each;
    return std::sqrt(squares / number(x.size()));
  };
  return std::max({most, 2 * size(plane.cloud.x()), 2 * size(plane.cloud["y"])});
}

Panel plane_panel(std::string title, const PlaneOfPair& plane, const SentenceOfWords& text,
                  std::size_t marked, double half) {
  const Series& s = plane.positions;
  Panel panel{.title = std::move(title),
              .x = values("dimension " + grouped(number(plane.at.cosine)), Range{-half, half}),
              .y = values("dimension " + grouped(number(plane.at.sine)), Range{-half, half}),
              .legend = LegendPlace::none,
              .equal_aspect = true};
  panel.x.group = 1;
  panel.y.group = 2;
  panel.marks.push_back(Points{.x = plane.cloud.x(),
                               .y = plane.cloud["y"],
                               .ink = ink(Role::faint, 0.5),
                               .radius = 0.7,
                               .reading = {.name = "other words"}});
  panel.marks.push_back(figure::Arc{.ink = ink(Role::secondary, 0.6), .width = 0.6, .dash = Dash::dotted});
  for (std::size_t p = 0; p < s.size(); ++p) {
    const Ink tint = p == marked ? ink(Role::accent) : series(0);
    panel.marks.push_back(Line{.x = {s["position x"][p], s["sum x"][p]},
                               .y = {s["position y"][p], s["sum y"][p]},
                               .ink = tint,
                               .width = p == marked ? 1.2 : 0.7,
                               .dash_by_series = false,
                               .reading = {.none = true}});
  }
  panel.marks.push_back(Points{.x = s["position x"],
                               .y = s["position y"],
                               .ink = series(1),
                               .radius = 1.8,
                               .symbol = Symbol::ring,
                               .symbol_by_series = false,
                               .reading = {.name = "position"}});
  panel.marks.push_back(Points{.x = s["sum x"],
                               .y = s["sum y"],
                               .ink = series(0),
                               .radius = 1.6,
                               .symbol_by_series = false,
                               .reading = {.name = "sum"}});
  constexpr std::size_t most_named = 12;  // more than that lie on each other
  if (s.size() <= most_named)
    for (std::size_t p = 0; p < s.size(); ++p)
      panel.marks.push_back(Annotation{.x = s["sum x"][p],
                                       .y = s["sum y"][p],
                                       .text = text.words[p],
                                       .ink = p == marked ? ink(Role::accent) : ink(Role::text),
                                       .heads = figure::Heads::none,
                                       .size = 0.9});
  return panel;
}

}  // namespace orrery::study
