// Another window beside this one: a program of its own that works, waits to be told, and then ends well or is killed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace orrery::gui {

class OtherWindow {
 public:
  /// Returns when it has written its session: this study with this base, which is in its tray too.
  OtherWindow(const std::filesystem::path& session, const std::string& study, const std::string& base);
  ~OtherWindow();
  OtherWindow(const OtherWindow&) = delete;
  OtherWindow& operator=(const OtherWindow&) = delete;
  void close();
  /// Not buried, it stays what it is until its parent asks how it ended.
  void kill(bool bury = true);

 private:
  void wait();
  int talk_ = -1;
  pid_t process_ = 0;
};

}  // namespace orrery::gui
