#include "app/recipe/pace.h"

#include <algorithm>
#include <cmath>

namespace orrery::recipe {

void Pace::reached(double share, double seconds) {
  constexpr std::size_t remembered = 17;
  constexpr double hundredth = 0.0099, soon = 2;  // as it comes out of sums
  if (!points_.empty()) {
    const double more = share - points_.back().share;
    if (more <= 0 || (more < hundredth && seconds - points_.back().seconds < soon)) return;
  }
  if (points_.size() >= 2) {
    constexpr double ready = 5;
    const Point first = points_.front(), last = points_.back();
    const double before = (last.seconds - first.seconds) / (last.share - first.share),
                 now = (seconds - last.seconds) / (share - last.share);
    if (now > ready * before) points_.erase(points_.begin(), points_.end() - 1);
    if (ready * now < before) {
      for (Point& point : points_) {
        point.share += share - last.share;
        point.seconds += seconds - last.seconds;
      }
      return;
    }
  }
  points_.push_back({share, seconds});
  if (points_.size() > remembered) points_.pop_front();
}

std::optional<double> Pace::left(double seconds) const {
  constexpr double enough = 3;  // seconds
  if (points_.size() < 2) return std::nullopt;
  const auto [first, at] = points_.front();
  const auto [last, then] = points_.back();
  const double took = then - at;
  if (took < enough) return std::nullopt;
  const double since = std::max(0.0, seconds - then), usual = took / static_cast<double>(points_.size() - 1);
  const double overdue = std::max(0.0, since - usual);
  return std::max(0.0, (1 - last) * (took + overdue) / (last - first) - std::min(since, usual));
}

std::string time_left(language::Language language, double seconds) {
  using language::say;
  const auto whole = std::llround(std::max(0.0, seconds));
  if (whole < 100) return say(language, "{} s", whole);
  const auto minutes = (whole + 30) / 60;
  if (minutes < 100) return say(language, "{} min", minutes);
  return say(language, "{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace orrery::recipe
