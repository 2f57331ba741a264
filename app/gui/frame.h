// One frame of the whole window: panes side by side, and the panels in them.
#pragma once

#include "app/gui/divider.h"
#include "app/gui/export_popup.h"
#include "app/gui/help_sheets.h"
#include "app/gui/history_list.h"
#include "app/gui/open_popup.h"
#include "app/gui/palette.h"
#include "app/gui/pane_layout.h"
#include "app/gui/panels.h"
#include "app/gui/tour.h"
#include "app/gui/tray_popup.h"
#include "app/gui/tray_strip.h"

namespace orrery::gui {

class Frame {
 public:
  /// Between ImGui's NewFrame and Render; `frame_seconds` is what the last frame cost, for the status line.
  WindowWishes draw(App&, Ui&, double frame_seconds);
  const FigureView& figure() const { return figure_; }
  /// Shows a person who is here for the first time what there is to do.
  void welcome() { tour_.begin(); }
  /// Which keys do what; the window reads a person's own file into it.
  KeyMap key_map;

 private:
  void figure_pane(App&, Ui&, const PaneLayout&, WindowWishes&);
  void inspector(App&, Ui&, float height);
  void order_sections(const App&, Ui&, float height);
  void list_popup(App&, Ui&, ImVec2 low, float bottom);
  void obey(App&, Ui&, const PaneLayout&, const WindowWishes&);
  void open(Popup);
  void popups(App&, Ui&, WindowWishes&);
  void answer_keys(App&, Ui&, WindowWishes&);

  Divider list_edge_{"divider-list", &Panes::list, list_range, Divider::Side::pane_is_left};
  Divider inspector_edge_{"divider-inspector", &Panes::inspector, inspector_range,
                          Divider::Side::pane_is_right};
  StudyList studies_;
  ParameterPanel parameters_;
  NumbersSection numbers_;
  FigureView figure_;
  ExportPopup exporting_;
  OpenPopup opening_;
  TrayStrip tray_;
  TrayPopup tray_popup_;
  KeysSheet sheet_;
  AboutSheet about_;
  NotationSheet notation_;
  Tour tour_;
  Palette palette_;
  HistoryList history_;
  bool list_wanted_ = false, list_open_ = false;  // over the figure: in the next frame, and now
  Popup popup_ = Popup::none;                     // wished for by a key: opens in the next frame
  bool fonts_said_ = false;
  const study::Study* inspected_ = nullptr;  // whose parameters the inspector showed last

  /// What the order of the inspector's sections was decided for.
  struct Arranged {
    const study::Study* study = nullptr;
    float width = 0, height = 0, scale = 0;
    language::Language language = language::Language::en;
    bool operator==(const Arranged&) const = default;
  };
  Arranged arranged_;
  bool decided_ = false;
  float words_height_ = 0;  // in the last frame
  bool words_first_ = true;
};

}  // namespace orrery::gui
