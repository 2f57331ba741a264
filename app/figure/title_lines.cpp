#include "app/figure/title_lines.h"

#include <algorithm>
#include <cmath>

#include "app/figure/text_box.h"

namespace orrery::figure {
namespace {

using Lines = std::vector<std::string>;

/// The line whose end may differ: the next begins with other words. Of lines that end alike, the last.
std::size_t last_alike(const Lines& a, const Lines& b) {
  std::size_t line = 0;
  while (line + 1 < std::min(a.size(), b.size()) && a[line + 1] == b[line + 1]) ++line;
  return line;
}

}  // namespace

std::vector<std::string> wrap_alike(const std::string& title, const std::string& other,
                                    const TextStyle& style, double width, const TextMetrics& metrics) {
  const Lines alone = wrap(title, style, width, metrics);
  if (other.empty()) return alone;
  const auto wide = [&](const std::string& line) { return metrics.measure(line, style).width; };
  Lines own = alone;
  for (std::size_t tries = 0; tries < alone.size() + 1; ++tries) {
    const Lines others = wrap(other, style, width, metrics);
    const std::size_t line = last_alike(own, others);
    if (line + 1 == own.size() && line + 1 == others.size()) return own;
    const bool own_goes_on = wide(own[line]) > wide(others[line]);
    const Lines &longer = own_goes_on ? own : others, &shorter = own_goes_on ? others : own;
    if (std::ranges::any_of(shorter, [&](const auto& each) { return wide(each) >= wide(longer[line]); }))
      break;
    width = std::nextafter(wide(longer[line]), 0.0);
    own = wrap(title, style, width, metrics);
  }
  return alone;
}

}  // namespace orrery::figure
