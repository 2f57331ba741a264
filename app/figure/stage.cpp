#include "app/figure/stage.h"

#include <algorithm>

#include "app/figure/text_box.h"

namespace orrery::figure {

/// Words on words say nothing, neither these nor those. Boxes are of lines, which are higher than their ink, and no wider.
bool Stage::on_words(const Rect& box, double gap) const {
  constexpr double blank = 0.12;  // of a line's height, above its ink and below
  const double beside = gap / 2 * theme.text_size;
  const auto ink = [=](const Rect& words) {
    const double off = blank * std::min(words.w, words.h);
    return Rect{words.x - beside, words.y + off, words.w + 2 * beside, words.h - 2 * off};
  };
  return std::ranges::any_of(lettering.words,
                             [&, own = ink(box)](const Rect& words) { return overlap(ink(words), own); });
}

}  // namespace orrery::figure
