#include <algorithm>
#include <array>

#include "app/export/export.h"
#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr float label_column = 76;

/// A label at the left; the cursor is left where its control begins.
float labelled(Ui& ui, std::string_view text, float height = 24) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float whole = room(ui);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, ui.px(height)),
      color(ui.tokens.secondary), text);
  ImGui::SetCursorScreenPos({at.x + ui.px(label_column), at.y});
  return whole - ui.px(label_column);
}

void next_row(const Ui& ui, ImVec2 start, float height = 24) {
  ImGui::SetCursorScreenPos({start.x, start.y + ui.px(height + 10)});
}

template <std::size_t N>
int place(const std::array<std::string_view, N>& names, std::string_view name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

template <std::size_t N>
void choose(Ui& ui, std::string_view label, const char* id, const std::array<std::string_view, N>& names,
            std::string& now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, label);
  const int clicked = segmented(ui, id, names, place(names, now), width, ui.faces.words);
  if (clicked >= 0) now = names[static_cast<std::size_t>(clicked)];
  next_row(ui, at);
}

}  // namespace

void ExportPopup::fields(App& app, Ui& ui) {
  ExportPage& page = app.page;
  static constexpr std::array<std::string_view, 5> endings{"pdf", "svg", "png", "csv", "npy"};
  choose(ui, "Format", "ending", endings, page.ending);
  if (page.numbers()) return;

  static constexpr std::array<std::string_view, 3> presets{"column", "two-columns", "slide"};
  choose(ui, "Size", "size", presets, page.size);
  ImVec2 at = ImGui::GetCursorScreenPos();
  text_field(ui, "size-field", page.size, "12cm\u00D78cm", labelled(ui, ""));
  next_row(ui, at);

  static constexpr std::array<std::string_view, 3> themes{"print", "light", "dark"};
  choose(ui, "Theme", "page-theme", themes, page.theme);
  if (page.ending == "png") {
    at = ImGui::GetCursorScreenPos();
    const float width = labelled(ui, "Resolution");
    static constexpr std::array<std::string_view, 4> dpis{"96", "150", "300", "600"};
    const int clicked = segmented(ui, "dpi", dpis, place(dpis, std::to_string(page.dpi)), width - ui.px(36),
                                  ui.faces.numbers);
    if (clicked >= 0) page.dpi = std::stoi(std::string(dpis[static_cast<std::size_t>(clicked)]));
    put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x + ui.px(label_column) + width,
        baseline_in(ui.faces.words, at.y, ui.px(24)), color(ui.tokens.faint), "dpi", Align::right);
    next_row(ui, at);
  }
  at = ImGui::GetCursorScreenPos();
  labelled(ui, "Title", 20);
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, at.y + ui.px(2)});
  if (toggle_switch(ui, "title", page.title)) page.title = !page.title;
  next_row(ui, at, 20);
}

void ExportPopup::target(App& app, Ui& ui) {
  ExportPage& page = app.page;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (page.name.empty()) page.name = export_target(page, app.study()).stem().string();
  text_field(ui, "name-field", page.name, "", labelled(ui, "File"));
  next_row(ui, at);

  const std::filesystem::path path = export_target(page, app.study());
  std::size_t there = 0;
  if (const study::Outcome* outcome = app.result())
    for (const std::filesystem::path& each : export_targets(page, *outcome)) {
      std::error_code ignored;
      if (std::filesystem::exists(each, ignored)) ++there;
    }
  const float width = room(ui);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 line = ImGui::GetCursorScreenPos();
  put(draw, ui.faces.small_numbers, line.x, baseline_in(ui.faces.small_numbers, line.y, ui.px(18)),
      color(ui.tokens.secondary), fitted(ui.faces.small_numbers, path.string(), width));
  ImGui::Dummy({width, ui.px(18)});
  const ImVec2 warning = ImGui::GetCursorScreenPos();
  if (!error_.empty())
    put(draw, ui.faces.words, warning.x, baseline_in(ui.faces.words, warning.y, ui.px(20)),
        color(ui.tokens.fails), fitted(ui.faces.words, error_, width));
  else if (there > 0)
    put(draw, ui.faces.words, warning.x, baseline_in(ui.faces.words, warning.y, ui.px(20)),
        color(ui.tokens.accent),
        there == 1 ? std::string("There is such a file: it will be replaced.")
                   : formatted("There are %zu such files: they will be replaced.", there));
  ImGui::Dummy({width, ui.px(20)});
}

void ExportPopup::draw(App& app, Ui& ui) {
  if (wanted_) {
    ImGui::OpenPopup("export");
    error_.clear();
    wanted_ = false;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(24), ui.px(20)});
  // Held at its top: a format with more rows must not move the formats away from under the mouse.
  const ImVec2 whole = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({whole.x / 2, std::max(ui.px(48), whole.y / 2 - ui.px(200))}, ImGuiCond_Always,
                          {0.5f, 0});
  ImGui::SetNextWindowSize({ui.px(480), 0});
  if (begin_modal(ui, "export",
                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove)) {
    section_head(ui, "Export");
    gap(ui, 8);
    fields(app, ui);
    target(app, ui);
    gap(ui, 10);
    const float width = room(ui), each = ui.px(100);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x + width - 2 * each - ui.px(8), at.y});
    const bool cancel = button(ui, "export-cancel", "Cancel", {each, ui.px(28)});
    ImGui::SetCursorScreenPos({at.x + width - each, at.y});
    const bool typing = ImGui::GetIO().WantTextInput;
    const bool go = button(ui, "export-go", "Export", {each, ui.px(28)}, true, app.result() != nullptr) ||
                    (!typing && ui.pressed(Key::enter));
    if (go && app.result()) {
      try {
        app.notice = {Notice::Kind::done, write_export(app.page, *app.result(), app.view())};
        ImGui::CloseCurrentPopup();
      } catch (const std::exception& error) {
        error_ = error.what();
        app.notice = {Notice::Kind::error, error_};
      }
    }
    if (cancel) ImGui::CloseCurrentPopup();
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
