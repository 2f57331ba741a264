#include "app/gui/tray_strip.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "app/gui/panels.h"
#include "app/gui/tray.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

// Lengths of the design.
constexpr float tray_margin = 20, tray_head = 34, card_width = 136, card_gap = 12, page_height = 92,
                title_height = 22, slop = 4;

float pitch(const Ui& ui) {
  return ui.px(card_width) + ui.px(card_gap);
}

std::string card_name(std::size_t i) {
  return "tray:" + std::to_string(i);
}

/// Room around the words of each button, and between two of them.
struct ButtonRow {
  float around, between;
};

/// As everywhere; less where they would not fit side by side. One without words is not there.
ButtonRow fitting_row(const Ui& ui, std::initializer_list<std::string_view> buttons, float width) {
  const ButtonRow usual{ui.px(24), ui.px(8)}, close{ui.px(6), ui.px(4)};
  float words = 0, count = 0;
  for (const std::string_view each : buttons) {
    words += ui.faces.words.width(each);
    count += each.empty() ? 0 : 1;
  }
  if (words + count * (usual.around + usual.between) <= width) return usual;
  const float around = std::floor((width - words) / count - close.between);
  return {std::clamp(around, close.around, usual.around), close.between};
}

}  // namespace

void TrayStrip::rename(const App& app, std::size_t i) {
  renaming_ = static_cast<int>(i);
  beginning_ = true;
  typed_ = collected(app.document().tray)[i].title;
}

/// What is done with all of it, from the right; before it what it is, as far as there is room for that.
void TrayStrip::head(App& app, Ui& ui, WindowWishes& wishes) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetWindowSize().x - ui.px(2 * tray_margin), height = ui.px(24);
  const std::size_t count = collected(app.document().tray).size();
  const auto open = opened_collected(app);
  const bool changed = open && opened_changed(app);
  const std::string hide = ui.say("Hide"), all = ui.say("Export all\u2026"), save = ui.say("Save\u2026"),
                    add = ui.say("Collect"), replace = changed ? ui.say("Replace") : std::string();
  const ButtonRow row = fitting_row(ui, {hide, all, save, add, replace}, width);

  float right = at.x + width;
  const auto place = [&](const std::string& words) {
    const float wide = ui.faces.words.width(words) + row.around;
    right -= wide;
    ImGui::SetCursorScreenPos({right, at.y});
    right -= row.between;
    return ImVec2(wide, height);
  };
  if (button(ui, "tray-hide", hide, place(hide)))
    app.edit("Tray", {}, [](Document& d) { d.panes.tray_shown = false; });
  if (button(ui, "tray-export", all, place(all), false, count > 0)) wishes.popup = Popup::tray_export;
  if (button(ui, "tray-save", save, place(save), false, count > 0)) wishes.popup = Popup::tray_save;
  if (button(ui, "tray-collect", add, place(add), true, app.result() != nullptr)) collect(app);
  if (changed) {
    const std::string title = collected(app.document().tray)[*open].title;
    const bool pressed = button(ui, "tray-replace", replace, place(replace), false, app.result() != nullptr);
    help(ui, last_item(ui, "tray-replace"),
         ui.say("{} is open and has changed: replace it with what is shown", title));
    if (pressed) replace_collected(app, *open);
  }
  heading(ui, at, right, count);
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(tray_head)});
}

/// Up to `right`: the number goes first, then the word.
void TrayStrip::heading(Ui& ui, ImVec2 at, float right, std::size_t count) const {
  const Face &head = ui.faces.head, &numbers = ui.faces.small_numbers;
  const float baseline = baseline_in(head, at.y, ui.px(24));
  const std::string word = ui.say("Tray"),
                    number = count == 1 ? ui.say("1 figure") : ui.say("{} figures", count);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float behind = at.x + head.width(word), from = behind + ui.px(10), to = from + numbers.width(number);
  if (behind > right) return;
  put(draw, head, at.x, baseline, color(ui.tokens.secondary), word);
  if (to <= right) put(draw, numbers, from, baseline, color(ui.tokens.faint), number);
  ui.items.mark("head:tray", at, {to <= right ? to : behind, at.y + ui.px(24)});
}

void TrayStrip::picture(App& app, Ui& ui, const Collected& figure, ImVec2 low, ImVec2 high) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto device = [&](float length) { return static_cast<int>(std::floor(length * ui.raster)); };
  const auto thumbnail = app.thumbnails.find(figure.recipe, device(high.x - low.x), device(high.y - low.y));
  if (!thumbnail) {
    draw.AddRectFilled(low, high, color(ui.tokens.control), ui.px(3));
    return;
  }
  if (!thumbnail->error.empty()) {
    draw.AddRectFilled(low, high, color(ui.tokens.control), ui.px(3));
    put(draw, ui.faces.words, (low.x + high.x) / 2, baseline_in(ui.faces.words, low.y, high.y - low.y),
        color(ui.tokens.fails), ui.say("no figure"), Align::center);
    return;
  }
  // On whole device pixels, as it was painted.
  const auto snap = [&](float x) { return std::floor(x * ui.raster) / ui.raster; };
  const float width = static_cast<float>(thumbnail->image.width) / ui.raster,
              height = static_cast<float>(thumbnail->image.height) / ui.raster;
  const ImVec2 at(snap((low.x + high.x - width) / 2), snap((low.y + high.y - height) / 2));
  draw.AddImage(ui.pictures.image(thumbnail->image), at, {at.x + width, at.y + height});
}

/// The title below the page: words, or the field where they are typed.
void TrayStrip::title(App& app, Ui& ui, std::size_t i, ImVec2 low, float width) {
  const Collected& figure = collected(app.document().tray)[i];
  if (renaming_ != static_cast<int>(i)) {
    ImGui::SetCursorScreenPos(low);
    const Press p = press(ui, "tray-name:" + std::to_string(i), {width, ui.px(title_height)}, Tab::passes);
    if (p.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    put(*ImGui::GetWindowDrawList(), ui.faces.words, low.x,
        baseline_in(ui.faces.words, low.y, p.high.y - low.y),
        color(p.hovered ? ui.tokens.text : ui.tokens.secondary), fitted(ui.faces.words, figure.title, width));
    help_above(ui, p.hovered && ui.faces.words.width(figure.title) > width, figure.title,
               {low.x, ImGui::GetWindowPos().y});
    if (p.clicked) rename(app, i);
    return;
  }
  ImGui::SetCursorScreenPos({low.x, low.y - ui.px(2)});
  // A menu that is about to close gives the keyboard back to where it was: after that it is this field's.
  if (std::exchange(beginning_, false)) ui.focus.want("tray-title");
  const bool escaped = ui.pressed(Key::escape);
  const Field field =
      text_field(ui, "tray-title", typed_, ui.say("Title"), width, ImGuiInputTextFlags_AutoSelectAll);
  if (!field.active) ui.wake_in(0.02);  // the caret comes a frame or two later
  if (escaped || field.entered || field.left) {
    if (!escaped) retitle(app, i, typed_);
    renaming_ = -1;
    if (field.entered || escaped) ui.focus.set(card_name(i));
  }
}

/// What keys mean while a card has the keyboard.
void TrayStrip::keys(App& app, Ui& ui, std::size_t i) {
  const std::size_t count = collected(app.document().tray).size();
  if (ui.take(Key::f2)) return rename(app, i);
  if (ui.take(Key::erase)) {
    remove_collected(app, i);
    if (count > 1) ui.focus.set(card_name(std::min(i, count - 2)));
    return;
  }
  const auto move = [&](std::size_t to) {
    move_collected(app, i, to);
    ui.focus.set(card_name(to));
  };
  if (ui.take(Chord{Key::left, true}) && i > 0) return move(i - 1);
  if (ui.take(Chord{Key::right, true}) && i + 1 < count) return move(i + 1);
  if (ui.take(Chord{Key::d, true})) duplicate_collected(app, i);
}

void TrayStrip::card(App& app, Ui& ui, std::size_t i, ImVec2 at) {
  const Collected figure = collected(app.document().tray)[i];
  const ImVec2 size(ui.px(card_width), ui.px(page_height));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(at);
  const Press p = press(ui, card_name(i), size);
  const bool lifted = dragged_ == static_cast<int>(i) && moved_;
  draw.AddRectFilled(p.low, p.high, color(p.hovered || lifted ? ui.tokens.raised : ui.tokens.control),
                     ui.px(4));
  const float inset = ui.px(5);
  picture(app, ui, figure, {p.low.x + inset, p.low.y + inset}, {p.high.x - inset, p.high.y - inset});
  if (lifted) draw.AddRectFilled(p.low, p.high, color(ui.tokens.pane, 0.5), ui.px(4));
  if (opened_collected(app) == i) {
    draw.AddRect(p.low, p.high, color(ui.tokens.accent), ui.px(4), 0, 1.5f * ui.scale);
    ui.items.mark("tray-open", p.low, p.high);
    if (opened_changed(app)) {
      draw.AddCircleFilled({p.high.x - ui.px(9), p.low.y + ui.px(9)}, ui.px(4), color(ui.tokens.accent));
      ui.items.mark("tray-changed", p.low, p.high);
    }
  }

  if (p.started && !p.by_key) {
    dragged_ = static_cast<int>(i);
    moved_ = false;
    from_ = ImGui::GetIO().MousePos.x;
  }
  if (p.clicked && (p.by_key || !moved_)) open_collected(app, i);
  if (p.right_clicked) {
    asked_ = static_cast<int>(i);
    opening_ = true;
  }
  if (dragged_ < 0)
    help_above(ui, p, ui.say("{}. Click: open. Drag: another place. Right click: more", figure.title),
               {at.x, ImGui::GetWindowPos().y});
  if (p.focused && renaming_ < 0) keys(app, ui, i);
  // What a key took away has no title to draw.
  if (i < collected(app.document().tray).size()) title(app, ui, i, {at.x, at.y + size.y + ui.px(4)}, size.x);
}

void TrayStrip::menu(App& app, Ui& ui) {
  if (std::exchange(opening_, false)) ImGui::OpenPopup("tray menu");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(6), ui.px(6)});
  if (begin_popup(ui, "tray menu")) {
    const std::size_t count = collected(app.document().tray).size();
    const auto i = static_cast<std::size_t>(std::max(0, asked_));
    const auto row = [&](std::string_view name, const std::string& words, std::string_view keys,
                         const std::string& why_not = {}) {
      const bool chosen = menu_row(ui, std::string("tray-menu:") + std::string(name), words, keys, ui.px(250),
                                   false, why_not);
      if (chosen) ImGui::CloseCurrentPopup();
      return chosen;
    };
    if (i >= count) ImGui::CloseCurrentPopup();
    const std::string end = ui.say("there is no place further on"), none;
    if (row("open", ui.say("Open"), "Enter")) open_collected(app, i);
    if (row("replace", ui.say("Replace with what is shown"), "",
            app.result() ? none : ui.say("there is no figure yet")))
      replace_collected(app, i);
    if (row("title", ui.say("Title\u2026"), "F2")) rename(app, i);
    if (row("duplicate", ui.say("Duplicate"), "Ctrl+D")) duplicate_collected(app, i);
    if (row("left", ui.say("Move to the left"), "Ctrl+\u2190", i > 0 ? none : end))
      move_collected(app, i, i - 1);
    if (row("right", ui.say("Move to the right"), "Ctrl+\u2192", i + 1 < count ? none : end))
      move_collected(app, i, i + 1);
    if (row("remove", ui.say("Remove"), "Delete")) remove_collected(app, i);
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

std::size_t TrayStrip::gap_at(float x, ImVec2 first, const Ui& ui, std::size_t count) const {
  const float place = (x - first.x + ui.px(card_gap) / 2) / pitch(ui) + 0.5f;
  return static_cast<std::size_t>(std::clamp(place, 0.0f, static_cast<float>(count)));
}

/// A card follows the mouse to the gap where it would be put down.
void TrayStrip::drag(App& app, Ui& ui, ImVec2 first) {
  if (dragged_ < 0) return;
  const float x = ImGui::GetIO().MousePos.x;
  if (std::abs(x - from_) > ui.px(slop)) moved_ = true;
  const std::size_t count = collected(app.document().tray).size(), gap = gap_at(x, first, ui, count);
  const auto from = static_cast<std::size_t>(dragged_);
  if (moved_ && from < count) {
    const float line = first.x + static_cast<float>(gap) * pitch(ui) - ui.px(card_gap) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {line - ui.px(1), first.y}, {line + ui.px(1), first.y + ui.px(page_height)}, color(ui.tokens.accent));
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  // The gap beside itself is where it stands; behind it, places count without it.
  if (moved_ && from < count) move_collected(app, from, gap > from ? gap - 1 : gap);
  dragged_ = -1;
}

void TrayStrip::cards(App& app, Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t count = collected(app.document().tray).size();
  const float room = ImGui::GetWindowSize().x - ui.px(2 * tray_margin);
  if (count == 0) {
    put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x, at.y + ui.px(26), color(ui.tokens.faint),
        fitted(ui.faces.words,
               ui.say("Collect puts what you see here: for one file of recipes, and one export of all."),
               room));
    renaming_ = dragged_ = -1;
    return;
  }
  if (renaming_ >= static_cast<int>(count)) renaming_ = -1;
  const float whole = static_cast<float>(count) * pitch(ui) - ui.px(card_gap);
  const float furthest = std::max(0.0f, whole - room);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) {
    const ImGuiIO& io = ImGui::GetIO();
    scroll_ -= (io.MouseWheel + io.MouseWheelH) * pitch(ui);
  }
  if (count > count_) scroll_ = furthest;
  for (std::size_t i = 0; i < count; ++i) {
    if (!ui.focus.arrived(card_name(i))) continue;
    const float left = static_cast<float>(i) * pitch(ui);
    scroll_ = std::clamp(scroll_, left + ui.px(card_width) - room, left);
  }
  count_ = count;
  scroll_ = std::floor(std::clamp(scroll_, 0.0f, furthest));

  const ImVec2 first(at.x - scroll_, at.y);
  ImGui::PushClipRect({at.x - ui.px(4), at.y - ui.px(4)},
                      {at.x + room + ui.px(4), at.y + ui.px(strip_height)}, true);
  ui.focus.begin_group("tray", card_name(0));
  for (std::size_t i = 0; i < collected(app.document().tray).size(); ++i) {
    const float x = first.x + static_cast<float>(i) * pitch(ui);
    if (x + ui.px(card_width) < at.x || x > at.x + room) continue;
    card(app, ui, i, {x, at.y});
  }
  ui.focus.end_group();
  drag(app, ui, first);
  ImGui::PopClipRect();
  menu(app, ui);
}

void TrayStrip::draw(App& app, Ui& ui, WindowWishes& wishes) {
  const ImVec2 at = ImGui::GetWindowPos();
  ImGui::SetCursorScreenPos({at.x + ui.px(tray_margin), at.y + ui.px(8)});
  head(app, ui, wishes);
  cards(app, ui);
}

}  // namespace orrery::gui
