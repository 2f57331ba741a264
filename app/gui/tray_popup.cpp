#include "app/gui/tray_popup.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/gui/form.h"
#include "app/gui/speech.h"
#include "app/gui/tray.h"
#include "app/gui/typed_path.h"
#include "app/language/error.h"
#include "app/render/jobs.h"
#include "core/file/write_file.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> endings{"pdf", "svg", "png", "tex", "csv", "npy", "md"};
constexpr std::string_view as_collected = "as collected";

fs::path below(const std::string& folder, const std::string& typed) {
  const fs::path path(typed_path(typed));
  return path.is_absolute() ? path : whole_path(typed_path(folder)) / path;
}

/// One of these, or each as it was collected: then `now` is empty.
void choose_or_keep(Ui& ui, std::string_view label, std::string_view id,
                    std::span<const std::string_view> names, std::string& now) {
  std::vector<std::string_view> all{as_collected};
  all.insert(all.end(), names.begin(), names.end());
  std::string chosen = now.empty() ? std::string(as_collected) : now;
  choose(ui, label, id, all, chosen);
  now = chosen == as_collected ? std::string() : chosen;
}

/// Which of them there are, only the results tell.
bool becomes_tables(std::string_view ending) {
  return ending == "csv" || ending == "npy" || ending == "md";
}

void choose_language(Ui& ui, std::optional<language::Language>& now) {
  std::vector<std::string_view> names;
  for (const language::Named& each : language::languages())
    if (why_not_shown(each.language).empty()) names.push_back(each.own_name);
  if (names.size() < 2) return;
  std::string chosen = now ? std::string(language::own_name(*now)) : std::string();
  choose_or_keep(ui, ui.say("Language"), "tray-language", names, chosen);
  now.reset();
  for (const language::Named& each : language::languages())
    if (each.own_name == chosen) now = each.language;
}

}  // namespace

/// Beside the file that the tray came from, or where figures go.
void TrayPopup::begin(const App& app, Ui& ui) {
  const bool save = for_ == For::save;
  const fs::path folder = export_target(app.page, app.study()).parent_path();
  path_ = shown_path(app.tray_file.empty() ? folder / "lecture.toml" : app.tray_file);
  folder_ = shown_path(folder);
  agreed_.clear();
  error_ = {};
  going_ = false;
  presence_.forget();
  writing_.drop();
  ui.focus.set(save ? "tray-path" : "tray-folder");
}

/// The file or the folder, whole.
std::string TrayPopup::typed(const App& app) const {
  if (for_ == For::write) return whole_path(typed_path(folder_)).string();
  fs::path file = below(app.page.folder, path_);
  if (file.extension().empty()) file += ".toml";
  return file.lexically_normal().string();
}

std::vector<fs::path> TrayPopup::files(const App& app, const std::string& target) const {
  if (for_ == For::save) return {target};
  std::vector<fs::path> all;
  for (const recipe::NamedRecipe& each : named(app.document().tray))
    all.push_back(fs::path(target) / (each.name + "." + ending_));
  return all;
}

/// Where it goes; a folder may be looked for.
void TrayPopup::place(App& app, Ui& ui) {
  const bool save = for_ == For::save;
  const fs::path now = save ? fs::path(typed(app)).parent_path() : fs::path(typed(app));
  if (save ? path_row(ui, ui.say("File"), "tray-path", path_, "lecture.toml")
           : path_row(ui, ui.say("Folder"), "tray-folder", folder_, "~/lecture"))
    picker_.open({.title = "Choose a folder", .now = now.string(), .recent = app.recent(), .folders = true});
}

void TrayPopup::size(Ui& ui) {
  std::vector<std::string_view> names;
  for (const figure::NamedSize& named : figure::named_sizes()) names.push_back(named.name);
  choose_or_keep(ui, ui.say("Size"), "size", names, page_.size);
  typed_row(ui, "", "tray-size", page_.size, ui.say(as_collected));
  if (page_.size.empty()) return;
  try {
    figure::parse_size(page_.size);
  } catch (const std::exception& error) {
    wrong_ = true;
    wrapped_print(ui, ui.faces.words, ui.tokens.fails, language::say_error(ui.language, complaint_of(error)));
    gap(ui, 8);
  }
}

/// What all of them are written with, where not each as it was collected.
void TrayPopup::page(Ui& ui) {
  if (becomes_tables(ending_)) return;
  size(ui);
  choose_or_keep(ui, ui.say("Theme"), "tray-theme", figure::theme_names(), page_.theme);
  if (ending_ == "png") {
    static constexpr std::array<std::string_view, 4> numbers{"96", "150", "300", "600"};
    std::string dpi = page_.dpi > 0 ? std::to_string(page_.dpi) : std::string();
    choose_or_keep(ui, ui.say("Resolution"), "tray-dpi", numbers, dpi);
    page_.dpi = dpi.empty() ? 0 : std::stoi(dpi);
  }
  choose_language(ui, page_.language);
}

/// What will be there.
void TrayPopup::names(Ui& ui, const std::vector<fs::path>& all) {
  if (all.empty()) return;
  const fs::path folder = all.front().parent_path();
  std::string text;
  for (const fs::path& file : all) text += (text.empty() ? "" : ", ") + file.filename().string();
  wrapped_print(ui, ui.faces.small_numbers, ui.tokens.secondary,
                for_ == For::save ? shown_path(all.front()) : shown_path(folder) + "/: " + text);
  if (const auto& there = presence_.of(ui, all, for_ == For::write && becomes_tables(ending_));
      there && !there->folder)
    wrapped_print(ui, ui.faces.words, ui.tokens.accent,
                  ui.say("There is no such folder yet: {} will be made.", shown_path(folder)));
}

void TrayPopup::go(App& app, const std::string& target) {
  const auto write = [this, &app, target]() -> Inquiry::Then {
    render::make_directory(target);
    return [this, &app, target] {
      TrayPage changed = page_;
      if (ending_ != "png") changed.dpi = 0;
      app.write_tray(target, ending_, changed);
      ImGui::CloseCurrentPopup();
    };
  };
  const auto save = [&app, target, text = recipe::to_toml(named(app.document().tray))]() -> Inquiry::Then {
    render::make_directory(fs::path(target).parent_path());
    file::write_file(target, text);
    return [&app, target] {
      app.tray_file = target;
      app.remember_file(target);
      app.say(Notice::Kind::done, "written: " + shown_path(target));
      ImGui::CloseCurrentPopup();
    };
  };
  const auto refuse = [this](const Complaint& why) { error_ = why; };
  if (for_ == For::write)
    writing_.ask(app.errands.begin(), target, write, refuse);
  else
    writing_.ask(app.errands.begin(), target, save, refuse);
}

/// What stands in the way, and the buttons.
void TrayPopup::foot(App& app, Ui& ui, const std::string& target) {
  const bool save = for_ == For::save;
  const auto& found = presence_.of(ui, files(app, target), !save && becomes_tables(ending_));
  const std::size_t there = found ? found->files : 0;
  writing_.poll();
  if (writing_.pending()) ui.await();
  const bool agreed = agreed_ == target + ending_, replaces = there > 0 && agreed;
  target_note(ui, error_.empty() && found ? found->error : error_, there);
  const bool can = !collected(app.document().tray).empty() && !app.exporting().running() && !wrong_ &&
                   !writing_.pending() && !(save ? path_ : folder_).empty();
  const Decision decision = decide(ui, "tray",
                                   replaces ? ui.say("Replace")
                                   : save   ? ui.say("Save")
                                            : ui.say("Export"),
                                   can);
  if (decision.cancel) ImGui::CloseCurrentPopup();
  going_ = (going_ || decision.go) && !decision.cancel;
  if (!going_ || !found) return;
  going_ = false;
  // What is there is asked for once: then the button says what it does.
  if (there > 0 && !agreed)
    agreed_ = target + ending_;
  else
    go(app, target);
}

void TrayPopup::draw(App& app, Ui& ui) {
  if (wanted_) ImGui::OpenPopup("tray popup");
  const bool save = for_ == For::save;
  const float width = std::min(ui.px(560), ImGui::GetMainViewport()->Size.x - ui.px(16));
  const float inner = FormDialog::inner_width(ui, width);
  const float foot_height = target_note_height(ui, inner, error_) + decision_height(ui);
  if (!dialog_.begin(ui, "tray popup",
                     save ? ui.say("The tray as a file of recipes") : ui.say("Export all of the tray"),
                     {width, inner, foot_height}))
    return;
  if (std::exchange(wanted_, false)) begin(app, ui);
  wrong_ = false;
  if (!save) choose(ui, ui.say("Format"), "tray-ending", endings, ending_);
  place(app, ui);
  if (!save) page(ui);
  const std::string target = typed(app);
  names(ui, files(app, target));
  dialog_.end_rows(ui);
  picker_.draw(ui, [&](const std::string& folder) {
    if (save)
      path_ = shown_path(fs::path(folder) / fs::path(typed_path(path_)).filename());
    else
      folder_ = shown_path(folder);
    return std::optional(Complaint());
  });
  foot(app, ui, target);
  dialog_.end(ui);
}

}  // namespace orrery::gui
