#include "app/gui/file_picker.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/gui/marks.h"
#include "app/gui/picker_row.h"
#include "app/gui/typed_path.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "core/parameter/takes.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr const char* popup = "file picker";

std::string with_slash(std::string folder) {
  if (folder.empty() || folder.back() != '/') folder += '/';
  return folder;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string parent_of(const std::string& folder) {
  return with_slash(fs::path(folder).parent_path().parent_path().string());
}

/// Who types "/" or "~" behind a whole folder begins anew there.
std::string_view begun_anew(std::string_view typed) {
  for (const std::string_view start : {"//", "/~"})
    if (const std::size_t at = typed.rfind(start); at != std::string_view::npos) typed.remove_prefix(at + 1);
  return typed;
}

}  // namespace

void FilePicker::open(std::string_view purpose, std::string_view takes, const std::string& now,
                      const std::vector<std::string>& recent) {
  purpose_ = purpose;
  takes_ = takes;
  recent_ = recent;
  file_.clear();
  error_.clear();
  all_ = false;
  wanted_ = true;
  const std::string there = now.empty() ? std::string() : fs::path(now).parent_path().string();
  std::error_code ignored;
  for (const std::string& start : {there, last_folder_, fs::current_path(ignored).string(), std::string("/")})
    if (!start.empty() && is_folder(start)) return go(with_slash(start));
}

void FilePicker::go(const std::string& folder) {
  folder_ = folder;
  typed_ = shown_path(folder);
  filter_.clear();
  read();
}

void FilePicker::read() {
  listing_ = read_folder(folder_, takes_, all_, filter_.starts_with('.'));
  selected_ = -1;
  reveal_ = true;
}

/// What is typed is a folder and how a name in it begins.
void FilePicker::retype() {
  const TypedPlace place = typed_place(typed_path(begun_anew(typed_)));
  const bool hidden = place.beginning.starts_with('.') != filter_.starts_with('.');
  filter_ = place.beginning;
  if (!place.folder.empty() && (place.folder != folder_ || hidden)) {
    folder_ = place.folder;
    read();
  }
  selected_ = filter_.empty() || fitting().empty() ? -1 : 0;
  reveal_ = true;
}

std::vector<std::size_t> FilePicker::fitting() const {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < listing_.entries.size(); ++i)
    if (begins_with(listing_.entries[i].name, filter_)) some.push_back(i);
  return some;
}

/// Arrows choose, the right one at a name's end completes it; Backspace on a whole folder goes up as it deletes.
void FilePicker::keys(Ui& ui) {
  const int count = static_cast<int>(file_.empty() ? fitting().size() : fitting_tensors().size());
  const int before = selected_;
  if (ui.take(Key::down)) ++selected_;
  if (ui.take(Key::up)) --selected_;
  if (ui.take(Key::page_down)) selected_ += 10;
  if (ui.take(Key::page_up)) selected_ -= 10;
  if (count > 0 && selected_ != before) {
    selected_ = std::clamp(selected_, 0, count - 1);
    reveal_ = true;
  }
  // The field is closed after Enter led into a folder: the next one takes what was chosen there.
  const bool in_list = ui.focus.on("picker-path") || ui.focus.on("tensor-search") || ui.focus.nowhere();
  if (selected_ >= 0 && in_list && ui.take(Key::enter)) take_ = true;
  if (!file_.empty()) return;
  if (ui.take(Chord{.key = Key::space, .ctrl = true})) {
    const std::string name = completed(filter_, listing_.entries);
    if (name != filter_) {
      typed_ = shown_path(folder_) + name;
      retype();
      compat::leave_field();  // it holds its own copy of the text; it is opened again with the new one
    }
  }
}

bool FilePicker::place(Ui& ui, const std::string& path, const std::string& text, float width) {
  const Press p = picker_row(ui, "place:" + path, width, folder_ == path);
  const Face& words = ui.faces.words;
  put(*ImGui::GetWindowDrawList(), words, p.low.x + ui.px(picker_inset),
      baseline_in(words, p.low.y, p.high.y - p.low.y),
      color(folder_ == path ? ui.tokens.accent : ui.tokens.secondary),
      fitted(words, text, width - ui.px(2 * picker_inset)));
  help(ui, p.hovered, path);
  if (p.clicked) go(path);
  return p.clicked;
}

void FilePicker::places(Ui& ui, float width, float height) {
  ImGui::BeginChild("places", {width, height});
  // A folder stands there once, however many reasons it has.
  std::vector<std::string> shown;
  const auto once = [&](const std::string& folder, const std::string& text) {
    if (std::ranges::find(shown, folder) != shown.end()) return false;
    shown.push_back(folder);
    return place(ui, folder, text, width);
  };
  if (const char* home = std::getenv("HOME"); home && *home) once(with_slash(home), ui.say("Home"));
  std::error_code ignored;
  once(with_slash(fs::current_path(ignored).string()), ui.say("Where Orrery was started"));
  once("/", "/");
  gap(ui, 8);
  constexpr std::size_t most = 9;
  for (const std::string& file : recent_) {
    const std::string folder = with_slash(fs::path(file).parent_path().string());
    if (shown.size() == most || once(folder, fs::path(folder).parent_path().filename().string() + "/")) break;
  }
  ImGui::EndChild();
}

void FilePicker::row(Ui& ui, std::size_t i, float width) {
  const std::vector<std::size_t> some = fitting();
  const FolderEntry& entry = listing_.entries[some[i]];
  const Press p = picker_row(ui, "entry:" + entry.name, width, static_cast<int>(i) == selected_);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Face &words = ui.faces.words, &numbers = ui.faces.small_numbers;
  const float height = p.high.y - p.low.y, left = p.low.x + ui.px(picker_inset),
              end = p.high.x - ui.px(picker_inset);
  if (entry.folder)
    folder_mark(draw, {left + ui.px(6), p.low.y + height / 2}, ui.px(11), color(ui.tokens.secondary));
  const float name_at = left + ui.px(20);
  put(draw, words, name_at, baseline_in(words, p.low.y, height), color(ui.tokens.text),
      fitted(words, entry.name, end - name_at - ui.px(64)));
  if (!entry.folder)
    put(draw, numbers, end, baseline_in(numbers, p.low.y, height), color(ui.tokens.faint),
        bytes_text(entry.bytes), Align::right);
  if (p.clicked) selected_ = static_cast<int>(i);
  if (p.clicked && entry.folder) return go(with_slash(folder_ + entry.name));
  take_ = take_ || p.double_clicked;
}

void FilePicker::rows(Ui& ui, float width, float height) {
  ImGui::BeginChild("entries", {width, height});
  const float inner = room(ui), tall = ui.px(picker_row_height);
  if (!listing_.error.empty()) {
    put(*ImGui::GetWindowDrawList(), ui.faces.words, ImGui::GetCursorScreenPos().x + ui.px(picker_inset),
        ImGui::GetCursorScreenPos().y + ui.px(18), color(ui.tokens.fails),
        fitted(ui.faces.words, language::say_error(ui.language, listing_.error),
               inner - ui.px(2 * picker_inset)));
    ui.items.mark("picker-error", ImGui::GetCursorScreenPos(), ImGui::GetCursorScreenPos());
  }
  const auto count = static_cast<int>(fitting().size());
  if (std::exchange(reveal_, false)) reveal_picker_row(ui, selected_);
  ImGuiListClipper clipper;
  clipper.Begin(count, tall);
  const std::string before = folder_;
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd && before == folder_; ++i)
      row(ui, static_cast<std::size_t>(i), inner);
  clipper.End();
  if (count == 0 && listing_.error.empty())
    put(*ImGui::GetWindowDrawList(), ui.faces.words, ImGui::GetWindowPos().x + ui.px(picker_inset),
        ImGui::GetWindowPos().y + ui.px(18), color(ui.tokens.faint),
        all_ || takes_.empty() ? ui.say("nothing here")
                               : ui.say("no {} here", parameter::takes_text(takes_)));
  ImGui::EndChild();
}

/// The selected entry, or what was typed where nothing fits it.
std::string FilePicker::chosen() {
  const std::vector<std::size_t> some = fitting();
  std::string path = folder_ + filter_;
  if (selected_ >= 0 && selected_ < static_cast<int>(some.size()))
    path = folder_ + listing_.entries[some[static_cast<std::size_t>(selected_)]].name;
  if (is_folder(path)) {
    go(with_slash(path));
    return {};
  }
  std::error_code ignored;
  const std::string file =
      path.substr(0, path.find(".safetensors#") == path.npos ? path.npos : path.rfind('#'));
  if (!fs::exists(file, ignored)) {
    error_ = file + ": is not there";
    return {};
  }
  last_folder_ = folder_;
  if (study::holds_tensors(path)) {
    look_inside(path);
    return {};
  }
  return path;
}

/// What is wrong, which files are shown, and the buttons.
void FilePicker::foot(Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(26), wide = ui.px(90), space = ui.px(8);
  const float left = width - 2 * wide - 2 * space;
  const Face& words = ui.faces.words;
  if (!error_.empty()) {
    put(*ImGui::GetWindowDrawList(), words, at.x, baseline_in(words, at.y, height), color(ui.tokens.fails),
        fitted(words, language::say_error(ui.language, error_), left));
    ui.items.mark("picker-error", at, {at.x + left, at.y + height});
  } else if (file_.empty() && !takes_.empty()) {
    const std::string text = all_ ? ui.say("All files") : ui.say("Only {}", parameter::takes_text(takes_));
    const Press p = press(ui, "picker-all", {std::min(left, words.width(text) + ui.px(8)), height});
    put(*ImGui::GetWindowDrawList(), words, at.x, baseline_in(words, at.y, height),
        color(p.hovered ? ui.tokens.text : ui.tokens.secondary), fitted(words, text, left));
    help(ui, p.hovered, ui.say("Click to see all files, or only those that fit"));
    if (p.clicked) {
      all_ = !all_;
      read();
    }
  }
  ImGui::SetCursorScreenPos({at.x + width - 2 * wide - space, at.y});
  const bool back = !file_.empty();
  if (button(ui, "picker-cancel", back ? ui.say("Back") : ui.say("Cancel"), {wide, height})) {
    if (!back) ImGui::CloseCurrentPopup();
    file_.clear();
    selected_ = -1;
  }
  ImGui::SetCursorScreenPos({at.x + width - wide, at.y});
  const bool able = selected_ >= 0 || (file_.empty() && !filter_.empty());
  if (button(ui, "picker-open", ui.say("Open"), {wide, height}, true, able)) take_ = true;
}

std::string FilePicker::draw(Ui& ui) {
  const bool opening = std::exchange(wanted_, false);
  if (opening) ImGui::OpenPopup(popup);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(680), screen.x - ui.px(40));
  const float height = std::min(ui.px(440), screen.y - ui.px(40));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width, height});
  std::string path;
  if (begin_modal(ui, popup, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize)) {
    if (opening) ui.focus.set(file_.empty() ? "picker-path" : "tensor-search");
    keys(ui);
    const float inner = room(ui), head = ui.px(34), foot_height = ui.px(40);
    section_head(ui, file_.empty() ? ui.say("Choose a file") : fs::path(file_).filename().string());
    gap(ui, 4);
    const float body = ImGui::GetContentRegionAvail().y - foot_height;
    if (!file_.empty()) {
      tensors(ui, inner, body);
    } else {
      const float up = ui.px(30), side = std::floor(inner * 0.26f);
      ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(5)});
      const std::string before = typed_;
      const Field field = text_field(ui, "picker-path", typed_, ui.say("a path"), inner - up - ui.px(6));
      ImGui::PopStyleVar();
      if (typed_ != before) {
        error_.clear();
        retype();
      }
      ImGui::SameLine(0, ui.px(6));
      if (button(ui, "picker-up", "↑", {up, ui.px(26)})) go(parent_of(folder_));
      gap(ui, 8);
      places(ui, side, body - head);
      ImGui::SameLine(0, ui.px(12));
      rows(ui, inner - side - ui.px(12), body - head);
      take_ = take_ || field.entered;
    }
    ImGui::SetCursorPosY(ImGui::GetWindowSize().y - ui.px(18) - ui.px(26));
    foot(ui, inner);
    if (take_) path = file_.empty() ? chosen() : chosen_tensor();
    take_ = false;
    if (!path.empty()) ImGui::CloseCurrentPopup();
    end_popup(ui);
  }
  ImGui::PopStyleVar(2);
  return path;
}

}  // namespace orrery::gui
