// A few lines of words that stand together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

struct TextBlock {
  std::vector<std::string> lines;
  TextStyle style;
  double width = 0, step = 0;  ///< of the widest line; from line to line

  /// Lines are apart by \n.
  TextBlock(std::string_view text, const TextStyle&, const TextMetrics&);
  double height() const { return step * double(lines.size()); }
  /// Each line aligned as asked inside the box, which has this block's size.
  void draw(const Rect& box, HAlign, Color, Scene&) const;
};

}  // namespace orrery::figure
