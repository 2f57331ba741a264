// A small file beside the session for as long as a window runs. One that is still there when its program is gone tells
// of an unexpected end; windows side by side have one each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace orrery::gui {

/// How the window before this one ended.
enum class Before : std::uint8_t {
  clean,
  crashed,
  crashed_again  ///< within seconds of being restored after a crash: what was restored may be the reason
};

class RunningMarker {
 public:
  /// Looks for those that were left behind, takes them away, and leaves its own. A folder that cannot be written has none.
  explicit RunningMarker(std::filesystem::path folder);
  /// The clean end, unless end() was that.
  ~RunningMarker();
  void end();
  RunningMarker(const RunningMarker&) = delete;
  RunningMarker& operator=(const RunningMarker&) = delete;

  Before before() const { return before_; }
  /// The processes of the windows that run beside this one, and of those that ended unexpectedly.
  const std::vector<int>& running() const { return running_; }
  const std::vector<int>& ended() const { return ended_; }
  /// This window has lived for so long that its beginning is not what could kill it.
  void settled();
  /// This end is not one that was asked for: the mark stays.
  void leave();

 private:
  void write(bool settled) const;
  std::filesystem::path file_;
  bool ended_now_ = false;
  std::vector<int> running_, ended_;
  Before before_ = Before::clean;
  int restored_ = 0;  // how often in a row a window was restored after an unexpected end
};

}  // namespace orrery::gui
