#include "app/figure/heading.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/figure/text_box.h"

namespace orrery::figure {
namespace {

// Sizes in text sizes.
constexpr double gap_below = 0.8, track_length = 6, track_gap = 0.7, knob = 0.28;
constexpr double beside_a_panels = 1.15;  // than a panel's title
constexpr double most_of_page = 3;        // a heading higher than a third of it is none

/// Of a figure that moves: the next frame's title may be longer, and has its room all the same.
constexpr std::size_t moving_lines = 2;

/// Broken into lines; none where it has no room.
std::vector<FittedText> title_lines(const Figure& figure, const TextStyle& style, const Rect& area,
                                    const TextMetrics& metrics) {
  std::vector<FittedText> lines;
  for (const std::string& line : wrap(figure.title, style, area.w, metrics)) {
    if (metrics.measure(line, style).width > area.w) return {};
    lines.push_back({line, style});
  }
  return figure.moment && lines.size() > moving_lines ? std::vector<FittedText>{} : lines;
}

/// A track with a knob on it, and words that say where it is. It begins at the left, where nothing moves it.
void draw_moment(const Moment& moment, const FittedText& words, Point at, double height, const Theme& theme,
                 Scene& scene) {
  const double em = theme.text_size, middle = at.y + height / 2, end = at.x + track_length * em;
  const Color quiet = theme.faint, loud = theme.color({Role::accent, 0, 1});
  const Point here{at.x + std::clamp(moment.share, 0.0, 1.0) * track_length * em, middle};
  scene.primitives.emplace_back(
      Polyline{{{at.x, middle}, {end, middle}}, quiet, theme.line_width, {}, false});
  scene.primitives.emplace_back(Polyline{{{at.x, middle}, here}, loud, theme.line_width, {}, false});
  scene.primitives.emplace_back(Discs{{here}, knob * em, loud});
  if (words.text.empty()) return;
  scene.primitives.emplace_back(Label{{end + track_gap * em, middle},
                                      words.text,
                                      words.style,
                                      theme.text,
                                      HAlign::left,
                                      VAlign::middle,
                                      true});
}

}  // namespace

double draw_heading(const Figure& figure, const LayoutOptions& options, const Rect& area, const Theme& theme,
                    const TextMetrics& metrics, Scene& scene) {
  const double em = theme.text_size, most = options.size.height / most_of_page;
  double height = 0;
  if (options.title && !figure.title.empty()) {
    const TextStyle style{Voice::words, theme.title_size * beside_a_panels, true};
    const double step = line_height("Ag", style, metrics);
    const std::vector<FittedText> lines = title_lines(figure, style, area, metrics);
    const bool fits = !lines.empty() && static_cast<double>(lines.size()) * step + gap_below * em <= most;
    if (!fits) scene.left_out.push_back(figure.title);
    for (const FittedText& line : lines) {
      if (!fits) break;
      scene.primitives.emplace_back(Label{
          {area.x, area.y + height}, line.text, line.style, theme.text, HAlign::left, VAlign::top, true});
      height += step;
    }
    if (const double reserved = static_cast<double>(moving_lines) * step;
        figure.moment && reserved + gap_below * em <= most)
      height = reserved;
  }
  if (figure.moment) {
    const TextStyle style{Voice::words, em, false};
    const double step = line_height("Ag", style, metrics), before = (track_length + track_gap) * em;
    if (before > area.w || height + step + gap_below * em > most) {
      scene.left_out.push_back(figure.moment->text);
    } else {
      const FittedText words = fit(figure.moment->text, style, area.w - before, metrics);
      if (words.text.empty()) scene.left_out.push_back(figure.moment->text);
      draw_moment(*figure.moment, words, {area.x, area.y + height}, step, theme, scene);
      height += step;
    }
  }
  scene.heading = {0, scene.primitives.size()};
  return height > 0 ? height + gap_below * em : 0;
}

}  // namespace orrery::figure
