#include "app/figure/heading.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "app/figure/text_box.h"

namespace orrery::figure {
namespace {

// Sizes in text sizes.
constexpr double gap_below = 0.8, gap_between = 0.2, track_length = 6, track_gap = 0.7, knob = 0.28;
constexpr double title_scale = 1.15;  // of a panel's title
constexpr double most_of_page = 3;    // a heading higher than a third of it is none

/// Of a figure that moves: the next frame's title may be longer, and has its room all the same.
constexpr std::size_t moving_lines = 2;

/// Draws the parts of a heading one below the other.
class Heading {
 public:
  Heading(const Figure& figure, const Rect& area, double most, const Theme& theme, const TextMetrics& metrics,
          Scene& scene)
      : figure_(figure),
        area_(area),
        em_(theme.text_size),
        most_(most),
        theme_(theme),
        metrics_(metrics),
        scene_(scene) {}

  void title() {
    const TextStyle style{Voice::words, theme_.title_size * title_scale, true};
    const double step = line_height("Ag", style, metrics_);
    const std::vector<FittedText> lines = title_lines(style);
    if (lines.empty() || !has_room(static_cast<double>(lines.size()) * step)) {
      scene_.left_out.push_back(figure_.title);
    } else {
      for (const FittedText& line : lines) say(line, theme_.text, step);
    }
    if (const double reserved = static_cast<double>(moving_lines) * step;
        figure_.moment && reserved + gap_below * em_ <= most_)
      height_ = reserved;
  }

  /// On one line, with "…" where it is longer: the recipe inside the file has all of it.
  void subtitle() {
    const TextStyle style{Voice::words, em_, false};
    const double step = line_height("Ag", style, metrics_);
    if (height_ > 0) height_ += gap_between * em_;
    const FittedText line = fit(figure_.subtitle, style, area_.w, metrics_);
    if (line.text.empty() || !has_room(height_ + step))
      scene_.left_out.push_back(figure_.subtitle);
    else
      say(line, theme_.secondary, step);
  }

  /// A track with a knob on it, and words that say where it is. It begins at the left, where nothing moves it.
  void moment() {
    const TextStyle style{Voice::words, em_, false};
    const double step = line_height("Ag", style, metrics_), before = (track_length + track_gap) * em_;
    if (before > area_.w || !has_room(height_ + step)) {
      scene_.left_out.push_back(figure_.moment->text);
      return;
    }
    const double middle = area_.y + height_ + step / 2, end = area_.x + track_length * em_;
    const Color loud = theme_.color({Role::accent, 0, 1});
    const Point here{area_.x + std::clamp(figure_.moment->share, 0.0, 1.0) * track_length * em_, middle};
    scene_.primitives.emplace_back(
        Polyline{{{area_.x, middle}, {end, middle}}, theme_.faint, theme_.line_width, {}, false});
    scene_.primitives.emplace_back(Polyline{{{area_.x, middle}, here}, loud, theme_.line_width, {}, false});
    scene_.primitives.emplace_back(Discs{{here}, knob * em_, loud});
    const FittedText words = fit(figure_.moment->text, style, area_.w - before, metrics_);
    if (words.text.empty()) {
      scene_.left_out.push_back(figure_.moment->text);
    } else {
      scene_.primitives.emplace_back(Label{{end + track_gap * em_, middle},
                                           words.text,
                                           words.style,
                                           theme_.text,
                                           HAlign::left,
                                           VAlign::middle,
                                           true});
    }
    height_ += step;
  }

  double height() const { return height_ > 0 ? height_ + gap_below * em_ : 0; }

 private:
  bool has_room(double height) const { return height + gap_below * em_ <= most_; }

  /// Broken into lines; none where it has no room.
  std::vector<FittedText> title_lines(const TextStyle& style) const {
    std::vector<FittedText> lines;
    for (const std::string& line : balanced(figure_.title, style, area_.w, metrics_)) {
      if (metrics_.measure(line, style).width > area_.w) return {};
      lines.push_back({line, style});
    }
    return figure_.moment && lines.size() > moving_lines ? std::vector<FittedText>{} : lines;
  }

  void say(const FittedText& line, Color color, double step) {
    scene_.primitives.emplace_back(
        Label{{area_.x, area_.y + height_}, line.text, line.style, color, HAlign::left, VAlign::top, true});
    height_ += step;
  }

  const Figure& figure_;
  const Rect& area_;
  double em_, most_;
  const Theme& theme_;
  const TextMetrics& metrics_;
  Scene& scene_;
  double height_ = 0;
};

double drawn(const Figure& figure, bool title, Heading heading) {
  if (title && !figure.title.empty()) heading.title();
  if (title && !figure.subtitle.empty()) heading.subtitle();
  if (figure.moment) heading.moment();
  return heading.height();
}

}  // namespace

double heading_height(const Figure& figure, const LayoutOptions& options, const Rect& area,
                      const Theme& theme, const TextMetrics& metrics) {
  Scene nowhere;
  return drawn(figure, options.title,
               {figure, area, std::numeric_limits<double>::infinity(), theme, metrics, nowhere});
}

double draw_heading(const Figure& figure, const LayoutOptions& options, const Rect& area, const Theme& theme,
                    const TextMetrics& metrics, Scene& scene) {
  const double height =
      drawn(figure, options.title, {figure, area, options.size.height / most_of_page, theme, metrics, scene});
  scene.heading = {0, scene.primitives.size()};
  return height;
}

}  // namespace orrery::figure
