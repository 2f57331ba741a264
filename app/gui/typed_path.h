// Paths as people type them: ~ and $HOME are what a shell makes of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace orrery::gui {

/// "~", "~/notes", "$HOME/notes" and "${HOME}/notes" with the home folder in its place; any other text as it is. Blanks
/// around it are nobody's.
std::string typed_path(std::string_view);

/// A place from the root on; nothing typed is the folder where the program was started. Never throws.
std::filesystem::path whole_path(const std::filesystem::path&);

/// The other way round, for the eye: a path below the home folder begins with "~".
std::string shown_path(const std::filesystem::path&);

}  // namespace orrery::gui
