// A picture into the clipboard. GLFW and Dear ImGui know text only, so a small program of the desktop takes it: xclip on
// X11, wl-copy on Wayland. Neither is waited for.
#pragma once

#include <filesystem>
#include <future>
#include <string>
#include <string_view>

namespace orrery::gui {

class PictureClipboard {
 public:
  /// What went wrong, in words for the status line; `path` is set where a file holds the picture instead.
  struct Said {
    bool failed = false;
    std::string text;
    std::filesystem::path path;
  };

  /// Hands the bytes of a PNG to the desktop's program; without one, writes them to a file in the temporary folder, where the
  /// next one takes its place.
  Said put(std::string png);
  /// Once per frame: says it when the program that was started could not do it after all, and writes the file then.
  Said poll();

 private:
  Said into_file(std::string_view why);

  std::string png_;               // until the program has it
  std::filesystem::path folder_;  // of the file; empty: none was needed yet
  std::string program_;           // that was started
  std::future<int> status_;       // its exit status
};

/// "xclip" or "wl-copy" as the session wants it, found on PATH; empty: there is none.
std::filesystem::path picture_program();

}  // namespace orrery::gui
