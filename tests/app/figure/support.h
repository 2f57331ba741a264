// Text whose size is plain arithmetic, and ways to look into a scene.
#pragma once

#include <vector>

#include "app/figure/layout.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

/// 0.6 of the size per character; what stands between dollars counts like words.
class CountedText final : public TextMetrics {
 public:
  Extent measure(std::string_view text, const TextStyle& style) const override {
    int characters = 0;
    for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return {0.6 * style.size * characters, 0.95 * style.size, 0.25 * style.size};
  }
};

/// Letters as of a typeface with optical sizes: small ones are wider for their height.
class OpticalText final : public TextMetrics {
 public:
  Extent measure(std::string_view text, const TextStyle& style) const override {
    const Extent plain = CountedText().measure(text, style);
    return {plain.width * (0.8 + 2 / style.size), plain.ascent, plain.descent};
  }
};

template <class P>
std::vector<P> all_of_kind(const Scene& scene) {
  std::vector<P> found;
  for (const Primitive& p : scene.primitives)
    if (const P* one = std::get_if<P>(&p)) found.push_back(*one);
  return found;
}

inline LayoutOptions page(double width, double height, double pixels_per_point = 4) {
  LayoutOptions options;
  options.size = {width, height};
  options.pixels_per_point = pixels_per_point;
  options.most_cells = 1 << 16;
  return options;
}

}  // namespace orrery::figure
