#include "app/gui/tray_popup.h"

#include <algorithm>

#include "app/export/export.h"
#include "app/gui/form.h"
#include "app/gui/tray.h"
#include "app/gui/typed_path.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> endings{"pdf", "svg", "png", "tex", "csv", "npy"};

fs::path below(const std::string& folder, const std::string& typed) {
  const fs::path path(typed_path(typed));
  return path.is_absolute() ? path : fs::absolute(typed_path(folder)) / path;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

/// The file or the folder, whole.
std::string TrayPopup::typed(const App& app) const {
  if (for_ == For::write) return fs::absolute(typed_path(folder_)).lexically_normal().string();
  fs::path file = below(app.page.folder, path_);
  if (file.extension().empty()) file += ".toml";
  return file.lexically_normal().string();
}

/// Says what will be there; true when nothing that is there stands in the way, or it may go.
bool TrayPopup::ready(App& app, Ui& ui, const std::string& target) {
  std::vector<fs::path> files;
  if (for_ == For::save) {
    files.emplace_back(target);
  } else {
    for (const study::NamedRecipe& each : named(app.document().tray))
      files.push_back(fs::path(target) / (each.name + "." + ending_));
  }
  std::string names;
  for (const fs::path& file : files) names += (names.empty() ? "" : ", ") + file.filename().string();
  small_print(ui, ui.faces.small_numbers, ui.tokens.secondary,
              for_ == For::save ? shown_path(target) : shown_path(target) + ": " + names);
  const auto there = std::count_if(files.begin(), files.end(), is_there);
  target_note(ui, error_, static_cast<std::size_t>(there));
  return there == 0 || agreed_ == target + ending_;
}

void TrayPopup::go(App& app, const std::string& target) {
  if (for_ == For::write) {
    app.write_tray(target, ending_);
    return ImGui::CloseCurrentPopup();
  }
  try {
    exporter::write_file(target, study::to_toml(named(app.document().tray)));
    app.remember_file(target);
    app.notice = {Notice::Kind::done, "written: " + shown_path(target)};
    ImGui::CloseCurrentPopup();
  } catch (const std::exception& error) {
    error_ = error.what();
  }
}

void TrayPopup::draw(App& app, Ui& ui) {
  if (wanted_) {
    ImGui::OpenPopup("tray popup");
    if (folder_.empty()) folder_ = app.page.folder;
    agreed_.clear();
    error_.clear();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(24), ui.px(20)});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(520), ImGui::GetIO().DisplaySize.x), 0});
  if (begin_modal(ui, "tray popup",
                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove)) {
    const bool save = for_ == For::save;
    if (wanted_) ui.focus.set(save ? "tray-path" : "tray-folder");
    wanted_ = false;
    section_head(ui, save ? ui.say("The tray as a file of recipes") : ui.say("Export all of the tray"));
    gap(ui, 8);
    if (save) {
      typed_row(ui, ui.say("File"), "tray-path", path_, "lecture.toml");
    } else {
      choose(ui, ui.say("Format"), "tray-ending", endings, ending_);
      typed_row(ui, ui.say("Folder"), "tray-folder", folder_, "~/lecture");
    }
    const std::string target = typed(app);
    const bool clear = ready(app, ui, target);
    const bool can = !collected(app.document().tray).empty() && !app.exporting().running() &&
                     !(save ? path_ : folder_).empty();
    const bool replaces = clear && agreed_ == target + ending_;
    const Decision decision = decide(ui, "tray",
                                     replaces ? ui.say("Replace")
                                     : save   ? ui.say("Save")
                                              : ui.say("Export"),
                                     can);
    if (decision.cancel) ImGui::CloseCurrentPopup();
    // What is there is asked for once: then the button says what it does.
    if (decision.go && !clear)
      agreed_ = target + ending_;
    else if (decision.go)
      go(app, target);
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
