#include "app/gui/session.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <sstream>

#include "app/export/export.h"

namespace orrery::gui {

std::filesystem::path session_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  // A relative path there is to be ignored, as the base directory specification says.
  const std::filesystem::path base = state && std::filesystem::path(state).is_absolute()
                                         ? std::filesystem::path(state)
                                         : std::filesystem::path(home ? home : "/tmp") / ".local" / "state";
  return base / "orrery" / "session.toml";
}

Session read_session(const std::filesystem::path& file) {
  Session session;
  try {
    const toml::table table = toml::parse_file(file.string());
    session.study = table["study"].value_or(session.study);
    session.theme = table["theme"].value_or(session.theme);
    session.zoom = std::clamp(table["zoom"].value_or(session.zoom), 0.5, 4.0);
    session.width =
        static_cast<int>(std::clamp<std::int64_t>(table["width"].value_or<std::int64_t>(1600), 640, 16384));
    session.height =
        static_cast<int>(std::clamp<std::int64_t>(table["height"].value_or<std::int64_t>(1000), 400, 16384));
  } catch (const std::exception&) {
    return {};
  }
  if (session.theme != "light") session.theme = "dark";
  return session;
}

void write_session(const Session& session, const std::filesystem::path& file) {
  const toml::table table{{"study", session.study},
                          {"theme", session.theme},
                          {"zoom", session.zoom},
                          {"width", session.width},
                          {"height", session.height}};
  std::ostringstream text;
  text << table << '\n';
  try {
    std::filesystem::create_directories(file.parent_path());
    exporter::write_file(file, text.str());
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace orrery::gui
