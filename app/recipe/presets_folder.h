#pragma once

#include <filesystem>

namespace orrery::recipe {

/// $XDG_DATA_HOME/orrery/presets, or below ~/.local/share: a folder for each study that has saved ones. Empty where there is
/// neither.
std::filesystem::path presets_folder();

}  // namespace orrery::recipe
