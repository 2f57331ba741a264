#include "app/gui/left_windows.h"

#include <string>

namespace orrery::gui {

LeftWindows& left_windows() {
  static LeftWindows left;
  return left;
}

void restore_left_window(App& app) {
  LeftWindows& windows = left_windows();
  if (windows.offered.empty()) return;
  const LeftWindow left = windows.offered.front();
  windows.offered.erase(windows.offered.begin());
  const ReadSession read = read_session(left.file);
  if (!read.session.document.live.study) {
    app.notice = {Notice::Kind::error,
                  read.fault.empty() ? left.study + ": another window has restored it" : read.fault};
    return;
  }
  app.edit("Restore a window", {}, [&](Document& d) {
    const Tray here = d.tray;
    d = read.session.document;
    if (!here || here->empty()) return;
    std::vector<Collected> both = d.tray ? *d.tray : std::vector<Collected>();
    both.insert(both.end(), here->begin(), here->end());
    d.tray = std::make_shared<const std::vector<Collected>>(std::move(both));
  });
  windows.taken_over.push_back(left.file);
  app.notice = {Notice::Kind::done, "restored: " + left.study};
}

}  // namespace orrery::gui
