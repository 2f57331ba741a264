// The axis opposite a panel's first one.
#pragma once

#include <optional>

#include "app/figure/axis_guide.h"
#include "app/figure/figure.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// What a second axis shows beside the first: its range, and where its values stand.
struct SecondScale {
  Range range;
  ShareOf share;
};

/// Beside a first axis of which the frame shows a part. Nothing when the map is not monotone there, or takes it where
/// no axis can follow.
std::optional<SecondScale> second_scale(const SecondAxis&, bool along_x, const PanelFrame&);

/// The frame that a mark is drawn in: the panel's own, or with the scale of the second axis that names the mark.
PanelFrame mark_frame(const Panel&, int mark, const PanelFrame&);

}  // namespace orrery::figure
