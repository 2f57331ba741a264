// Bars and histograms.
#include <algorithm>

#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

/// A log scale has no zero: what stands on it stands on the axis' lower end.
double standing_on(double baseline, const PanelFrame& frame) {
  return frame.y_scale.kind() == Scale::Kind::log && baseline <= 0 ? frame.y.lo : baseline;
}

/// The part inside the plot of a column between two values of x, from its foot to its top; empty where there is none.
Rect column(const PanelFrame& frame, double from, double to, double foot, double top) {
  const Rect& plot = frame.plot;
  const Point a = place(frame, from, foot), b = place(frame, to, top);
  if (!defined(a) || !defined(b)) return {};
  const auto across = [&](double x) { return std::clamp(x, plot.x, plot.x + plot.w); };
  const auto down = [&](double y) { return std::clamp(y, plot.y, plot.y + plot.h); };
  const double left = across(std::min(a.x, b.x)), upper = down(std::min(a.y, b.y));
  return {left, upper, across(std::max(a.x, b.x)) - left, down(std::max(a.y, b.y)) - upper};
}

}  // namespace

void draw(const Bars& bars, const Stage& s) {
  const Color color = s.theme.color(bars.ink);
  const double foot = standing_on(bars.baseline, s.frame);
  for (std::size_t i = 0; i < std::min(bars.x.size(), bars.height.size()); ++i) {
    const Rect bar =
        column(s.frame, bars.x[i] - bars.width / 2, bars.x[i] + bars.width / 2, foot, bars.height[i]);
    if (bar.w > 0 && bar.h > 0) s.scene.primitives.emplace_back(Polygon{corners(bar), color});
  }
}

// One ground and one outline per run of bins: no seams between neighbours.
void draw(const Histogram& h, const Stage& s) {
  const double foot = standing_on(h.baseline, s.frame), width = 0.8 * s.theme.line_width;
  const Color color = s.theme.color(h.ink);
  const std::size_t bins = h.edges.empty() ? 0 : std::min(h.heights.size(), h.edges.size() - 1);
  Path outline;
  const auto finish = [&] {
    if (outline.size() < 3) return;
    outline.push_back(place(s.frame, s.frame.x_scale.kind() == Scale::Kind::log ? 1 : 0, foot));
    outline.back().x = outline[outline.size() - 2].x;
    s.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
    if (Path inside = clip_polygon(outline, s.frame.plot); inside.size() >= 3)
      s.scene.primitives.emplace_back(Polygon{std::move(inside), band_color(h.ink, s.theme)});
    for (Path& part : clip_path(outline, grown(s.frame.plot, 4 * width)))
      s.scene.primitives.emplace_back(Polyline{std::move(part), color, width, {}, false});
    s.scene.primitives.emplace_back(Unclip{});
    outline.clear();
  };
  for (std::size_t i = 0; i < bins; ++i) {
    const Point left = place(s.frame, h.edges[i], h.heights[i]),
                right = place(s.frame, h.edges[i + 1], h.heights[i]);
    const Point ground = place(s.frame, h.edges[i], foot);
    if (!defined(left) || !defined(right) || !defined(ground)) {
      finish();
      outline.clear();
      continue;
    }
    if (outline.empty()) outline.push_back(ground);
    outline.push_back(left);
    outline.push_back(right);
  }
  finish();
  outline.clear();
}

}  // namespace orrery::figure
