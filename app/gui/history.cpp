#include "app/gui/history.h"

namespace orrery::gui {
namespace {

HistoryState take(std::vector<HistoryState>& from, std::vector<HistoryState>& to, const HistoryState& now) {
  to.push_back(now);
  HistoryState state = std::move(from.back());
  from.pop_back();
  return state;
}

}  // namespace

void History::record(const HistoryState& before, std::string_view gesture) {
  redone_from_.clear();
  if (!gesture.empty() && gesture == gesture_) return;
  gesture_ = gesture;
  undone_from_.push_back(before);
  if (undone_from_.size() > kept) undone_from_.erase(undone_from_.begin());
}

HistoryState History::undo(const HistoryState& now) {
  end_gesture();
  return take(undone_from_, redone_from_, now);
}

HistoryState History::redo(const HistoryState& now) {
  end_gesture();
  return take(redone_from_, undone_from_, now);
}

}  // namespace orrery::gui
