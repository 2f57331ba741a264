// What separates two settings of a study, in the words of the panel.
#pragma once

#include <string>

#include "app/gui/ui.h"
#include "app/study/study.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

/// "500 000 → 10 000": of one parameter.
std::string change_text(const Ui&, const study::Study&, const parameter::Parameter&,
                        const parameter::Settings& from, const parameter::Settings& to);
/// "Base 500 000 → 10 000, Show all → plane"; empty where they are the same.
std::string changes_text(const Ui&, const study::Study&, const parameter::Settings& from,
                         const parameter::Settings& to);

}  // namespace orrery::gui
