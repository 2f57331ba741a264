// The strip below the figure: what was collected, as small pages in a row. A click opens one, its title is typed in
// place, dragging or Ctrl with an arrow gives it another place.
#pragma once

#include <string>

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

struct WindowWishes;

class TrayStrip {
 public:
  /// Fills the pane that it is drawn in.
  void draw(App&, Ui&, WindowWishes&);
  static constexpr float strip_height = 164;  ///< of the design

 private:
  void head(App&, Ui&, WindowWishes&);
  void heading(Ui&, ImVec2 at, float right, std::size_t count) const;
  void cards(App&, Ui&);
  void card(App&, Ui&, std::size_t, ImVec2 at);
  void picture(App&, Ui&, const Collected&, ImVec2 low, ImVec2 high) const;
  void title(App&, Ui&, std::size_t, ImVec2 low, float width);
  void keys(App&, Ui&, std::size_t);
  void menu(App&, Ui&);
  void drag(App&, Ui&, ImVec2 first);
  void rename(const App&, std::size_t);
  std::size_t gap_at(float x, ImVec2 first, const Ui&, std::size_t count) const;

  int renaming_ = -1, dragged_ = -1, asked_ = -1;  // whose title, which card, whose menu
  bool moved_ = false;                             // the drag is one, not a click
  bool opening_ = false;                           // the menu
  bool beginning_ = false;                         // the title's field is there since this frame
  std::string typed_;
  float from_ = 0;         // where the mouse went down
  float scroll_ = 0;       // how far the row is moved to the left
  std::size_t count_ = 0;  // in the last frame: a new one comes into sight
};

}  // namespace orrery::gui
