// What the window remembers from one start to the next.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::gui {

struct Session {
  std::string study;  ///< empty: never opened before
  std::string theme = "dark";
  double zoom = 1;  ///< of the interface, on top of what the display asks for
  int width = 1600, height = 1000;
  bool operator==(const Session&) const = default;
};

/// $XDG_STATE_HOME/orrery/session.toml, or below ~/.local/state.
std::filesystem::path session_file();
/// A missing or broken file, or a broken entry in it, gives defaults: a session is a comfort, never an
/// obstacle.
Session read_session(const std::filesystem::path&);
/// Written whole or not at all; a folder that cannot be written is no reason to complain on the way out.
void write_session(const Session&, const std::filesystem::path&);

}  // namespace orrery::gui
