// The inspector's sections: a head that folds its contents away, and, for those below the edge of the pane, a line at its
// foot that leads there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::gui {

class App;
struct Ui;

class Sections {
 public:
  /// Before the sections of a frame and what is asked about its foot, and after them.
  void begin_frame();
  void end_frame(Ui&) const;
  /// The head of one; false where its contents are folded away. `note` stands at the right end; a failing section says
  /// so in its colour.
  bool head(App&, Ui&, std::string_view id, std::string_view title, std::string_view note = {},
            bool fails = false);

  /// How high the foot is for a pane that ends there, from where the heads stood in the last frame.
  float foot_height(const Ui&, float bottom) const;
  /// A line for each section that lies below; a click leads there.
  void foot(App&, Ui&, float bottom);

 private:
  struct Place {
    std::string id, title, note;
    bool fails = false;
    float top = 0;
  };
  std::size_t first_below(const Ui&, float bottom) const;
  std::vector<Place> places_, before_;
  std::string wanted_;   // comes to the top of the pane
  bool jumped_ = false;  // it does, in the next frame
};

}  // namespace orrery::gui
