// A page as a small picture for the screen.
#pragma once

#include "app/export/export.h"
#include "app/figure/scene.h"

namespace orrery::exporter {

struct Thumbnail {
  figure::Image image;                ///< R G B A with straight alpha, row 0 at the top
  std::vector<std::string> left_out;  ///< texts of the figure that the page has no room for
};

/// The page as it would be printed, so large that it just fits. The page's own dpi does not count.
Thumbnail thumbnail(const figure::Figure&, const Page&, int most_width, int most_height);

}  // namespace orrery::exporter
