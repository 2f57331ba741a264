// From one start of the window to the next: reads where it was left, keeps that up to date, and knows what an unexpected
// end is.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/gui/app.h"
#include "app/gui/autosave.h"
#include "app/gui/running_marker.h"
#include "app/gui/session_shelf.h"

namespace orrery::gui {

class SessionKeeper {
 public:
  /// After so many seconds a window has outlived its beginning.
  static constexpr double beginning = 10;

  /// Takes over what is in the file, or what a window left that ended unexpectedly: see session_shelf.h. An empty path keeps
  /// nothing. `wake` is called from another thread.
  explicit SessionKeeper(const std::filesystem::path&, std::function<void()> wake = {});

  /// How large the window was, before there is an App.
  const Session& found() const { return found_; }
  /// Where the person was, with a notice where something went wrong; false at a first start.
  bool restore(App&) const;

  /// Once per frame; a complaint becomes the notice, once. Returns after how many seconds it wants to be asked again.
  double poll(double now, App&, int width, int height);
  /// The clean end.
  void finish(const App&, int width, int height);
  /// Whether all that poll() was shown is in the file.
  bool up_to_date() const { return !autosave_ || autosave_->up_to_date(); }

 private:
  void find();
  void restore_after_a_crash();
  static void forget_taken_over();

  Session found_;
  std::vector<LeftWindow> left_;
  Notice notice_;
  bool as_edit_ = false;
  std::optional<double> began_;
  bool settled_ = false;
  std::filesystem::path file_;
  std::optional<RunningMarker> marker_;
  std::optional<SessionShelf> shelf_;
  std::optional<Autosave> autosave_;
};

}  // namespace orrery::gui
