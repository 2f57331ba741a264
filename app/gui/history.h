// Undo and redo. A state is a value: which study, with which settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/study/study.h"

namespace orrery::gui {

struct HistoryState {
  const study::Study* study = nullptr;
  parameter::Settings settings;
  bool operator==(const HistoryState& other) const {
    return study == other.study && settings == other.settings;
  }
};

/// Edits with the same gesture name, without an end between them, are one step: a drag is undone as a whole.
class History {
 public:
  void record(const HistoryState& before, std::string_view gesture);
  void end_gesture() { gesture_.clear(); }
  bool can_undo() const { return !undone_from_.empty(); }
  bool can_redo() const { return !redone_from_.empty(); }
  /// The state to go to; `now` is kept for the way back. Only when can_undo() or can_redo() says so.
  HistoryState undo(const HistoryState& now);
  HistoryState redo(const HistoryState& now);

 private:
  static constexpr std::size_t kept = 500;
  std::vector<HistoryState> undone_from_, redone_from_;
  std::string gesture_;
};

}  // namespace orrery::gui
