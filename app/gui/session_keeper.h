// From one start of the window to the next: reads where it was left, keeps that up to date, and knows what an unexpected
// end is.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/autosave.h"
#include "app/study/reading.h"

namespace orrery::gui {

class SessionKeeper {
 public:
  /// After so many seconds a window has outlived its beginning.
  static constexpr double beginning = 10;

  /// Takes over what is in the file, or what a window left that ended unexpectedly: see session_shelf.h. An empty path keeps
  /// nothing, and neither does a folder that does not answer within two seconds: that is the notice then. `wake` is called
  /// from another thread.
  explicit SessionKeeper(const std::filesystem::path&, std::function<void()> wake = {});
  ~SessionKeeper();
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  /// How large the window was, before there is an App.
  const Session& found() const { return found_; }
  /// Where the person was, with a notice where something went wrong; false at a first start.
  bool restore(App&) const;

  /// Once per frame; a complaint becomes the notice, once. Returns after how many seconds it wants to be asked again.
  double poll(double now, App&, int width, int height);
  /// The clean end.
  void finish(const App&, int width, int height);
  /// The window ends by a fault: the next one restores what was kept so far.
  void leave();
  /// Whether all that poll() was shown is in the file.
  bool up_to_date() const { return !autosave_ || autosave_->up_to_date(); }

 private:
  struct Beginning;
  void forget_taken_over();
  const study::Reading<bool>& in_the_folder(std::function<void()>);

  std::filesystem::path folder_;
  std::shared_ptr<Beginning>
      beginning_;  // shared with what is done in the folder, on threads that may be left behind
  Session found_;
  Notice notice_;
  std::optional<double> began_;
  bool settled_ = false, left_ = false;
  std::optional<Autosave> autosave_;
  std::vector<study::Reading<bool>> errands_;  // in the folder, one after the other
};

}  // namespace orrery::gui
