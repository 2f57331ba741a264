// A page as a small picture for the screen.
#pragma once

#include "app/export/export.h"
#include "app/figure/scene.h"

namespace orrery::exporter {

/// The page as it would be printed, so large that it just fits: R G B A with straight alpha, row 0 at the top. The page's own
/// dpi does not count.
figure::Image thumbnail(const figure::Figure&, const Page&, int most_width, int most_height);

}  // namespace orrery::exporter
