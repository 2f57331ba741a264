// The windows that ended unexpectedly, or were closed beside another, as this program found them when it began: the File
// menu restores one after the other.
#pragma once

#include <filesystem>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/inquiry.h"
#include "app/gui/session_shelf.h"

namespace orrery::gui {

struct LeftWindows {
  std::vector<LeftWindow> offered;                ///< the newest first
  std::vector<std::filesystem::path> taken_over;  ///< parts of this window now: they go when it is written
  Inquiry inquiry;                                ///< the one that is being read
};

/// As a program has one folder of sessions, it has one of these.
LeftWindows& left_windows();

/// The first of them, when it was read: see App::restore_beside.
void restore_left_window(App&);

}  // namespace orrery::gui
