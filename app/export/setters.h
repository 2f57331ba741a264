// Text setters that figures share: fonts are found once, not once for a figure.
#pragma once

#include <memory>

#include "app/export/text.h"

namespace orrery::exporter {

std::shared_ptr<const TextSetter> shared_setter(const figure::Fonts&);

}  // namespace orrery::exporter
