// Paths as people type them: ~ and $HOME are what a shell makes of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace orrery::gui {

/// "~", "~/notes", "$HOME/notes" and "${HOME}/notes" with the home folder in its place; any other text as it is. Blanks
/// around it are nobody's.
std::string typed_path(std::string_view);

/// The other way round, for the eye: a path below the home folder begins with "~".
std::string shown_path(const std::filesystem::path&);

}  // namespace orrery::gui
