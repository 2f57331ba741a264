// Maps whose blocks take seconds, in a window that must not wait for them.
#pragma once

#include <cstdint>
#include <optional>

#include "app/figure/figure.h"

namespace orrery::figure {

/// The same figure with maps that answer at once with what is known by then, while threads of theirs find more
/// (block_sampler.h); nothing where every map is quick. What leaves the window is made of the figure itself.
std::optional<Figure> without_waiting(const Figure&);

/// Grows whenever a map of such a figure would answer otherwise than before: it is laid out again.
std::uint64_t news(const Figure&);
/// Whether there may be news.
bool expects_news(const Figure&);

}  // namespace orrery::figure
