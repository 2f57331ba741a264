#include "app/gui/frame.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/export/text.h"
#include "app/gui/compare_strip.h"
#include "app/gui/links_section.h"
#include "app/gui/page_head.h"
#include "app/gui/pane.h"
#include "app/gui/speech.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void Frame::figure_pane(App& app, Ui& ui, const PaneLayout& panes, WindowWishes& wishes) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float margin = ui.px(28);
  float top = page_head(app, ui, panes, wishes);
  ImGui::SetCursorScreenPos({at.x + margin, at.y + top});
  top += tour_.draw(app, ui, size.x - 2 * margin);
  ImGui::SetCursorScreenPos({at.x + margin, at.y + top});
  top += compare_strip(app, ui, size.x - 2 * margin);
  ImGui::SetCursorScreenPos({at.x + margin, at.y + top});
  figure_.draw(app, ui,
               {std::max(ui.px(80), size.x - 2 * margin), std::max(ui.px(60), size.y - top - ui.px(20))});
  figure_.menu(app, ui, key_map, wishes);
}

/// What it is and what there is to try come first, where the parameters still find room below them. That is decided when a
/// study opens or the window changes, by how high the words are and by nothing that goes by the order itself; then it stays,
/// whatever is folded or tried out.
void Frame::order_sections(const App& app, Ui& ui, float height) {
  constexpr float least_parameters = 240;  // a head, three rows, and lines that lead to what is below
  const Arranged now{&app.study(), ImGui::GetWindowSize().x, height, ui.scale, ui.language};
  if (now == arranged_) {
    if (std::exchange(decided_, true)) return;
    const bool before = std::exchange(words_first_, words_height_ + ui.px(least_parameters) <= height);
    if (before != words_first_) ui.wake_in(0);
    return;
  }
  arranged_ = now;
  decided_ = false;  // in this frame the words are measured
  ui.wake_in(0);
}

void Frame::inspector(App& app, Ui& ui, float height) {
  constexpr float between = 10;
  // Another study begins at its beginning.
  if (inspected_ != &app.study()) ImGui::SetScrollY(0);
  inspected_ = &app.study();
  order_sections(app, ui, height);
  const auto words = [&] {
    const float top = ImGui::GetCursorPosY();
    about_section(app, ui);
    gap(ui, between);
    if (!app.study().derivation.empty()) {
      derivation_section(app, ui);
      gap(ui, between);
    }
    tries_section(app, ui);
    gap(ui, between);
    words_height_ = ImGui::GetCursorPosY() - top;
  };
  if (words_first_) words();
  parameters_.draw(app, ui);
  gap(ui, between);
  worked_section(app, ui);
  gap(ui, between);
  links_section(app, ui);
  if (!words_first_) words();
  checks_section(app, ui);
  gap(ui, between);
  numbers_.draw(app, ui);
  gap(ui, 8);
  ui.sections.end_frame(ui);
}

void Frame::open(Popup popup) {
  switch (popup) {
    case Popup::none:
      return;
    case Popup::open:
      return opening_.open();
    case Popup::choose_export:
      return exporting_.open();
    case Popup::replace_export:
      return exporting_.open(ExportPopup::For::replacing);
    case Popup::tray_save:
      return tray_popup_.open(TrayPopup::For::save);
    case Popup::tray_export:
      return tray_popup_.open(TrayPopup::For::write);
    case Popup::palette:
      return palette_.open();
    case Popup::history:
      return history_.open();
    case Popup::keys:
      return sheet_.open();
    case Popup::notation:
      return notation_.open();
    case Popup::about:
      return about_.open();
    case Popup::first_minute:
      return tour_.begin();
  }
}

void Frame::popups(App& app, Ui& ui, WindowWishes& wishes) {
  open(std::exchange(wishes.popup, Popup::none));
  exporting_.draw(app, ui);
  opening_.draw(app, ui);
  tray_popup_.draw(app, ui);
  sheet_.draw(ui, key_map);
  about_.draw(app, ui);
  notation_.draw(ui);
  history_.draw(app, ui);
  numbers_.draw_large(app, ui);
  Reach reach{app, wishes};
  palette_.draw(ui, key_map, reach);
}

/// The list over the figure, where there is no room beside it.
void Frame::list_popup(App& app, Ui& ui, ImVec2 low, float bottom) {
  if (list_wanted_ && !list_open_) ImGui::OpenPopup("list");
  const study::Study* before = &app.study();
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize(
      {std::min(ui.px(260), ImGui::GetIO().DisplaySize.x), std::max(1.0f, bottom - low.y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, ui.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, 0);
  if (begin_popup(ui, "list", ImGuiWindowFlags_NoScrollbar)) {
    studies_.draw(app, ui);
    const bool fits_beside = list_fits(app.document().panes, ImGui::GetIO().DisplaySize.x / ui.scale);
    if (!list_wanted_ || &app.study() != before || fits_beside) ImGui::CloseCurrentPopup();
    end_popup(ui);
  }
  list_wanted_ = list_open_ = ImGui::IsPopupOpen("list");
  ImGui::PopStyleVar(2);
}

void Frame::obey(App& app, Ui& ui, const PaneLayout& panes, const WindowWishes& wishes) {
  if (wishes.copy_numbers) numbers_.copy(app);
  figure_.obey(app, ui, wishes.figure);
  if (wishes.toggle_list || (wishes.search && panes.list == 0)) {
    // Where there is no room for it beside the figure, it opens over it; else it is a matter of the document.
    if (!list_fits(app.document().panes, ImGui::GetIO().DisplaySize.x / ui.scale))
      list_wanted_ = wishes.search || !list_open_;
    else
      app.edit("The studies", {},
               [&](Document& d) { d.panes.list_shown = wishes.search || !d.panes.list_shown; });
  }
  if (wishes.search) studies_.focus();
  if (wishes.toggle_inspector)
    app.edit("Parameters and notes", {},
             [](Document& d) { d.panes.inspector_shown = !d.panes.inspector_shown; });
  if (wishes.pane_steps != 0) ui.focus.next_pane(wishes.pane_steps);
  if (!wishes.parameter.empty()) {
    if (panes.inspector == 0)
      app.edit("Parameters and notes", {}, [](Document& d) { d.panes.inspector_shown = true; });
    if (app.document().panes.folded.contains("parameters"))
      app.edit("Parameters", {}, [](Document& d) { d.panes.folded.erase("parameters"); });
    ui.focus.want("parameter:" + std::string(wishes.parameter));
  }
  popup_ = wishes.popup;
}

/// What panels and popups left over: they were asked first. The list over the figure is a pane like any other.
void Frame::answer_keys(App& app, Ui& ui, WindowWishes& wishes) {
  const bool covered = !list_open_ && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  const auto figure = ui.items.find("figure");
  const bool on_figure = (figure && figure->holds(ImGui::GetIO().MousePos)) || ui.focus.on("figure");
  Reach reach{app, wishes};
  for (const Chord& chord : ui.keys) {
    if (ImGui::GetIO().WantTextInput && edits_text(chord)) continue;
    const Action* action = key_map.find(chord, on_figure);
    if (!action || (covered && !action->anywhere)) continue;
    // Enter and Space press: what they pressed before may have closed, and they may still be held.
    const bool by_press = action->by_press || chord.key == Key::enter || chord.key == Key::space;
    if (!by_press || Ui::is_press(chord)) perform(*action, reach);
  }
}

WindowWishes Frame::draw(App& app, Ui& ui, double frame_seconds) {
  WindowWishes wishes;
  compat::close_abandoned_popups();
  follow_language(app, ui);
  if (!fonts_said_) {  // once: whoever has read it knows it
    fonts_said_ = true;
    if (const Phrase missing = exporter::missing_fonts_note(ui.theme->fonts);
        !missing.empty() && app.notice().text.empty())
      app.say(Notice::Kind::error, Complaint().fault(words("fonts: {}", missing)));
  }
  app.hand(ImGui::IsAnyMouseDown(), ImGui::GetIO().DeltaTime);
  wishes.popup = std::exchange(popup_, Popup::none);

  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Tokens& t = ui.tokens;
  const float bar = ui.px(40), status = ui.px(28), bottom = size.y - status, strip = 2 * ui.px(3);
  const PaneLayout panes = arrange(app.document().panes, size.x / ui.scale);
  const float list = ui.px(panes.list), side = ui.px(panes.inspector);

  ui.focus.begin_pane("top");
  pane("top", {0, 0}, {size.x, bar}, t.pane, {0, 0}, ImGuiWindowFlags_NoScrollbar, [&] {
    top_bar(app, ui, key_map, wishes);
    popups(app, ui, wishes);
    list_popup(app, ui, {0, bar}, bottom);
  });
  if (list > 0) {
    ui.focus.begin_pane("studies");
    pane("studies", {0, bar}, {list - strip / 2, bottom}, t.pane, {0, ui.px(12)},
         ImGuiWindowFlags_NoScrollbar, [&] { studies_.draw(app, ui); });
    list_edge_.draw(app, ui, {list - strip / 2, bar}, {list + strip / 2, bottom});
  }
  const float page_left = list > 0 ? list + strip / 2 : 0,
              page_right = size.x - (side > 0 ? side + strip / 2 : 0);
  const float tray_top = app.document().panes.tray_shown ? bottom - ui.px(TrayStrip::strip_height) : bottom;
  ui.focus.begin_pane("page");
  // Its ground is what the window is cleared to: that much less for a software driver to fill.
  pane("page", {page_left, bar}, {page_right, tray_top}, t.ground, {0, 0},
       ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground,
       [&] { figure_pane(app, ui, panes, wishes); });
  if (tray_top < bottom) {
    ui.focus.begin_pane("tray");
    pane("tray", {page_left, tray_top}, {page_right, bottom}, t.pane, {0, 0},
         ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse,
         [&] { tray_.draw(app, ui, wishes); });
  }
  if (side > 0) {
    ui.sections.begin_frame();
    const float left = size.x - side + strip / 2, foot = ui.sections.foot_height(ui, bottom);
    inspector_edge_.draw(app, ui, {left - strip, bar}, {left, bottom});
    // As wide with a scroll bar as without one, which lies in the margin: nothing moves when it comes.
    ImGui::SetNextWindowContentSize({size.x - left - ui.px(38), 0});
    ui.focus.begin_pane("inspector");
    pane("inspector", {left, bar}, {size.x, bottom - foot}, t.pane, {ui.px(18), ui.px(12)}, 0,
         [&] { inspector(app, ui, bottom - bar); });
    if (foot > 0)
      pane("sections", {left, bottom - foot}, {size.x, bottom}, t.pane, {0, 0}, ImGuiWindowFlags_NoScrollbar,
           [&] { ui.sections.foot(app, ui, bottom); });
  }
  ui.focus.begin_pane("status");
  pane("status", {0, bottom}, {size.x, size.y}, t.pane, {0, 0}, ImGuiWindowFlags_NoScrollbar, [&] {
    ImGui::GetWindowDrawList()->AddRectFilled({0, bottom}, {size.x, bottom + 1 / ui.raster}, color(t.line));
    status_bar(app, ui, figure_, frame_seconds);
  });
  ui.end_frame();
  answer_keys(app, ui, wishes);
  ui.keys.clear();
  obey(app, ui, panes, wishes);
  return wishes;
}

}  // namespace orrery::gui
