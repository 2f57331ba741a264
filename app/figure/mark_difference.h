// B − A of two marks of one kind.
#pragma once

#include <optional>
#include <string>

#include "app/figure/figure.h"

namespace orrery::figure {

struct MarkDifference {
  std::optional<Mark> mark{};  ///< nothing: they have no difference
  std::string remark{};        ///< why not, or what was done to find it
};

/// The scales are those of the panel: between two samples a line runs as it is drawn on them. Ink and label are B's.
MarkDifference difference(const Line& a, const Line& b, const Scale& x, const Scale& y);
/// Of what stands where both have something.
MarkDifference difference(const Points& a, const Points& b);
MarkDifference difference(const Stems& a, const Stems& b);
MarkDifference difference(const Bars& a, const Bars& b);
MarkDifference difference(const Histogram& a, const Histogram& b);
/// Cell by cell over what both cover. Both masked is masked; values on a cyclic map differ by half its range at most.
MarkDifference difference(const Heatmap& a, const Heatmap& b);
MarkDifference difference(const Contours& a, const Contours& b);

}  // namespace orrery::figure
