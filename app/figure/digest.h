// A figure's digest: what a layout would otherwise find by walking through all of its data, found once. Whoever lays the
// same figure out again and again keeps it; panning over a million points then touches only those that are seen.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/trace.h"

namespace orrery::figure {

/// What values cover of an axis, and at which ends they want to touch the edge of the panel.
struct Cover {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  bool lo_pinned = false, hi_pinned = false;

  bool empty() const { return lo > hi; }
  void add(double value, bool pinned = false);
  void add(const Cover&);
};

/// Along one axis: of all finite values, and of those that a log scale has.
struct AxisCover {
  Cover all, positive;
  const Cover& on(const Scale& scale) const { return scale.kind() == Scale::Kind::log ? positive : all; }
};

struct MarkDigest {
  AxisCover x, y;
  std::optional<Range> values{};         ///< of a field whose colours name no range
  std::shared_ptr<const Trace> trace{};  ///< of a long line in order
};

struct PanelDigest {
  std::vector<MarkDigest> marks{};
};

struct Digest {
  std::vector<PanelDigest> panels{};
};

Digest digest(const Figure&);
PanelDigest digest(const Panel&);

}  // namespace orrery::figure
