#include "app/figure/text_block.h"

#include <algorithm>

#include "app/figure/text_box.h"

namespace orrery::figure {

TextBlock::TextBlock(std::string_view text, const TextStyle& s, const TextMetrics& metrics) : style(s) {
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  for (const std::string& line : lines) {
    width = std::max(width, metrics.measure(line, style).width);
    step = std::max(step, line_height(line, style, metrics));  // a tall formula moves them all apart
  }
}

void TextBlock::draw(const Rect& box, HAlign h, Color color, Scene& scene) const {
  const double x = h == HAlign::left ? box.x : h == HAlign::center ? box.x + box.w / 2 : box.x + box.w;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].empty())
      scene.primitives.emplace_back(
          Label{{x, box.y + step * (double(i) + 0.5)}, lines[i], style, color, h, VAlign::middle, true});
}

}  // namespace orrery::figure
