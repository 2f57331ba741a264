// Which of the ways to lay out a page is taken: all panels as the figure has them, in other columns, fewer of them, fewer
// words.
#pragma once

#include <functional>
#include <optional>

#include "app/figure/page_plan.h"

namespace orrery::figure {

/// One way to stand on a page of so many times the size, for whatever is laid out.
using TryOut = std::function<Attempt(const Standing&, double times)>;

/// All panels with the words that there is room for, or as many panels as say all of theirs.
Attempt choose(const Figure&, const LayoutOptions&, const TryOut&);

/// Other columns for all panels, where plots would be stamps in the figure's own and are larger by a quarter, at least.
std::optional<Arrangement> other_columns(const Figure&, const TryOut&);

}  // namespace orrery::figure
