// Where the bars of colours stand on a page.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "app/figure/scene.h"
#include "app/figure/text_box.h"

namespace orrery::render {

/// A bar of colours lies on no plot and on no other bar.
inline void expect_bars_apart(const figure::Scene& scene) {
  const auto bar_of = [&](std::size_t panel) -> std::optional<figure::Rect> {
    const auto& bar = scene.records[panel].bar;
    if (!bar || bar->drawn.first == bar->drawn.last) return std::nullopt;
    return std::get<figure::Image>(scene.primitives[bar->drawn.first]).box;
  };
  constexpr double touching = 0.5;  // points
  for (std::size_t p = 0; p < scene.records.size(); ++p) {
    const std::optional<figure::Rect> bar = bar_of(p);
    if (!bar) continue;
    const figure::Rect inside = grown(*bar, -touching);
    for (std::size_t q = 0; q < scene.records.size(); ++q) {
      EXPECT_FALSE(overlap(inside, scene.panels[q].plot))
          << "the bar of panel " << p << " lies on panel " << q;
      const std::optional<figure::Rect> other = bar_of(q);
      EXPECT_FALSE(q != p && other && overlap(inside, *other)) << "bars of panels " << p << " and " << q;
    }
  }
}

}  // namespace orrery::render
