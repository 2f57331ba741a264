// What a parameter is set to, in the words of the window.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/ui.h"
#include "app/study/study.h"

namespace orrery::gui {

/// `text` is the value as it is written: "yarn", "500 000". Of a choice its word means what it does in this place.
std::string value_words(const Ui&, const study::Study&, const parameter::Parameter&, std::string_view text);

/// All choices of a parameter, in their order.
std::vector<std::string> choices_in_words(const Ui&, const study::Study&, const parameter::Parameter&);

}  // namespace orrery::gui
