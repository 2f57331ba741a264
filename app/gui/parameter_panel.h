// One row for each declared parameter: its name, its value as a number that can be typed, and what turns it. What is done
// seldom stands where it does not disturb: the lock in the margin, the button that lets a parameter run beside its value
// while the pointer is on the row, how it runs below the slider while it does.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "app/gui/app.h"
#include "app/gui/file_picker.h"
#include "app/gui/presets_menu.h"
#include "app/gui/ui.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

/// What a parameter's control is called, for the keyboard.
inline std::string item_name(const parameter::Parameter& p) {
  return "parameter:" + std::string(p.name);
}

class ParameterPanel {
 public:
  void draw(App&, Ui&);

 private:
  /// A row as it is being drawn.
  struct Row {
    const parameter::Parameter& p;
    ImVec2 at;
    float width = 0;
    bool focused = false;  ///< with the keyboard
    bool alive = false;    ///< that, or under the pointer: it shows what else can be done
  };
  using Enter = std::function<bool(const std::string&)>;  ///< false: not allowed

  void head(App&, Ui&);
  void row(App&, Ui&, const parameter::Parameter&);
  void label(App&, Ui&, const Row&);
  void lock_button(App&, Ui&, const Row&);
  void keys(App&, Ui&, const Row&);
  void complaint(const App&, Ui&, const Row&);
  void number(App&, Ui&, const Row&);
  float play_button(App&, Ui&, const Row&, float right);
  void motion(App&, Ui&, const Row&);
  void motion_end(App&, Ui&, const Row&, bool first, ImVec2 at, float width);
  void slider(App&, Ui&, const parameter::Parameter&);
  void turn_slider(App&, Ui&, const parameter::Parameter&, const Press&);
  void toggle(App&, Ui&, const Row&);
  void choice(App&, Ui&, const parameter::Parameter&);
  void vector(App&, Ui&, const parameter::Parameter&);
  void component(App&, Ui&, const parameter::Parameter&, std::size_t, ImVec2 at, float width);
  void matrix(App&, Ui&, const parameter::Parameter&);
  void type_all(App&, Ui&, const parameter::Parameter&, const std::string& text);
  void file(App&, Ui&, const Row&);
  void offer_elsewhere(App&, Ui&, const Row&);
  std::function<void()> elsewhere_;  // a click on one of them: done when all rows of this study are drawn
  void words(App&, Ui&, const Row&);
  void text_box(App&, Ui&, const Row&, ImVec2 at, float width, const std::string& text, bool given);

  /// The text field in the place of a value; true while it is there.
  bool field(App&, Ui&, const parameter::Parameter&, std::string_view name, ImVec2 at, float width,
             const Enter&);
  void edit(Ui&, const parameter::Parameter&, std::string_view name, std::string text, bool by_key = false);
  void edit_by_keys(Ui&, const parameter::Parameter&, std::string_view name, const std::string& text,
                    const Press& control);

  std::string editing_;      // what is being typed: "base", "waves:2", "base:from"
  std::string opened_from_;  // the control whose keys opened it; empty: it was clicked
  bool focus_ = false;       // the field must take the keyboard in this frame
  bool typing_ = false;      // the field had it in the last frame
  bool wrong_ = false;       // what stands in it is not allowed: it stays until it is mended or taken back
  std::string typed_;
  std::string begun_;        // typed before the field was there
  std::string turning_;      // the slider under the mouse
  float fine_ = 0;           // how far it stays behind the mouse, by turning finely
  parameter::Value before_;  // its value before the click, for a double click that only wanted to type
  std::map<std::string, float> heights_;  // of the rows, in the last frame
  std::map<std::string, bool> beside_;    // which vectors stand beside their label
  PresetsMenu presets_;
  FilePicker picker_;
};

}  // namespace orrery::gui
