// What stands in the lists of the picker: places at the left, at the right what is in the folder.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/gui/file_picker.h"
#include "app/gui/marks.h"
#include "app/gui/picker_row.h"
#include "app/gui/typed_path.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "core/parameter/takes.h"

namespace orrery::gui {

namespace fs = std::filesystem;

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
  if (const char* home = std::getenv("HOME"); home && *home) once(folder_text(home), ui.say("Home"));
  std::error_code ignored;
  once(folder_text(fs::current_path(ignored).string()), ui.say("Where Orrery was started"));
  once("/", "/");
  gap(ui, 8);
  constexpr std::size_t most = 7;
  for (const std::string& file : search_for_.recent) {
    const std::string folder = folder_text(fs::path(file).parent_path().string());
    if (shown.size() == most || once(folder, fs::path(folder).parent_path().filename().string() + "/")) break;
  }
  if (!search_for_.folders) recent_files(ui, width);
  ImGui::EndChild();
}

/// Those of the files of late that are looked for: a click takes one.
void FilePicker::recent_files(Ui& ui, float width) {
  constexpr std::size_t most = 8;
  std::size_t shown = 0;
  for (const std::string& file : search_for_.recent) {
    const std::string name = fs::path(file).filename().string();
    if (parameter::taken(search_for_.takes, name) == 0) continue;
    if (shown == 0) {
      gap(ui, 8);
      section_head(ui, ui.say("Recent files"));
    }
    const Press p = picker_row(ui, "recent:" + std::to_string(shown), width, false);
    const Face& words = ui.faces.words;
    put(*ImGui::GetWindowDrawList(), words, p.low.x + ui.px(picker_inset),
        baseline_in(words, p.low.y, p.high.y - p.low.y), color(ui.tokens.secondary),
        fitted(words, name, width - ui.px(2 * picker_inset)));
    help(ui, p.hovered, shown_path(file));
    if (p.clicked) pressed_ = file;
    if (++shown == most) return;
  }
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
  if (p.clicked && entry.folder) return go(folder_text(folder_ + entry.name));
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
  if (inquiry_.pending() && count == 0) {
    const ImVec2 at = ImGui::GetWindowPos();
    put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x + ui.px(picker_inset), at.y + ui.px(18),
        color(ui.tokens.faint), ui.say("reading \u2026"));
    ui.items.mark("picker-reading", at, at);
  } else if (count == 0 && listing_.error.empty()) {
    put(*ImGui::GetWindowDrawList(), ui.faces.words, ImGui::GetWindowPos().x + ui.px(picker_inset),
        ImGui::GetWindowPos().y + ui.px(18), color(ui.tokens.faint),
        search_for_.folders                 ? ui.say("no folders here")
        : all_ || search_for_.takes.empty() ? ui.say("nothing here")
                                            : ui.say("no {} here", parameter::takes_text(search_for_.takes)));
  }
  ImGui::EndChild();
}

}  // namespace orrery::gui
