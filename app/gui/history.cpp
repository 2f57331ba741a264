#include "app/gui/history.h"

namespace orrery::gui {
namespace {

constexpr double moment =
    0.6;  // seconds without a turn of the wheel, after which the next one is another gesture

}  // namespace

Document History::take(std::vector<Step>& from, std::vector<Step>& to, const Document& now) {
  Step step = std::move(from.back());
  from.pop_back();
  to.push_back({std::move(step.what), now});
  return std::move(step.document);
}

void History::record(const Document& before, std::string_view what, std::string_view gesture) {
  redone_from_.clear();
  quiet_ = 0;
  if (!gesture.empty() && gesture == gesture_) return;
  gesture_ = gesture;
  dragged_ = down_;
  undone_from_.push_back({std::string(what), before});
  if (undone_from_.size() > kept) undone_from_.erase(undone_from_.begin());
}

void History::hand(bool down, double seconds) {
  quiet_ += seconds;
  const bool over = dragged_ ? !down : down || quiet_ > moment;
  down_ = down;
  if (over) end_gesture();
}

std::string_view History::undo_what() const {
  return can_undo() ? std::string_view(undone_from_.back().what) : std::string_view();
}

std::string_view History::redo_what() const {
  return can_redo() ? std::string_view(redone_from_.back().what) : std::string_view();
}

Document History::undo(const Document& now) {
  end_gesture();
  return take(undone_from_, redone_from_, now);
}

Document History::redo(const Document& now) {
  end_gesture();
  return take(redone_from_, undone_from_, now);
}

}  // namespace orrery::gui
