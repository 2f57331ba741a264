#include "app/gui/input_queue.h"

#include <algorithm>
#include <array>

#include "app/gui/imgui_compat.h"

namespace orrery::gui {
namespace {

// The platform's numbers of the keys that change others: both of each kind.
constexpr std::array shift_keys{340, 344}, control_keys{341, 345}, alt_keys{342, 346};
constexpr int first_modifier = 340, last_modifier = 347;

bool is_modifier(int key) {
  return key >= first_modifier && key <= last_modifier;
}

/// Only behind such a key its character follows; what an input method wrote stands alone.
bool can_write(int key) {
  constexpr int first_without = 256, first_of_the_pad = 320, last_of_the_pad = 336;
  return key < first_without || (key >= first_of_the_pad && key <= last_of_the_pad);
}

/// It writes, and nothing else.
bool writes(const InputEvent& event) {
  if (std::holds_alternative<TextTyped>(event)) return true;
  const auto* key = std::get_if<KeyPressed>(&event);
  return key && key->text != 0 && !key->chord.ctrl && !key->chord.alt;
}

bool moves_on(Key key) {
  constexpr std::array keys{Key::left,      Key::right, Key::up,  Key::down,  Key::page_up,
                            Key::page_down, Key::home,  Key::end, Key::minus, Key::equal};
  return std::ranges::find(keys, key) != keys.end();
}

/// A field that is being typed into stays open, and the keyboard stays in it.
bool stays_in_a_field(const Chord& chord) {
  constexpr std::array leaving{Key::enter, Key::pad_enter, Key::escape, Key::tab, Key::up, Key::down};
  return edits_text(chord) && std::ranges::find(leaving, chord.key) == leaving.end();
}

}  // namespace

void InputQueue::push(const InputEvent& event) {
  if (!events_.empty()) {
    InputEvent& last = events_.back();
    const auto both = [&]<class Kind>(const Kind*) {
      return std::holds_alternative<Kind>(last) && std::holds_alternative<Kind>(event);
    };
    if (both(static_cast<PointerMoved*>(nullptr))) {
      last = event;
      return;
    }
    if (both(static_cast<WheelTurned*>(nullptr))) {
      const auto& more = std::get<WheelTurned>(event);
      auto& turned = std::get<WheelTurned>(last);
      turned = {turned.across + more.across, turned.up + more.up};
      return;
    }
    if (both(static_cast<KeyPressed*>(nullptr))) {
      // A key that repeats faster than frames come must not run on after it was released.
      const auto &before = std::get<KeyPressed>(last), &now = std::get<KeyPressed>(event);
      if (now.again && now.key == before.key && now.chord == before.chord && before.text == 0) return;
    }
    if (const auto* typed = std::get_if<TextTyped>(&event)) {
      if (auto* key = std::get_if<KeyPressed>(&last); key && key->text == 0 && can_write(key->key)) {
        key->text = typed->text;
        return;
      }
    }
  }
  events_.push_back(event);
}

bool InputQueue::must_wait(const InputEvent& event) const {
  if (settling_ == 0) return false;
  if (std::holds_alternative<TextTyped>(event)) return true;
  const auto* key = std::get_if<KeyPressed>(&event);
  if (!key || is_modifier(key->key)) return false;
  return !(last_ == key->chord && moves_on(key->chord.key));
}

void InputQueue::feed(std::vector<Chord>& keys) {
  if (settling_ > 0) --settling_;
  if (events_.empty() || must_wait(events_.front())) return;
  const bool run = ImGui::GetIO().WantTextInput && writes(events_.front());
  do {
    const InputEvent event = events_.front();
    events_.pop_front();
    std::visit([&](const auto& what) { take(what, keys); }, event);
    // All that was written into a field meanwhile, in its order.
  } while (run && !events_.empty() &&
           (writes(events_.front()) || (std::holds_alternative<KeyReleased>(events_.front()) &&
                                        !is_modifier(std::get<KeyReleased>(events_.front()).key))));
}

void InputQueue::restate() const {
  compat::feed_mouse_position(pointer_.x, pointer_.y);
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
    compat::feed_mouse_button(button, buttons_.contains(button));
}

void InputQueue::take(const PointerMoved& moved, std::vector<Chord>&) {
  pointer_ = {moved.x, moved.y};
  compat::feed_mouse_position(moved.x, moved.y);
}

void InputQueue::take(const PointerLeft&, std::vector<Chord>& keys) {
  // What is dragged is dragged on outside.
  if (buttons_.empty()) take(PointerMoved{-FLT_MAX, -FLT_MAX}, keys);
}

void InputQueue::take(const ButtonTurned& turned, std::vector<Chord>&) {
  if (turned.button >= ImGuiMouseButton_COUNT) return;
  if (turned.down)
    buttons_.insert(turned.button);
  else
    buttons_.erase(turned.button);
  compat::feed_mouse_button(turned.button, turned.down);
  settling_ = settling;
  last_.reset();
}

void InputQueue::take(const WheelTurned& turned, std::vector<Chord>&) {
  compat::feed_wheel(turned.up);
  compat::feed_wheel_across(turned.across);
}

void InputQueue::hold(int key, bool down) {
  const auto any = [this](const auto& of) {
    return std::ranges::any_of(of, [this](int each) { return held_.contains(each); });
  };
  if (const auto found = held_.find(key); !down && found != held_.end()) {
    if (compat::known(found->second)) compat::feed_key(found->second, false);
    held_.erase(found);
  }
  if (!is_modifier(key)) return;
  compat::feed_modifiers(any(control_keys), any(shift_keys));
  compat::feed_alt(any(alt_keys));
}

void InputQueue::settle_after(const KeyPressed& pressed) {
  const bool light = ImGui::GetIO().WantTextInput && stays_in_a_field(pressed.chord);
  settling_ = light ? 1 : settling;
  last_ = pressed.chord;
}

void InputQueue::take(const KeyPressed& pressed, std::vector<Chord>& keys) {
  if (is_modifier(pressed.key)) {
    held_[pressed.key] = pressed.chord.key;
    return hold(pressed.key, true);
  }
  const bool into_a_field = ImGui::GetIO().WantTextInput && writes(pressed);
  if (!into_a_field) {
    held_[pressed.key] = pressed.chord.key;
    if (compat::known(pressed.chord.key)) compat::feed_key(pressed.chord.key, true);
  }
  settle_after(pressed);
  keys.push_back(pressed.chord);
  if (pressed.text != 0) take(TextTyped{pressed.text}, keys);
}

void InputQueue::take(const KeyReleased& released, std::vector<Chord>&) {
  hold(released.key, false);
}

void InputQueue::take(const TextTyped& typed, std::vector<Chord>& keys) {
  ImGui::GetIO().AddInputCharacter(typed.text);
  // Where it is on the keyboard, and with what it is written, differs: only the sign itself says it.
  if (typed.text == '?') keys.push_back({Key::question});
  if (!ImGui::GetIO().WantTextInput) settling_ = settling;
}

void InputQueue::take(const FocusTurned& turned, std::vector<Chord>&) {
  ImGui::GetIO().AddFocusEvent(turned.here);
}

}  // namespace orrery::gui
