// Undo and redo: whole documents, each with what was done to leave it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/document.h"

namespace orrery::gui {

/// Edits with the same gesture name, without an end between them, are one step: a drag is undone as a whole, and so are
/// turns of the wheel and repeats of a key that follow one another.
class History {
 public:
  static constexpr std::size_t kept = 500;

  /// `what` is said in the menu: "Undo Base".
  void record(const Document& before, std::string_view what, std::string_view gesture);
  void end_gesture() { gesture_.clear(); }
  /// Once per frame, so many seconds after the last: whether a button of the mouse is down. What began with a button ends
  /// with it; what began without one, when for a moment nothing more came, or a button goes down.
  void hand(bool down, double seconds);
  bool can_undo() const { return !undone_from_.empty(); }
  bool can_redo() const { return !redone_from_.empty(); }
  /// What the next undo or redo would take back or do again; empty when there is none.
  std::string_view undo_what() const;
  std::string_view redo_what() const;
  /// How many steps there are each way; what the nearest but `step` was.
  std::size_t undo_steps() const { return undone_from_.size(); }
  std::size_t redo_steps() const { return redone_from_.size(); }
  std::string_view undo_what(std::size_t step) const {
    return undone_from_[undone_from_.size() - 1 - step].what;
  }
  std::string_view redo_what(std::size_t step) const {
    return redone_from_[redone_from_.size() - 1 - step].what;
  }
  /// The document that the nearest but `step` leads to, back or forward.
  const Document& undo_to(std::size_t step) const {
    return undone_from_[undone_from_.size() - 1 - step].document;
  }
  const Document& redo_to(std::size_t step) const {
    return redone_from_[redone_from_.size() - 1 - step].document;
  }
  /// The document to go to; `now` is kept for the way back. Only when can_undo() or can_redo() says so.
  Document undo(const Document& now);
  Document redo(const Document& now);

 private:
  struct Step {
    std::string what;
    Document document;
  };
  static Document take(std::vector<Step>& from, std::vector<Step>& to, const Document& now);
  std::vector<Step> undone_from_, redone_from_;
  std::string gesture_;
  bool down_ = false, dragged_ = false;  // a button is down; the gesture began with one
  double quiet_ = 0;                     // seconds since its last edit
};

}  // namespace orrery::gui
