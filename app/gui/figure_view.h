// The figure in the middle: laid out when something changed, painted every frame, and answering to the mouse.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/digest.h"
#include "app/figure/layout.h"
#include "app/gui/actions.h"
#include "app/gui/clipboard.h"
#include "app/gui/draw_list_canvas.h"
#include "app/gui/figure_keys.h"
#include "app/gui/handles.h"
#include "app/gui/interaction.h"
#include "app/gui/readout.h"
#include "app/gui/ui.h"
#include "app/gui/view_history.h"

namespace orrery::gui {

/// What an action may ask of the figure; of one panel, it is the one that the pointer is, or was last, over.
enum class FigureWish : std::uint8_t {
  none,
  fit,
  fit_panel,
  back,
  forward,
  log_x,
  log_y,
  grid,
  pan_mode,
  box_mode,
  copy_picture,
  copy_values
};

class FigureView {
 public:
  /// In the box from the cursor on, of that size in layout units.
  void draw(App&, Ui&, ImVec2 size);
  /// What a right click opens; in the window that the figure was drawn in.
  void menu(App&, Ui&, const KeyMap&, WindowWishes&);
  void obey(App&, const Ui&, FigureWish);

  const figure::Scene& scene() const { return scene_; }
  /// What the box beside the pointer says; nothing when there is none.
  const std::optional<Readout>& readout() const { return readout_; }
  const ViewHistory& views() const { return views_; }
  /// How often a layout was needed: nothing but a change may cost one.
  int layouts() const { return layouts_; }

 private:
  struct Key {
    std::shared_ptr<const recipe::Outcome> outcome;
    figure::Size size;
    figure::View view;
    const figure::Theme* theme = nullptr;
    double pixels_per_point = 0;
    language::Language language = language::Language::en;
    std::uint64_t news = 0;  // of maps that take their time
    bool operator==(const Key&) const = default;
  };
  enum class Gesture : std::uint8_t { none, pan, box, handle };
  using MarkId = std::pair<int, int>;  ///< panel and mark

  /// Where its panels were asked to stand.
  struct Place {
    const study::Study* study = nullptr;
    figure::Size size;
    const figure::Theme* theme = nullptr;
    language::Language language = language::Language::en;
    std::vector<figure::Cell> cells;
    bool operator==(const Place&) const = default;
  };

  void lay_out(const App&, Ui&, figure::Size);
  const figure::Arrangement* arranged(const App&, Ui&, figure::LayoutOptions);
  void paint(DrawListCanvas&) const;
  void draw_page(Ui&, ImDrawList&, ImVec2 origin, ImVec2 size);
  void draw_state(App&, Ui&, ImDrawList&, ImVec2 origin, ImVec2 size) const;
  Declared declared() const { return key_.outcome->settings.declared(); }
  const figure::Figure& figure() const { return said_ ? *said_ : key_.outcome->result.figure; }
  ShownPanel shown(std::size_t panel) const;

  void interact(App&, Ui&, ImVec2 origin, bool hovered, bool pressed);
  void press_button(App&, const Ui&, figure::Point, int button);
  bool choose_cell(App&, figure::Point);
  void turn_wheel(App&, figure::Point, float steps) const;
  void begin_gesture(figure::Point, int button);
  void continue_gesture(App&, figure::Point);
  void end_box(App&, figure::Point) const;
  void drag_handle(App&, figure::Point) const;
  void press_handle(App&) const;
  void draw_box(const Ui&, ImDrawList&, ImVec2 origin, figure::Point) const;
  /// Which axes of a panel a gesture at that place moves: keys that are held may take one away.
  Axes free_axes(int panel, figure::Point) const;
  figure::Rect box_to(figure::Point, Axes&) const;
  /// Axes that are shared with other panels move there too.
  void show(App&, int panel, const PanelView&, Axes) const;
  std::optional<MarkId> legend_at(figure::Point) const;
  void click_legend(App&, MarkId, LegendClick) const;
  void copy_under_crosshair(App&, const Ui&) const;
  void copy_picture(App&, const Ui&);
  void copy_values(App&, const Ui&) const;
  void toggle_log(App&, bool x) const;

  /// Where the button of a panel is that shows all of it again, in points; nothing while nobody has moved it.
  std::optional<figure::Rect> fit_box(const Ui&, std::size_t panel) const;
  std::optional<int> fit_at(const Ui&, figure::Point) const;
  void draw_fit_buttons(Ui&, ImDrawList&, ImVec2 origin, figure::Point pointer) const;
  void draw_handles(Ui&, ImDrawList&, ImVec2 origin, figure::Point pointer) const;
  void hover(Ui&, ImDrawList&, ImVec2 origin, figure::Point pointer);
  void show_readout(Ui&, ImDrawList&, ImVec2 origin, figure::Point);
  bool frame_region(Ui&, ImDrawList&, ImVec2 origin, figure::Point) const;
  /// The region there; one that is chosen already opens its study.
  bool press_part(App&, figure::Point) const;

  /// What the figure is of the settings that are asked for now, and nothing older.
  bool is_live(const App& app) const { return app.result() && key_.outcome.get() == app.result(); }
  /// While it has the keyboard: figure_keys.cpp.
  void use_keys(App&, Ui&, ImVec2 origin, bool pressed);
  void turn_pages(Ui&);
  void move_crosshair(Ui&);
  void move_view(App&, Ui&) const;
  void walk_legend(App&, Ui&, bool pressed);
  figure::Point crosshair() const;
  void draw_keys(Ui&, ImDrawList&, ImVec2 origin);

  Key key_;
  std::optional<figure::Figure> said_;  // in another language than the study's own, or without waiting
  std::optional<figure::Arrangement> arranged_;
  Place arranged_for_;
  bool arranged_for_part_ = false;
  figure::Scene scene_;
  figure::Digest made_;                     // where the outcome came without one
  const figure::Digest* digest_ = nullptr;  // of the figure that is shown
  Triangulations triangulations_;
  int layouts_ = 0;
  struct Page {
    int layout = 0;
    std::optional<MarkId> lifted;
    float width = 0, height = 0, raster = 0;
    ImTextureID picture{};
    bool shows(const Page& other) const {
      return picture && layout == other.layout && lifted == other.lifted && width == other.width &&
             height == other.height && raster == other.raster;
    }
  } page_;  // what of the figure only a change changes: painted once, then one rectangle a frame

  Gesture gesture_ = Gesture::none;
  int button_ = 0;  // of the mouse, that began it
  int panel_ = -1;
  Axes axes_;
  figure::Point from_, last_;
  figure::PanelFrame start_;  // the panel as the gesture found it
  std::optional<HandleId> grabbed_;
  Grab grab_;
  figure::Handle held_;            // as it was grabbed
  parameter::Settings held_from_;  // the settings of then
  bool dragged_ = false;           // the press has become a drag
  std::set<std::string> known_;    // parameters whose handles a person has dragged

  int pointed_ = 0;  // the panel that the pointer is, or was last, over
  FigureCursor cursor_;
  bool boxes_ = false, menu_wanted_ = false;
  std::optional<Readout> readout_;
  std::optional<MarkId> lifted_;  // its entry in the legend is under the pointer
  const study::Study* studied_ = nullptr;
  ViewHistory views_;
  PictureClipboard clipboard_;
};

}  // namespace orrery::gui
