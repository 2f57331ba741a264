// The figure in the middle: laid out when something changed, painted every frame, and answering to the mouse.
#pragma once

#include <memory>
#include <optional>

#include "app/gui/app.h"
#include "app/gui/draw_list_canvas.h"
#include "app/gui/handles.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class FigureView {
 public:
  /// In the box from the cursor on, of that size in layout units.
  void draw(App&, Ui&, ImVec2 size);

  const figure::Scene& scene() const { return scene_; }
  /// How often a layout was needed: nothing but a change may cost one.
  int layouts() const { return layouts_; }

 private:
  struct Key {
    std::shared_ptr<const study::Outcome> outcome;
    figure::Size size;
    figure::View view;
    const figure::Theme* theme = nullptr;
    double pixels_per_point = 0;
    bool operator==(const Key&) const = default;
  };
  enum class Gesture : std::uint8_t { none, pan, box, handle };

  void lay_out(const App&, Ui&, figure::Size);
  void interact(App&, Ui&, ImVec2 origin, bool hovered, bool pressed);
  void begin_gesture(App&, figure::Point, int button);
  void continue_gesture(App&, figure::Point);
  /// Axes that are shared with other panels move there too.
  void show(App&, int panel, const figure::View::PanelView&) const;
  bool legend_clicked(App&, figure::Point);
  void draw_handles(Ui&, ImDrawList&, ImVec2 origin, figure::Point pointer) const;
  void draw_read_out(const App&, Ui&, ImDrawList&, ImVec2 origin, figure::Point pointer) const;

  Key key_;
  figure::Scene scene_;
  Triangulations triangulations_;
  int layouts_ = 0;

  Gesture gesture_ = Gesture::none;
  int panel_ = -1;
  figure::Point from_, last_;
  figure::PanelFrame start_;  // the panel as the gesture found it
  std::optional<HandleId> grabbed_;
};

}  // namespace orrery::gui
