#include "app/gui/frame.h"

#include <algorithm>
#include <utility>

#include "app/export/text.h"
#include "app/gui/rich_text.h"
#include "app/gui/speech.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr ImGuiWindowFlags pane_flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                        ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav;

/// A pane that fills a box; its contents begin below the padding.
template <class Contents>
void pane(Ui& ui, const char* name, ImVec2 low, ImVec2 high, figure::Color ground, ImVec2 padding,
          ImGuiWindowFlags flags, Contents&& contents) {
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize({std::max(1.0f, high.x - low.x), std::max(1.0f, high.y - low.y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color(ground));
  ImGui::Begin(name, nullptr, pane_flags | flags);
  ui.focus.begin_pane(name);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  contents();
  ImGui::End();
}

}  // namespace

void Frame::figure_pane(App& app, Ui& ui) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float margin = ui.px(28);
  // Title and summary share a baseline, as a sentence and its beginning do.
  const float baseline = at.y + ui.px(41);
  put(draw, ui.faces.title, at.x + margin, baseline, color(ui.tokens.text), app.study().title);
  const float after = at.x + margin + ui.faces.title.width(app.study().title) + ui.px(18);
  const float space = at.x + size.x - margin - after;
  float top = ui.px(64);
  if (rich_width(ui, ui.faces.words, app.study().summary) <= space) {
    rich_line(ui, draw, after, baseline, ui.faces.words, ui.tokens.secondary, app.study().summary);
  } else {  // a long sentence, or a narrow page: below the title, in as many lines as it takes
    const float below = ui.px(50);
    top = below + ui.px(12) +
          rich_text(ui, draw, {at.x + margin, at.y + below}, size.x - 2 * margin, ui.faces.words,
                    ui.tokens.secondary, app.study().summary)
              .height;
  }
  ImGui::SetCursorScreenPos({at.x + margin, at.y + top});
  figure_.draw(app, ui,
               {std::max(ui.px(80), size.x - 2 * margin), std::max(ui.px(60), size.y - top - ui.px(20))});
}

void Frame::inspector(App& app, Ui& ui) {
  constexpr float between = 12;
  parameters_.draw(app, ui);
  gap(ui, between);
  about_section(app, ui);
  gap(ui, between);
  tries_section(app, ui);
  gap(ui, between);
  checks_section(app, ui);
  gap(ui, between);
  numbers_.draw(app, ui);
  gap(ui, 8);
}

void Frame::popups(App& app, Ui& ui, WindowWishes& wishes) {
  if (wishes.take_popup("export")) exporting_.open();
  if (wishes.take_popup("open")) opening_.open();
  if (wishes.take_popup("keys")) sheet_.open();
  exporting_.draw(app, ui);
  opening_.draw(app, ui);
  sheet_.draw(ui, key_map);
}

/// What panels and popups left over: they were asked first.
void Frame::answer_keys(App& app, Ui& ui, WindowWishes& wishes) {
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
  const auto figure = ui.items.find("figure");
  const bool on_figure = (figure && figure->holds(ImGui::GetIO().MousePos)) || ui.focus.on("figure");
  Reach reach{app, wishes};
  for (const Chord& chord : ui.keys) {
    if (ImGui::GetIO().WantTextInput && edits_text(chord)) continue;
    if (const Action* action = key_map.find(chord, on_figure)) perform(*action, reach);
  }
}

/// A drag ends with the button, and a key that is pressed again and again after the last time.
void Frame::end_gesture(App& app, const Ui& ui) {
  constexpr double pause = 0.7;  // seconds
  if (ImGui::IsAnyMouseDown()) return;
  const double now = ImGui::GetTime();
  if (now - last_key_ > pause) app.end_gesture();
  if (!ui.keys.empty()) last_key_ = now;
}

WindowWishes Frame::draw(App& app, Ui& ui, double frame_seconds) {
  WindowWishes wishes;
  follow_language(app, ui);
  if (!fonts_said_) {  // once: whoever has read it knows it
    fonts_said_ = true;
    if (const std::string missing = exporter::missing_fonts_note(ui.theme->fonts);
        !missing.empty() && app.notice.text.empty())
      app.notice = {Notice::Kind::error, "fonts " + missing};
  }
  end_gesture(app, ui);
  wishes.popup = std::exchange(popup_, {});

  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Tokens& t = ui.tokens;
  const float bar = ui.px(40), status = ui.px(28);
  // A small window keeps its figure: the lists give way first.
  const float list = std::min(ui.px(232), std::floor(size.x * 0.22f));
  const float side = std::min(ui.px(344), std::floor(size.x * 0.34f));
  const float bottom = size.y - status;

  pane(ui, "top", {0, 0}, {size.x, bar}, t.pane, {0, 0}, ImGuiWindowFlags_NoScrollbar, [&] {
    top_bar(app, ui, key_map, wishes);
    popups(app, ui, wishes);
  });
  pane(ui, "studies", {0, bar}, {list, bottom}, t.pane, {0, ui.px(12)}, ImGuiWindowFlags_NoScrollbar,
       [&] { studies_.draw(app, ui); });
  pane(ui, "page", {list, bar}, {size.x - side, bottom}, t.ground, {0, 0},
       ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse, [&] {
         figure_pane(app, ui);
         ImDrawList& draw = *ImGui::GetWindowDrawList();
         const float line = 1 / ui.raster;
         draw.AddRectFilled({list, bar}, {list + line, bottom}, color(t.line));
         draw.AddRectFilled({size.x - side - line, bar}, {size.x - side, bottom}, color(t.line));
       });
  // As wide with a scroll bar as without one, which lies in the margin: nothing moves when it comes.
  ImGui::SetNextWindowContentSize({side - ui.px(40), 0});
  pane(ui, "inspector", {size.x - side, bar}, {size.x, bottom}, t.pane, {ui.px(20), ui.px(16)}, 0,
       [&] { inspector(app, ui); });
  pane(ui, "status", {0, bottom}, {size.x, size.y}, t.pane, {0, 0}, ImGuiWindowFlags_NoScrollbar, [&] {
    ImGui::GetWindowDrawList()->AddRectFilled({0, bottom}, {size.x, bottom + 1 / ui.raster}, color(t.line));
    status_bar(app, ui, figure_, frame_seconds);
  });
  ui.end_frame();
  answer_keys(app, ui, wishes);
  ui.keys.clear();
  if (wishes.copy_numbers) numbers_.copy(app);
  if (wishes.search) studies_.focus();
  popup_ = wishes.popup;
  return wishes;
}

}  // namespace orrery::gui
