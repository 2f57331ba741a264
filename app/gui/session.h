// What the window remembers from one start to the next, and across a crash: one TOML file, all of it in one value.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/document.h"
#include "app/gui/export_page.h"

namespace orrery::gui {

struct Session {
  Document document;  ///< its study is nullptr where nothing was opened before
  std::map<const study::Study*, parameter::Settings> left;  ///< as each study was last left
  Preferences preferences;
  ExportPage page;
  std::vector<std::string> recent;  ///< files, the last one first
  int width = 1600, height = 1000;
  bool operator==(const Session&) const = default;
};

/// $XDG_STATE_HOME/orrery/session.toml, or below ~/.local/state; empty where there is neither.
std::filesystem::path session_file();

std::string to_toml(const Session&);

/// A session as far as it could be read; what could not is as at the first start.
struct ReadSession {
  Session session;
  std::string fault;  ///< what was wrong, in one line; empty: nothing
};
/// The text may come from anybody.
ReadSession session_from_toml(std::string_view text);
/// A file of a session, left where it is.
ReadSession session_of_file(const std::filesystem::path&);
/// Of a file that is not there: a first start, without a fault. One with a fault is kept beside it as session.bad.toml,
/// and the fault says so: the next save would write over it.
ReadSession read_session(const std::filesystem::path&);
/// Moves the file aside and returns where to.
std::filesystem::path keep_aside(const std::filesystem::path&);

/// Written whole or not at all; throws Failure.
void write_session(const Session&, const std::filesystem::path&);

}  // namespace orrery::gui
