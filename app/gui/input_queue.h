// What a person did, in the order in which it was done, handed to Dear ImGui a piece at a time.
//
// Dear ImGui before 1.87 knows only how things stand when a frame begins: of what happens within one slow frame it loses
// the order, and a key that opens a field leaves what is typed behind it to nobody. Here each thing has a frame of its own,
// and a key waits until what the one before it opened is there. Such frames are composed and need not be painted.
#pragma once

#include <cfloat>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "app/gui/chord.h"

namespace orrery::gui {

struct PointerMoved {
  float x, y;
};
struct PointerLeft {};
struct ButtonTurned {
  int button;
  bool down;
};
struct WheelTurned {
  float across, up;
};
struct KeyPressed {
  int key;             ///< as the platform numbers it: what its release will say
  Chord chord;         ///< what it means on this keyboard
  bool again = false;  ///< held down, it repeats
  char32_t text = 0;   ///< the character that it wrote; 0: none
};
struct KeyReleased {
  int key;
};
/// Without a key of its own: composed, or by an input method.
struct TextTyped {
  char32_t text;
};
struct FocusTurned {
  bool here;
};
using InputEvent = std::variant<PointerMoved, PointerLeft, ButtonTurned, WheelTurned, KeyPressed, KeyReleased,
                                TextTyped, FocusTurned>;

class InputQueue {
 public:
  /// Frames until what a key or a click opened has the keyboard: a popup comes one frame late, its field two more.
  static constexpr int settling = 5;

  void push(const InputEvent&);
  /// There is something left for frames to come.
  bool pending() const { return !events_.empty(); }
  /// What belongs into the next frame, to Dear ImGui and to `keys`. Once before each frame.
  void feed(std::vector<Chord>& keys);
  /// Where the pointer is and which buttons are down, once more: for back-ends that write there what they asked for now.
  void restate() const;

 private:
  bool must_wait(const InputEvent&) const;
  void take(const PointerMoved&, std::vector<Chord>&);
  void take(const PointerLeft&, std::vector<Chord>&);
  void take(const ButtonTurned&, std::vector<Chord>&);
  void take(const WheelTurned&, std::vector<Chord>&);
  void take(const KeyPressed&, std::vector<Chord>&);
  void take(const KeyReleased&, std::vector<Chord>&);
  void take(const TextTyped&, std::vector<Chord>&);
  void take(const FocusTurned&, std::vector<Chord>&);
  void settle_after(const KeyPressed&);
  void hold(int key, bool down);

  std::deque<InputEvent> events_;
  std::map<int, Key> held_;  // by the platform's number, what was said to be down
  std::set<int> buttons_;
  ImVec2 pointer_{-FLT_MAX, -FLT_MAX};
  std::optional<Chord> last_;  // the key of the frame before
  int settling_ = 0;           // frames before another key means what it should
};

}  // namespace orrery::gui
