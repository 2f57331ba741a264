// A folder for what the tray writes, and a tray with figures in it.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/tray.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui {

class TrayTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static std::vector<std::string> titles(const Harness& h) {
    std::vector<std::string> all;
    for (const Collected& each : collected(h.app.document().tray)) all.push_back(each.title);
    return all;
  }
  static void wait_for_files(Harness& h) {
    while (h.app.exporting().running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      h.frames();
    }
    h.frames(2);
  }
  static void open(Harness& h, const char* id) {
    h.app.open(study::find(id));
    h.settle();
  }
};

/// Three figures of two studies, in a tray that is shown.
inline void collect_three(Harness& h) {
  h.app.open(study::find("rope/rotation"));
  h.settle();
  h.key(static_cast<Key>('T'), true);
  h.app.change_text("base", "777");
  h.settle();
  h.key(static_cast<Key>('T'), true);
  h.app.open(study::find("norm/compare"));
  h.settle();
  h.key(static_cast<Key>('T'), true);
  h.frames(2);
}

}  // namespace orrery::gui
