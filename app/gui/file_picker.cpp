#include "app/gui/file_picker.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/gui/form.h"
#include "app/gui/picker_row.h"
#include "app/gui/typed_path.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "core/parameter/takes.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr const char* picker_popup = "file picker";

std::string parent_of(const std::string& folder) {
  return folder_text(fs::path(folder).parent_path().parent_path().string());
}

/// Of a folder too, which ends in "/".
std::string shown_name_of(const std::string& path) {
  const fs::path whole(path);
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

/// Who types "/" or "~" behind a whole folder begins anew there.
std::string_view begun_anew(std::string_view typed) {
  for (const std::string_view start : {"//", "/~"})
    if (const std::size_t at = typed.rfind(start); at != std::string_view::npos) typed.remove_prefix(at + 1);
  return typed;
}

}  // namespace

void FilePicker::open(const Search& search) {
  search_for_ = search;
  browser_.leave();
  use_.reset();
  filter_.clear();
  error_ = {};
  offered_.clear();
  all_ = take_ = false;
  wanted_ = fresh_ = true;
  const std::string& now = search.now;
  const std::string there = now.empty() || search.folders ? now : fs::path(now).parent_path().string();
  std::error_code ignored;
  std::vector<std::string> starts;
  for (const std::string& start : {there, last_folder_, fs::current_path(ignored).string(), std::string("/")})
    if (!start.empty()) starts.push_back(folder_text(start));
  folder_ = base_ = starts.front();
  typed_ = shown_path(folder_);
  read(std::move(starts));
}

void FilePicker::go(const std::string& folder) {
  folder_ = base_ = folder;
  typed_ = shown_path(folder);
  filter_.clear();
  error_ = {};
  read();
}

/// The first of `starts` that is a folder; without any, the folder that is typed.
void FilePicker::read(std::vector<std::string> starts) {
  const std::string folder = folder_;
  // No file is called so: only folders are left.
  const std::string takes = search_for_.folders ? "/" : search_for_.takes;
  listing_ = {};
  selected_ = -1;
  const auto find = [this, folder, takes, starts = std::move(starts), all = all_,
                     hidden = filter_.starts_with('.')]() -> Inquiry::Then {
    std::error_code ignored;
    const auto first =
        std::ranges::find_if(starts, [&](const auto& each) { return fs::is_directory(each, ignored); });
    const std::string found = first == starts.end() ? folder : *first;
    return [this, found, listing = read_folder(found, takes, all, hidden)] { take_listing(found, listing); };
  };
  inquiry_.ask(folder, find, [this](const Complaint& why) { listing_.error = why; });
}

void FilePicker::take_listing(const std::string& folder, Folder listing) {
  if (folder == folder_ || fresh_)
    listing_ = std::move(listing);
  else
    listing_.error = wrong("is not there").within(in_file(folder_));
  if (fresh_ && folder != folder_) {
    folder_ = base_ = folder;
    typed_ = shown_path(folder);
  }
  selected_ = filter_.empty() || fitting().empty() ? -1 : 0;
  reveal_ = true;
}

/// What is typed is a folder and how a name in it begins.
void FilePicker::retype() {
  TypedPlace place = typed_place(typed_path(begun_anew(typed_)));
  if (!place.folder.starts_with('/') && !typed_.starts_with('~')) place.folder = base_ + place.folder;
  const bool hidden = place.beginning.starts_with('.') != filter_.starts_with('.');
  filter_ = place.beginning;
  take_ = false;
  offered_.clear();
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
  if (browser_.shown()) {
    take_ = browser_.keys(ui) || take_;
    return;
  }
  const int count = static_cast<int>(fitting().size());
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
  const bool in_list = ui.focus.on("picker-path") || ui.focus.nowhere();
  const bool something = selected_ >= 0 || search_for_.folders || !filter_.empty();
  if (something && in_list && ui.take_press({Key::enter})) take_ = true;
  if (ui.take_press({.key = Key::space, .ctrl = true})) {
    const std::string name = completed(filter_, listing_.entries);
    if (name != filter_) {
      typed_ = shown_path(folder_) + name;
      retype();
      compat::leave_field();  // it holds its own copy of the text; it is opened again with the new one
    }
  }
}

/// The selected entry, or what was typed where nothing fits it: a folder is gone into, a file is looked at first.
void FilePicker::choose() {
  if (browser_.shown()) {
    pressed_ = browser_.chosen();
    return;
  }
  if (search_for_.folders && selected_ < 0) {
    pressed_ = chosen_folder();
    return;
  }
  const std::vector<std::size_t> some = fitting();
  if (selected_ < 0 || selected_ >= static_cast<int>(some.size())) return look_at(folder_ + filter_);
  const FolderEntry& entry = listing_.entries[some[static_cast<std::size_t>(selected_)]];
  if (entry.folder) return go(folder_text(folder_ + entry.name));
  look_at(folder_ + entry.name);
}

void FilePicker::look_at(const std::string& path) {
  const auto find = [this, path, uses = search_for_.uses]() -> Inquiry::Then {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return [this, path] { go(folder_text(path)); };
    const fs::path file = study::file_of(path);
    if (!fs::exists(file, ignored)) throw Failure(wrong("is not there").within(in_file(file.string())));
    // A .npy holds one: it is looked at where that can be given to several studies.
    if (study::holds_tensors(path) || (uses && study::is_numpy(path)))
      return [this, path, tensors = study::read_tensor_file(path)]() mutable {
        browse(path, std::move(tensors));
      };
    return [this, path] { pressed_ = path; };
  };
  inquiry_.ask(path, find, [this](const Complaint& why) { refuse(why); });
}

/// The second step begins, in its field.
void FilePicker::browse(const std::string& path, study::TensorFile file) {
  std::vector<FileUse> uses;
  if (search_for_.uses) uses = uses_of(name_for_takers(path));
  std::ranges::stable_partition(uses, [&](const FileUse& use) { return use.study == search_for_.open; });
  browser_.show(path, std::move(file), std::move(uses));
  compat::leave_field();
  wanted_field_ = true;
}

void FilePicker::ask_tensor(const Search& search, const std::string& file) {
  open(search);
  const auto find = [this, file]() -> Inquiry::Then {
    return
        [this, file, tensors = study::read_tensor_file(file)]() mutable { browse(file, std::move(tensors)); };
  };
  const auto refused = [this](const Complaint& why) {
    read();  // the folder, where another may be chosen
    refuse(why);
  };
  inquiry_.ask(file, find, refused);
}

std::optional<std::pair<FileUse, std::string>> FilePicker::take_use() {
  return std::exchange(use_, std::nullopt);
}

void FilePicker::refuse(const Complaint& why) {
  error_ = why;
  again_ = true;
}

/// The folder that is shown, or the one that is typed: it need not be there yet. Enter on a row goes into it.
std::string FilePicker::chosen_folder() const {
  return fs::path(folder_ + filter_).lexically_normal().string();
}

/// Whole, and where the eye is: below the field.
void FilePicker::fault(Ui& ui) {
  if (error_.empty()) return;
  gap(ui, 6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  wrapped_print(ui, ui.faces.words, ui.tokens.fails, language::say_error(ui.language, error_));
  ui.items.mark("picker-error", at, ImGui::GetItemRectMax());
}

/// Click by click all files, or only those that fit.
void FilePicker::which_files(Ui& ui, ImVec2 at, float width, float height) {
  const Face& words = ui.faces.words;
  const std::string text =
      all_ ? ui.say("All files") : ui.say("Only {}", parameter::takes_text(search_for_.takes));
  ImGui::SetCursorScreenPos(at);
  const Press p = press(ui, "picker-all", {std::min(width, words.width(text) + ui.px(8)), height});
  put(*ImGui::GetWindowDrawList(), words, at.x, baseline_in(words, at.y, height),
      color(p.hovered ? ui.tokens.text : ui.tokens.secondary), fitted(words, text, width));
  help(ui, p, ui.say("Click to see all files, or only those that fit"));
  if (!p.clicked) return;
  all_ = !all_;
  read();
}

/// What was refused stands in the field, selected: it is typed over, or mended.
void FilePicker::ask_again(Ui& ui) {
  fresh_ = true;
  compat::leave_field();
  ui.focus.leave();
  ui.focus.set(browser_.shown() ? "tensor-search" : "picker-path");
}

/// Which files are shown, and the buttons.
void FilePicker::foot(Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(26), space = ui.px(8);
  const bool back = browser_.shown();
  const std::string open = search_for_.folders ? ui.say("Choose this folder") : ui.say("Open"),
                    cancel = back ? ui.say("Back") : ui.say("Cancel");
  const float wide = std::max(ui.px(90), ui.faces.words_bold.width(open) + ui.px(24)), narrow = ui.px(90);
  if (!back && !search_for_.folders && !search_for_.takes.empty())
    which_files(ui, at, width - wide - narrow - 2 * space, height);
  ImGui::SetCursorScreenPos({at.x + width - wide - narrow - space, at.y});
  if (button(ui, "picker-cancel", cancel, {narrow, height})) {
    error_ = {};
    offered_.clear();
    browser_.leave();
    if (back)
      read();
    else
      close();
  }
  ImGui::SetCursorScreenPos({at.x + width - wide, at.y});
  const bool able =
      back ? !browser_.chosen().empty() : search_for_.folders || selected_ >= 0 || !filter_.empty();
  if (button(ui, "picker-open", open, {wide, height}, true, able)) {
    if (search_for_.folders)
      pressed_ = chosen_folder();
    else
      take_ = true;
  }
}

/// The path, the lists below it; down to `bottom`.
void FilePicker::body(Ui& ui, float width, float bottom) {
  if (browser_.shown()) {
    take_ = browser_.draw(ui, width, bottom, [&] { fault(ui); }) || take_;
    if (const auto use = browser_.take_use()) use_ = {*use, browser_.chosen()};
    return;
  }
  const float up = ui.px(30), side = std::floor(width * 0.28f);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(5)});
  const std::string before = typed_;
  const Field field = text_field(ui, "picker-path", typed_, ui.say("a path"), width - up - ui.px(6),
                                 fresh_ ? ImGuiInputTextFlags_AutoSelectAll : 0);
  ImGui::PopStyleVar();
  if (typed_ != before) {
    fresh_ = false;
    error_ = {};
    retype();
  }
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "picker-up", "↑", {up, ui.px(26)})) go(parent_of(folder_));
  fault(ui);
  gap(ui, 8);
  const float height = std::max(ui.px(2 * picker_row_height), bottom - ImGui::GetCursorPosY());
  places(ui, side, height);
  ImGui::SameLine(0, ui.px(12));
  rows(ui, width - side - ui.px(12), height);
  take_ = take_ || field.entered;
  again_ = field.entered;
}

void FilePicker::close() {
  inquiry_.drop();
  browser_.leave();
  offered_.clear();
  ImGui::CloseCurrentPopup();
}

/// What was chosen, to whoever takes it. A choice among names that are still being read waits for them.
void FilePicker::hand_on(const Taker& take) {
  if (take_ && !inquiry_.pending()) {
    take_ = false;
    choose();
  }
  if (!pressed_.empty()) {
    last_folder_ = folder_;
    offered_ = std::exchange(pressed_, {});
  }
  if (offered_.empty()) return;
  const std::optional<Complaint> said = take(offered_);
  if (!said) return;
  offered_.clear();
  if (said->empty())
    close();
  else
    refuse(*said);
}

void FilePicker::draw(Ui& ui, const Taker& take) {
  const bool opening = std::exchange(wanted_, false);
  if (opening) ImGui::OpenPopup(picker_popup);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  const ImVec2 size = browser_.shown() ? ImVec2(ui.px(1080), ui.px(740)) : ImVec2(ui.px(680), ui.px(440));
  ImGui::SetNextWindowSize({std::min(size.x, screen.x - ui.px(40)), std::min(size.y, screen.y - ui.px(40))});
  if (begin_modal(ui, picker_popup, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize)) {
    inquiry_.poll();
    if (opening || std::exchange(wanted_field_, false))
      ui.focus.set(browser_.shown() ? "tensor-search" : "picker-path");
    keys(ui);
    const float inner = room(ui), foot_top = ImGui::GetWindowSize().y - ui.px(18) - ui.px(26);
    section_head(ui, browser_.shown() ? shown_name_of(browser_.path()) : ui.say(search_for_.title));
    gap(ui, 4);
    const bool refused = std::exchange(again_, false);
    body(ui, inner, foot_top - ui.px(12));
    ImGui::SetCursorPosY(foot_top);
    foot(ui, inner);
    const bool entered = std::exchange(again_, false);
    hand_on(take);
    if (use_) close();
    // While a place is waited for, another may be typed.
    again_ = again_ || refused || (entered && (inquiry_.pending() || offering()));
    if (inquiry_.pending() || offering()) ui.await();
    if (std::exchange(again_, false)) ask_again(ui);
    end_popup(ui);
  } else if (browser_.shown()) {
    browser_.leave();  // Escape
  }
  ImGui::PopStyleVar(2);
}

}  // namespace orrery::gui
