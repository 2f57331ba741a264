// Keeps the session's file no older than a few seconds, on a thread of its own, which is left behind where the disk does
// not answer.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "app/gui/session.h"
#include "app/study/reading.h"

namespace orrery::gui {

class Autosave {
 public:
  /// Seconds from a change to its being written; with the writing it stays well below five.
  static constexpr double patience = 3;

  /// `saved` is what the file holds. `wake` is called from another thread when something was written, or could not be.
  Autosave(std::filesystem::path, Session saved, std::function<void()> wake = {});

  /// Once per frame. Returns after how many seconds it wants to be asked again even if nothing happens.
  double poll(double now, const Session&);
  /// Writes at once what has not been written, and waits for it, a few seconds at most: the end.
  void finish(const Session&);
  /// Why the session cannot be kept: once, then never again.
  Complaint complaint();
  /// Whether the last writing went wrong.
  bool failed() const { return failed_; }
  /// Whether what was last handed to poll() is in the file.
  bool up_to_date() const { return !changed_ && !writing() && !failed_; }

 private:
  bool writing() const { return written_.asked() && !written_.ready(); }
  void write(const Session&);
  void wait();
  void collect();

  std::filesystem::path file_;
  std::function<void()> wake_;
  Session saved_;                  // in the file, or on its way
  std::optional<double> changed_;  // when something else was first seen
  Complaint complaint_;            // the first
  bool complained_ = false;
  bool failed_ = false;  // what was last written is not in the file: it is tried again, and again at the end
  study::Reading<Complaint> written_;  // what went wrong
};

}  // namespace orrery::gui
