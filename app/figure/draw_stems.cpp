// Stems and error marks.
#include <algorithm>

#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

/// Straight lines inside the plot, all of one kind.
class Strokes {
 public:
  Strokes(const Stage& s, Color color, double width) : s_(s), color_(color), width_(width) {
    s_.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
  }
  ~Strokes() { s_.scene.primitives.emplace_back(Unclip{}); }
  Strokes(const Strokes&) = delete;
  Strokes& operator=(const Strokes&) = delete;

  void operator()(Point from, Point to) const {
    if (!defined(from) || !defined(to)) return;
    for (Path& part : clip_path({from, to}, grown(s_.frame.plot, 4 * width_)))
      s_.scene.primitives.emplace_back(Polyline{std::move(part), color_, width_, {}, false});
  }

 private:
  const Stage& s_;
  Color color_;
  double width_;
};

double beyond(const std::vector<double>& distances, std::size_t i) {
  return i < distances.size() && distances[i] >= 0 ? distances[i] : 0;
}

struct Reach {
  double below, above;
};

Reach reach(const Spread& spread, std::size_t i) {
  const double below = beyond(spread.below, i);
  return {below, spread.above.empty() ? below : beyond(spread.above, i)};
}

}  // namespace

void draw(const Stems& stems, const Stage& s) {
  const std::size_t n = std::min(stems.x.size(), stems.y.size());
  const bool log = s.frame.y_scale.kind() == Scale::Kind::log;
  const double foot = log && stems.baseline <= 0 ? s.frame.y.lo : stems.baseline;
  {
    const Strokes stroke(s, s.theme.color(stems.ink), s.theme.line_width * stems.width);
    for (std::size_t i = 0; i < n; ++i)
      stroke(place(s.frame, stems.x[i], foot), place(s.frame, stems.x[i], stems.y[i]));
  }
  if (stems.radius > 0)
    draw(Points{.x = stems.x, .y = stems.y, .ink = stems.ink, .radius = stems.radius, .symbol = stems.symbol},
         s);
}

void draw(const ErrorBars& bars, const Stage& s) {
  const Strokes stroke(s, s.theme.color(bars.ink), s.theme.line_width * bars.width);
  // What an error reaches beyond a log axis' zero ends at the edge of the plot.
  const auto at = [&](double x, double y) {
    const PanelFrame& f = s.frame;
    if (f.x_scale.kind() == Scale::Kind::log && x <= 0) x = f.x.lo;
    if (f.y_scale.kind() == Scale::Kind::log && y <= 0) y = f.y.lo;
    return place(f, x, y);
  };
  for (std::size_t i = 0; i < std::min(bars.x.size(), bars.y.size()); ++i) {
    const double x = bars.x[i], y = bars.y[i];
    if (!defined(place(s.frame, x, y))) continue;
    if (const Reach r = reach(bars.dy, i); r.below > 0 || r.above > 0) {
      const Point low = at(x, y - r.below), high = at(x, y + r.above);
      stroke(low, high);
      for (const Point end : {low, high}) stroke({end.x - bars.cap, end.y}, {end.x + bars.cap, end.y});
    }
    if (const Reach r = reach(bars.dx, i); r.below > 0 || r.above > 0) {
      const Point low = at(x - r.below, y), high = at(x + r.above, y);
      stroke(low, high);
      for (const Point end : {low, high}) stroke({end.x, end.y - bars.cap}, {end.x, end.y + bars.cap});
    }
  }
}

}  // namespace orrery::figure
