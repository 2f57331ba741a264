// The keyboard's place among the controls. Every control says in each frame that it is there (press() and text_field()
// do); from that list, in reading order, Tab and Shift+Tab move on, F6 goes from pane to pane, and the one that has the
// keyboard gets a ring. Members of a group (rows of a list) count as one for Tab; the arrows move among them.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/chord.h"

namespace orrery::gui {

class Focus {
 public:
  /// Before the panels: Tab and Shift+Tab of the keys since the last frame move on and are taken from them.
  void begin_frame(std::vector<Chord>& keys);
  /// After them: arrows that no control wanted move on too, Escape leaves; then the ring is drawn.
  void end_frame(std::vector<Chord>& keys, ImU32 ink, float scale);

  void begin_pane(std::string_view name) { pane_ = name; }
  /// While a popup is open, the keyboard stays in the topmost one, and comes back to where it was.
  void begin_popup() { ++depth_; }
  void end_popup() { --depth_; }
  /// `current` is where Tab comes in; empty: at the first.
  void begin_group(std::string_view name, std::string_view current);
  void end_group() { group_.clear(); }

  /// A control of that name stands there, in the window that is being drawn; true while it has the keyboard.
  bool stop(std::string_view name, ImVec2 low, ImVec2 high);
  /// It has the keyboard since this frame: what is out of sight comes into sight, a field is opened.
  bool arrived(std::string_view name) const { return arrived_ && here_ == name; }
  bool on(std::string_view name) const { return here_ == name; }
  /// Which one has it.
  const std::string& at() const { return here_; }
  /// Nothing has it: arrows and letters are free for the window.
  bool nowhere() const { return here_.empty(); }

  void set(std::string_view name);
  /// A field that was clicked has the keyboard, and needs no ring to say so.
  void set_by_mouse(std::string_view name);
  void leave();
  /// The control of that name, or the first of its parts ("name:0"), as soon as it is there and no popup is open.
  void want(std::string_view name) { wanted_ = name; }
  /// Tab goes on from there: it was clicked.
  void touched(std::string_view name) { from_ = name; }
  /// The first control of the next pane, or of the one before.
  void next_pane(int direction);

  struct Stop {
    std::string name, pane, group;
    int depth = 0;
    bool current = false;  // of its group
    ImVec2 low, high, clip_low, clip_high;
  };
  /// What Tab reaches now, in its order: the topmost popup's, else the window's. For tests.
  std::vector<const Stop*> ring() const;

 private:
  void step(int direction);
  void step_in_group(int direction, bool to_end);
  void change_depth();
  void answer_want();
  void enter_popup();
  void draw_ring(const Stop&, ImU32 ink, float scale) const;
  int place(std::string_view name, const std::vector<const Stop*>&) const;

  std::vector<Stop> stops_, before_;  // of this frame, and of the last whole one
  std::string wanted_, here_, from_, pane_, group_, current_;
  std::vector<std::string> left_behind_;  // below each open popup
  int depth_ = 0, deepest_ = 0;
  bool arrived_ = false, arriving_ = false;
  bool by_keyboard_ = false;  ///< the last move: a popup that opens then begins with its first control
};

}  // namespace orrery::gui
