#include "app/gui/presets_menu.h"

#include <algorithm>
#include <utility>

#include "app/gui/marks.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "core/file/bytes.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

constexpr const char* presets_popup = "presets menu";
constexpr float preset_height = 36, inset = 10, save_height = 40, note_height = 28;
constexpr std::uint64_t largest_preset = 1 << 20;  // bytes

std::string help_text(const App& app, const Ui& ui, const recipe::Preset& preset) {
  std::string text = preset_contents(app, ui, preset);
  for (const std::string& each : preset.left_out)
    text += ". " + ui.say("Left out, not possible here: {}", each);
  return text;
}

}  // namespace

/// The preset that the study was given last, while it is there, and whether something differs from it by now.
std::string PresetsMenu::heading(const App& app, Ui& ui) {
  const std::string name = app.applied_preset();
  if (name.empty()) return ui.say("Presets");
  shelf_.follow(app.study(), ui);
  const auto found = std::ranges::find(shelf_.all(), name, &recipe::Preset::name);
  if (found == shelf_.all().end()) return ui.say("Presets");
  const bool kept = recipe::with_preset(app.settings(), *found) == app.settings();
  return kept ? found->title : ui.say("{}, changed", found->title);
}

void PresetsMenu::draw(App& app, Ui& ui, float& right, float middle) {
  writing_.poll();
  if (writing_.pending()) ui.await();
  const Face& face = ui.faces.words;
  const std::string whole_text = heading(app, ui);
  const std::string text = fitted(face, whole_text, ui.px(180));
  const float width = face.width(text) + ui.px(20), height = ui.px(20);
  right -= width;
  ImGui::SetCursorScreenPos({right, middle - height / 2});
  const Press p = press(ui, "presets", {width, height});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool open = ImGui::IsPopupOpen(presets_popup);
  if (p.hovered || open) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  const ImU32 ink = color(p.hovered || open ? ui.tokens.text : ui.tokens.secondary);
  put(draw, face, right + ui.px(4), baseline_in(face, p.low.y, height), ink, text);
  if (text != whole_text) help(ui, p, whole_text);
  below_mark(draw, {p.high.x - ui.px(9), middle}, ui.px(6), ink);
  right -= ui.px(6);
  if (p.clicked) {
    shelf_.read(app.study());
    name_.clear();
    agreed_.clear();
    refused_ = {};
    ImGui::OpenPopup(presets_popup);
  }
  // As wide as the panel, and as high as the window has room for.
  const float pane_left = ImGui::GetWindowPos().x, pane_right = pane_left + ImGui::GetWindowSize().x;
  const float wide = std::max(ui.px(240), pane_right - pane_left - ui.px(24)), pad = ui.px(5);
  const auto rows = static_cast<float>(shelf_.all().size());
  const float whole = ui.px(preset_height) * rows + ui.px(save_height + note_height + 4) + 2 * pad;
  const float top = middle + height / 2 + ui.px(4);
  ImGui::SetNextWindowPos({pane_right - ui.px(12) - wide, top});
  ImGui::SetNextWindowSize({wide, std::min(whole, ImGui::GetIO().DisplaySize.y - top - ui.px(8))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (begin_popup(ui, presets_popup)) {
    shelf_.follow(app.study(), ui);
    list(app, ui, room(ui));
    end_popup(ui);
  } else {
    deleted_.reset();
  }
  ImGui::PopStyleVar(2);
}

void PresetsMenu::list(App& app, Ui& ui, float width) {
  // The field stays below the list, however long that is.
  const float foot = ui.px(save_height + note_height);
  ImGui::BeginChild("list", {width, std::max(1.0f, ImGui::GetContentRegionAvail().y - foot)});
  ui.focus.begin_group(presets_popup, {});
  const recipe::Preset* chosen = nullptr;
  for (const recipe::Preset& preset : shelf_.all())
    if (entry(app, ui, preset, room(ui))) chosen = &preset;
  ui.focus.end_group();
  ImGui::EndChild();
  if (chosen) {
    app.apply(*chosen);
    ImGui::CloseCurrentPopup();
  }
  if (!unwanted_.empty()) remove(app);
  save_row(app, ui, width);
  note_row(app, ui, width);
}

/// Its name, and below it what it would set. True when it was chosen.
bool PresetsMenu::entry(App& app, Ui& ui, const recipe::Preset& preset, float width) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(preset_height), side = preset.saved ? ui.px(24) : 0;
  const Press row = press(ui, "preset:" + preset.name, {width - side, height});
  const bool near = row.hovered || row.focused;
  if (near) draw.AddRectFilled(at, {at.x + width, at.y + height}, color(ui.tokens.control), ui.px(3));
  const float left = at.x + ui.px(inset), space = width - side - 2 * ui.px(inset);
  put(draw, ui.faces.words, left, baseline_in(ui.faces.words, at.y + ui.px(1), ui.px(20)),
      color(ui.tokens.text), fitted(ui.faces.words, preset.title, space));
  const Face& small = ui.faces.small_numbers;
  put(draw, small, left, baseline_in(small, at.y + ui.px(17), ui.px(16)), color(ui.tokens.faint),
      fitted(small, preset_contents(app, ui, preset), space));
  help(ui, row, help_text(app, ui, preset));
  const ImVec2 next = ImGui::GetCursorScreenPos();
  if (preset.saved) {
    ImGui::SetCursorScreenPos({at.x + width - side, at.y});
    const Press away = press(ui, "preset-delete:" + preset.name, {side, height});
    cross_mark(draw, {at.x + width - side / 2, at.y + height / 2}, ui.px(9),
               color(away.hovered ? ui.tokens.fails : ui.tokens.faint), ui.raster);
    help(ui, away, ui.say("Delete this preset"));
    if (away.clicked) unwanted_ = preset.name;
    ImGui::SetCursorScreenPos(next);
  }
  return row.clicked;
}

void PresetsMenu::save_row(App& app, Ui& ui, float width) {
  gap(ui, 6);
  const float wide = ui.px(64), space = ui.px(6);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(5)});
  const Field field =
      text_field(ui, "preset-name", name_, ui.say("Save these settings as …"), width - wide - space);
  ImGui::PopStyleVar();
  ImGui::SameLine(0, space);
  const std::string word = asks_to_replace() ? ui.say("Replace") : ui.say("Save");
  const bool go = button(ui, "preset-save", word, {wide, ui.px(26)}, true, !name_.empty());
  if ((go || field.entered) && !name_.empty()) save(app, ui);
}

/// Why the name cannot be saved, what a second press would replace, or what was deleted and may come back; its line stays
/// when there is nothing to say, so that nothing moves.
void PresetsMenu::note_row(App& app, Ui& ui, float width) {
  const Face& face = ui.faces.words;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  gap(ui, 4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(note_height - 4), left = at.x + ui.px(inset),
              base = baseline_in(face, at.y, height);
  if (is_refused()) {  // the status line lies below the menu's shade
    const std::string text = language::say_error(ui.language, refused_);
    const std::string shown = fitted(face, text, at.x + width - left);
    put(draw, face, left, base, color(ui.tokens.fails), shown);
    ui.items.mark("preset-refused", at, {at.x + width, at.y + height});
    help(ui, ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height}) && shown != text, text);
    return;
  }
  if (asks_to_replace()) {
    const std::string text = ui.say("There is such a preset. Replace it?");
    put(draw, face, left, base, color(ui.tokens.accent), fitted(face, text, at.x + width - left));
    ui.items.mark("preset-replaces", at, {at.x + width, at.y + height});
    return;
  }
  if (!deleted_) return;
  const std::string word = ui.say("Undo");
  const float wide = face.width(word) + ui.px(16), right = at.x + width - wide;
  put(draw, face, left, base, color(ui.tokens.secondary),
      fitted(face, ui.say("{} is deleted", deleted_->name), right - ui.px(6) - left));
  ImGui::SetCursorScreenPos({right, at.y});
  const bool back = button(ui, "preset-undo", word, {wide, height});
  // A field that has the caret takes back its own letters.
  const bool typed = !ImGui::GetIO().WantTextInput && ui.take({.key = Key::z, .ctrl = true});
  if (back || typed) put_back(app);
}

void PresetsMenu::save(App& app, Ui& ui) {
  const study::Study& study = app.study();
  const auto refuse = [this, &app, name = name_](const Complaint& why) {
    app.say(why);
    refused_ = why;
    refused_name_ = name;
  };
  refused_ = {};
  try {
    const std::filesystem::path file = recipe::preset_file(study, name_);
    if (file.empty())
      throw Failure(
          wrong("there is nowhere to keep it: neither {} nor {} is a folder", "XDG_DATA_HOME", "HOME"));
    const std::string done = ui.say("saved: {}", file.string());
    const auto write = [this, &app, &study, file, done, name = name_, may_replace = asks_to_replace(),
                        text = recipe::preset_text(study, app.settings())]() -> Inquiry::Then {
      std::error_code error;
      if (!may_replace && std::filesystem::exists(file, error)) return [this, name] { agreed_ = name; };
      std::filesystem::create_directories(file.parent_path());
      file::write_file(file, text);
      return [this, &app, &study, file, done] {
        app.say(Notice::Kind::done, done);
        name_.clear();
        agreed_.clear();
        if (deleted_ && deleted_->file == file) deleted_.reset();  // there is another one in its place
        shelf_.read(study);
      };
    };
    writing_.ask(app.errands.begin(), file.parent_path().string(), write, refuse);
  } catch (const std::exception& error) {
    refuse(complaint_of(error));
  }
}

void PresetsMenu::remove(App& app) {
  const study::Study& study = app.study();
  const std::string name = std::exchange(unwanted_, {});
  const std::filesystem::path file = recipe::preset_file(study, name);
  const auto remove = [this, &study, name, file]() -> Inquiry::Then {
    const std::string text = file::read_bytes(file, largest_preset);
    std::error_code error;
    std::filesystem::remove(file, error);
    if (error) throw Failure(Complaint().fault(foreign(error.message())).within(in_file(file.string())));
    return [this, &study, name, file, text] {
      deleted_ = {name, file, text};
      shelf_.read(study);
    };
  };
  writing_.ask(app.errands.begin(), file.parent_path().string(), remove,
               [&app](const Complaint& why) { app.say(why); });
}

void PresetsMenu::put_back(App& app) {
  const study::Study& study = app.study();
  const auto write = [this, &study, back = *deleted_]() -> Inquiry::Then {
    std::filesystem::create_directories(back.file.parent_path());
    file::write_file(back.file, back.text);
    return [this, &study] {
      deleted_.reset();
      shelf_.read(study);
    };
  };
  writing_.ask(app.errands.begin(), deleted_->file.parent_path().string(), write,
               [&app](const Complaint& why) { app.say(why); });
}

}  // namespace orrery::gui
