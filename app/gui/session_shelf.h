// The sessions of all windows, side by side in one folder.
//
// session.toml is of the window that was closed last; who starts takes it over by renaming it to session.PID.toml, so that
// only one can. A window that finds none there begins afresh with the preferences of the newest. At a clean end its file
// becomes session.toml, and the one that another window put there meanwhile stays as a left one. What a window that ended
// unexpectedly left is restored by the next start, the newest first; the others are offered.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/session.h"

namespace orrery::gui {

/// What a window that is gone left behind, and no window since has taken over.
struct LeftWindow {
  std::filesystem::path file;
  int process = 0;    ///< the window's
  std::string study;  ///< the title of the one that was open
  std::size_t tray = 0;
  bool operator==(const LeftWindow&) const = default;
};

class SessionShelf {
 public:
  /// Where `last` is the session of the window that was closed last.
  explicit SessionShelf(std::filesystem::path last);

  /// This window's own.
  const std::filesystem::path& own() const { return own_; }
  /// The newest of those that windows left behind which run no longer, by the processes that are known to run.
  std::vector<LeftWindow> left(const std::vector<int>& running) const;
  /// Makes a session this window's own; false where it is not there, or another window was faster.
  bool take_over(const std::filesystem::path&) const;
  bool take_over_last() const { return take_over(last_); }
  /// The preferences of whoever wrote last, for a window that begins afresh.
  Session begin_afresh() const;
  /// The clean end: this window is the one that was closed last.
  void close() const;

 private:
  std::vector<std::filesystem::path> files() const;
  std::filesystem::path unused(int process) const;

  std::filesystem::path last_, own_;
};

}  // namespace orrery::gui
