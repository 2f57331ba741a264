#include "app/gui/left_windows.h"

namespace orrery::gui {

LeftWindows& left_windows() {
  static LeftWindows left;
  return left;
}

void restore_left_window(App& app) {
  LeftWindows& windows = left_windows();
  if (windows.offered.empty() || windows.inquiry.pending()) return;
  const LeftWindow left = windows.offered.front();
  windows.offered.erase(windows.offered.begin());
  const auto take = [&app, left](const ReadSession& read) {
    if (!read.session.document.live.study) {
      app.say(Notice::Kind::error,
              read.fault.empty() ? left.study + ": another window has restored it" : read.fault);
      return;
    }
    app.restore_beside(read.session);
    left_windows().taken_over.push_back(left.file);
    app.say(Notice::Kind::done, "restored: " + left.study);
  };
  windows.inquiry.ask(
      left.file.parent_path().string(),
      [take, file = left.file]() -> Inquiry::Then {
        return [take, read = read_session(file)] { take(read); };
      },
      [&app](const Complaint& why) { app.say(why); });
}

}  // namespace orrery::gui
