// Undo and redo: whole documents, each with what was done to leave it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/document.h"

namespace orrery::gui {

/// Edits with the same gesture name, without an end between them, are one step: a drag is undone as a whole.
class History {
 public:
  /// `what` is said in the menu: "Undo Base".
  void record(const Document& before, std::string_view what, std::string_view gesture);
  void end_gesture() { gesture_.clear(); }
  bool can_undo() const { return !undone_from_.empty(); }
  bool can_redo() const { return !redone_from_.empty(); }
  /// What the next undo or redo would take back or do again; empty when there is none.
  std::string_view undo_what() const;
  std::string_view redo_what() const;
  /// The document to go to; `now` is kept for the way back. Only when can_undo() or can_redo() says so.
  Document undo(const Document& now);
  Document redo(const Document& now);

 private:
  static constexpr std::size_t kept = 500;
  struct Step {
    std::string what;
    Document document;
  };
  static Document take(std::vector<Step>& from, std::vector<Step>& to, const Document& now);
  std::vector<Step> undone_from_, redone_from_;
  std::string gesture_;
};

}  // namespace orrery::gui
