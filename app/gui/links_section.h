// From the figure on to other studies, with its numbers.
#pragma once

#include "app/gui/app.h"
#include "app/gui/ui.h"
#include "app/study/links.h"

namespace orrery::gui {

/// Opens the study with the numbers, as one step; what it refuses becomes the notice.
void follow(App&, const study::Link&);

/// Where the result that is shown hands numbers on; nothing where it does not.
void links_section(App&, Ui&);

}  // namespace orrery::gui
