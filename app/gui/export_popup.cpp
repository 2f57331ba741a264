#include "app/gui/export_popup.h"

#include <algorithm>
#include <utility>

#include "app/export/export.h"
#include "app/gui/form.h"
#include "app/gui/typed_path.h"
#include "core/file/new_files.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

// Lengths of the design.
constexpr float form_width = 460, page_width = 404, columns_apart = 28, page_below = 240;

/// Throws Failure where a file could not be made or replaced, which leaves all as it is. What is no file is not asked: a pipe
/// would end with it.
void try_to_write(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return;
  file::NewFiles never_committed;
  never_committed.write(path, "");
}

}  // namespace

/// The page, with the file as it is typed.
ExportPage ExportPopup::asked(const App& app) const {
  ExportPage page = app.page;
  page.folder = folder_;
  page.name = name_;
  return page;
}

std::vector<fs::path> ExportPopup::targets(const App& app) const {
  const ExportPage page = asked(app);
  return app.result() ? export_targets(page, *app.result())
                      : std::vector<fs::path>{export_target(page, app.study())};
}

void ExportPopup::begin(App& app, Ui& ui) {
  size_ = app.page.size;
  const fs::path usual = export_target(app.page, app.study());
  const bool again = for_ == For::choosing && !app.unwritten().empty();
  name_ = app.page.name.empty() ? usual.stem().string() : app.page.name;
  folder_ = shown_path((again ? app.unwritten() : usual).parent_path());
  error_ = {};
  agreed_.clear();
  from_.clear();
  to_.clear();
  ends_typed_ = ends_wrong_ = going_ = false;
  presence_.forget();
  folder_made_.drop();
  if (for_ == For::choosing) return;
  agreed_ = export_target(asked(app), app.study()).string();
  ui.focus.set("export-go");
}

/// Where it goes, and what will be there.
void ExportPopup::target(App& app, Ui& ui) {
  if (path_row(ui, ui.say("Folder"), "folder-field", folder_, "~/figures"))
    picker_.open({.title = "Choose a folder",
                  .now = whole_path(typed_path(folder_)).string(),
                  .recent = app.recent(),
                  .folders = true});
  const std::string before = name_;
  typed_row(ui, ui.say("File"), "name-field", name_);
  if (name_ != before) follow_ending(app.page);
  named_files(ui, targets(app));
}

/// Who types the ending of another format means that format.
void ExportPopup::follow_ending(ExportPage& page) const {
  const std::string ending = exporter::ending_of(name_);
  const auto figures = exporter::figure_endings();
  if (ending == exporter::animation_ending || std::ranges::find(figures, ending) != figures.end())
    page.ending = ending.substr(1);
}

/// All names that will be written, and a folder that will be made.
void ExportPopup::named_files(Ui& ui, const std::vector<fs::path>& files) {
  if (files.empty()) return;
  const fs::path folder = files.front().parent_path();
  std::string names;
  for (const fs::path& file : files) names += (names.empty() ? "" : ", ") + file.filename().string();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  wrapped_print(ui, ui.faces.small_numbers, ui.tokens.secondary,
                files.size() == 1 ? shown_path(files.front()) : shown_path(folder) + "/: " + names);
  ui.items.mark("export-names", at, ImGui::GetItemRectMax());
  const auto& there = presence_.of(ui, files);
  if (!there || there->folder) return;
  const ImVec2 below = ImGui::GetCursorScreenPos();
  wrapped_print(ui, ui.faces.words, ui.tokens.accent,
                ui.say("There is no such folder yet: {} will be made.", shown_path(folder)));
  ui.items.mark("export-makes-folder", below, ImGui::GetItemRectMax());
}

/// Refuses what would not work; the writing itself is no longer this dialog's.
void ExportPopup::go(App& app, const fs::path& path) {
  const auto refuse = [this, &app](const Complaint& why) {
    error_ = why;
    app.say(why);
  };
  const auto write = [&app, path, refuse] {
    try {
      app.page.name = path.stem().string();
      app.write(path);
      ImGui::CloseCurrentPopup();
    } catch (const std::exception& error) {
      refuse(complaint_of(error));
    }
  };
  const fs::path folder = path.parent_path();
  const auto make = [folder, path, write]() -> Inquiry::Then {
    render::make_directory(folder);
    try_to_write(path);
    return write;
  };
  folder_made_.ask(app.errands.begin(), folder.string(), make, refuse);
}

void ExportPopup::form(App& app, Ui& ui) {
  wrong_ = false;
  format(app, ui);
  if (app.page.motion() && app.result()) motion(app, ui);
  if (!app.page.numbers()) page(app, ui);
  target(app, ui);
}

/// What stands in the way, and the buttons: always in sight, however low the window is.
void ExportPopup::foot(App& app, Ui& ui) {
  const std::vector<fs::path> files = targets(app);
  const auto& found = presence_.of(ui, files);
  const std::size_t there = found ? found->files : 0;
  const fs::path path = export_target(asked(app), app.study());
  const bool replace = there > 0 && agreed_ == path.string();
  folder_made_.poll();
  if (folder_made_.pending()) ui.await();
  target_note(ui, error_.empty() && found ? found->error : error_, there);
  const Decision decision =
      decide(ui, "export", replace ? ui.say("Replace") : ui.say("Export"),
             app.result() && !app.exporting().running() && !wrong_ && !folder_made_.pending());
  if (decision.cancel) ImGui::CloseCurrentPopup();
  going_ = (going_ || decision.go) && !decision.cancel;
  if (!going_ || !found) return;
  going_ = false;
  // What is there is asked for once: then the button says what it does.
  if (there == 0 || replace)
    go(app, path);
  else
    agreed_ = path.string();
}

void ExportPopup::draw(App& app, Ui& ui) {
  if (wanted_) ImGui::OpenPopup("export");
  const float room = ImGui::GetMainViewport()->Size.x - ui.px(16),
              both = ui.px(form_width + columns_apart + page_width);
  const float whole = both + ui.px(form_width) - FormDialog::inner_width(ui, ui.px(form_width));
  const bool beside = whole <= room;
  const float width = beside ? whole : std::min(ui.px(520), room);
  const float inner = FormDialog::inner_width(ui, width);
  const float foot_height = target_note_height(ui, inner, error_) + decision_height(ui);
  if (!dialog_.begin(ui, "export", ui.say("Export"),
                     {width, beside ? ui.px(form_width) : inner, foot_height}))
    return;
  if (std::exchange(wanted_, false)) begin(app, ui);
  form(app, ui);
  const bool pictured = !app.page.numbers();
  if (pictured && !beside) {
    const ImVec2 low = ImGui::GetCursorScreenPos(),
                 high(low.x + gui::room(ui) - ui.px(4), low.y + ui.px(page_below));
    preview_.draw(app, ui, low, high);
    ImGui::SetCursorScreenPos(low);
    gap(ui, page_below);
  }
  dialog_.end_rows(ui);
  if (pictured && beside)
    preview_.draw(app, ui, {dialog_.high().x + ui.px(columns_apart), dialog_.low().y},
                  {dialog_.low().x + inner, dialog_.high().y});
  picker_.draw(ui, [&](const std::string& folder) {
    folder_ = shown_path(folder);
    return std::optional(Complaint());
  });
  foot(app, ui);
  dialog_.end(ui);
}

}  // namespace orrery::gui
