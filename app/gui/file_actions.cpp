#include <array>

#include "app/gui/actions.h"
#include "app/gui/left_windows.h"
#include "app/gui/panels.h"
#include "app/recipe/command.h"

namespace orrery::gui {
namespace {

std::string_view needs_numbers(const Reach& r) {
  return r.app.result() && !r.app.result()->result.tables.empty() ? "" : "this figure has no table";
}

std::string_view needs_figure_and_peace(const Reach& r) {
  return r.app.exporting().running() ? "a file is being written" : needs_figure(r);
}

std::string_view needs_left_window(const Reach&) {
  return left_windows().offered.empty() ? "no other window is left to restore" : "";
}

std::string left_window(const Reach&) {
  const auto& offered = left_windows().offered;
  return offered.empty() ? std::string() : offered.front().study;
}

/// To the file that it was written to; where that may not be replaced unasked, or there is none, the dialog asks.
void export_again(Reach& r) {
  if (!r.app.written_before()) {
    r.wishes.popup = r.app.aims_at_its_file() ? Popup::replace_export : Popup::choose_export;
    return;
  }
  try {
    r.app.write(export_target(r.app.page, r.app.study()));
  } catch (const std::exception& error) {
    r.app.say(error);
  }
}

void copy_pgf(Reach& r) {
  try {
    const std::string source = picture_as_pgf(r.app.page, *r.app.result(), r.app.view());
    ImGui::SetClipboardText(source.c_str());
    r.app.say(Notice::Kind::done, "copied: " + r.app.page.size + ", for \\usepackage{pgfplots}");
  } catch (const std::exception& error) {
    r.app.say(error);
  }
}

/// What shows now: in the window's language, and moving only while it moves. The page is that of the export dialog.
recipe::Recipe shown_recipe(const Reach& r) {
  recipe::Recipe recipe = r.app.recipe();
  recipe.language = language::language_of(r.app.preferences.language);
  if (r.app.playing()) recipe.animation = r.app.animation();
  return recipe;
}

/// The same as a line for a terminal.
void copy_command(Reach& r) {
  try {
    const recipe::Recipe recipe = shown_recipe(r);
    ExportPage page = r.app.page;
    if (page.motion() != recipe.animation.has_value()) page.ending = recipe.animation ? "webp" : "pdf";
    const recipe::Command command =
        recipe::command_of(recipe, export_target(page, r.app.study()).filename().string());
    ImGui::SetClipboardText(command.line.c_str());
    std::string text = "copied: " + command.line;
    for (const std::string& each : command.left_out) text += "; only a recipe has " + each;
    r.app.say(Notice::Kind::done, text);
  } catch (const std::exception& error) {
    r.app.say(error);
  }
}

void copy_recipe(Reach& r) {
  try {
    ImGui::SetClipboardText(recipe::to_toml(shown_recipe(r)).c_str());
    r.app.say(Notice::Kind::done, "copied: the recipe, for a .toml file");
  } catch (const std::exception& error) {
    r.app.say(error);
  }
}

constexpr std::array file_table{
    Action{.id = "open",
           .label = "Open\u2026",
           .group = Group::file,
           .keys = "Ctrl+O",
           .run = [](Reach& r) { r.wishes.popup = Popup::open; }},
    Action{.id = "restore-window",
           .label = "Restore a window",
           .group = Group::file,
           .run = [](Reach& r) { restore_left_window(r.app); },
           .hindrance = needs_left_window,
           .object = left_window},
    Action{.id = "export",
           .label = "Export\u2026",
           .group = Group::file,
           .keys = "Ctrl+S Ctrl+E",
           .run = [](Reach& r) { r.wishes.popup = Popup::choose_export; },
           .hindrance = needs_figure},
    Action{.id = "export-again",
           .label = "Export again, to the same file",
           .group = Group::file,
           .keys = "Ctrl+Alt+S",
           .run = export_again,
           .hindrance = needs_figure_and_peace},
    Action{.id = "copy-pgf",
           .label = "Copy the picture as PGFPlots",
           .group = Group::file,
           .run = copy_pgf,
           .hindrance = needs_figure,
           .apart = true},
    Action{.id = "copy-numbers",
           .label = "Copy the numbers",
           .group = Group::file,
           .run = [](Reach& r) { r.wishes.copy_numbers = true; },
           .hindrance = needs_numbers},
    Action{.id = "copy-command",
           .label = "Copy as a command",
           .group = Group::file,
           .run = copy_command,
           .hindrance = needs_figure},
    Action{.id = "copy-recipe",
           .label = "Copy the recipe",
           .group = Group::file,
           .run = copy_recipe,
           .hindrance = needs_figure},
};

}  // namespace

std::span<const Action> file_actions() {
  return file_table;
}

}  // namespace orrery::gui
