#include <algorithm>
#include <array>

#include "app/gui/form.h"
#include "app/gui/panels.h"
#include "app/gui/speech.h"
#include "app/gui/typed_path.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

using Names = std::initializer_list<std::string_view>;

bool choose_number(Ui& ui, std::string_view label, std::string_view id, Names names, std::string_view unit,
                   int& now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = labelled(ui, label);
  const float right = ImGui::GetCursorScreenPos().x + width;
  const auto chosen = std::find(names.begin(), names.end(), std::to_string(now)) - names.begin();
  const int clicked = segmented(ui, id, {names.begin(), names.size()}, static_cast<int>(chosen),
                                width - ui.px(54), ui.faces.numbers);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, right, baseline_in(ui.faces.words, at.y, ui.px(24)),
      color(ui.tokens.faint), unit, Align::right);
  next_row(ui, at);
  if (clicked < 0) return false;
  now = std::stoi(std::string(names.begin()[clicked]));
  return true;
}

/// Of the figure's words, each by its own name; no row where this machine can show only English.
void choose_language(Ui& ui, language::Language& now) {
  std::vector<std::string_view> names;
  for (const language::Named& each : language::languages())
    if (why_not_shown(each.language).empty()) names.push_back(each.own_name);
  if (names.size() < 2) return;
  std::string chosen(language::own_name(now));
  if (!choose(ui, ui.say("Language"), "page-language", names, chosen)) return;
  for (const language::Named& each : language::languages())
    if (each.own_name == chosen) now = each.language;
}

/// The same as the button below the parameter's slider.
void at_the_end(App& app, Ui& ui, const study::Animation& way) {
  static constexpr std::array<std::string_view, 3> words{"begins anew", "turns back", "stops"};
  std::string chosen(words[static_cast<std::size_t>(way.loop)]);
  if (!choose(ui, ui.say("At its end"), "page-loop", words, chosen)) return;
  const parameter::Parameter& p =
      *std::ranges::find(app.study().parameters, way.parameter, &parameter::Parameter::name);
  Motion motion = app.motion(p);
  motion.loop = static_cast<Loop>(std::ranges::find(words, chosen) - words.begin());
  app.set_motion(p, motion);
}

}  // namespace

void ExportPopup::format(App& app, Ui& ui) {
  static constexpr std::array<std::string_view, 7> endings{"pdf", "svg", "png", "tex", "webp", "csv", "npy"};
  choose(ui, ui.say("Format"), "ending", endings, app.page.ending);
  static constexpr std::array<std::string_view, 7> words{
      "vectors, for a document",
      "vectors, for the web",
      "pixels",
      "PGFPlots, set by LaTeX with the fonts of its document",
      "what plays, as one animated picture",
      "the numbers, as a spreadsheet reads them",
      "the numbers, as NumPy reads them"};
  const auto chosen = std::find(endings.begin(), endings.end(), app.page.ending) - endings.begin();
  small_print(ui, ui.faces.words, ui.tokens.faint, ui.say(words[static_cast<std::size_t>(chosen)]));
  gap(ui, 6);
}

void ExportPopup::motion(App& app, Ui& ui) {
  const auto way = app.animation();
  if (!way)
    return small_print(ui, ui.faces.words, ui.tokens.fails,
                       ui.say("Nothing in this study plays: choose a picture."));
  choose_number(ui, ui.say("Frames"), "frames", {"24", "48", "96", "192"}, "", app.page.frames);
  int fps = static_cast<int>(app.page.fps);
  if (choose_number(ui, ui.say("Speed"), "fps", {"12", "24", "30"}, "1/s", fps)) app.page.fps = fps;
  at_the_end(app, ui, *way);
  small_print(ui, ui.faces.words, ui.tokens.secondary,
              ui.say("{} from {} to {}", way->parameter, parameter::shortest(way->from),
                     parameter::shortest(way->to)));
  gap(ui, 6);
}

void ExportPopup::page(App& app, Ui& ui) {
  ExportPage& page = app.page;
  static constexpr std::array<std::string_view, 4> presets{"column", "two-columns", "a4-text", "slide"};
  choose(ui, ui.say("Size"), "size", presets, page.size);
  typed_row(ui, "", "size-field", page.size, "12cm\u00D78cm");
  static constexpr std::array<std::string_view, 3> themes{"print", "light", "dark"};
  choose(ui, ui.say("Theme"), "page-theme", themes, page.theme);
  if (page.ending == "png" || page.motion())
    choose_number(ui, ui.say("Resolution"), "dpi", {"96", "150", "300", "600"}, "dpi", page.dpi);
  choose_language(ui, page.language);
  typed_row(ui, ui.say("Font"), "font", page.font, figure::theme_by_name(page.theme).fonts.words);
  page.title = switched(ui, ui.say("Title"), "page-title", page.title);
  if (page.title && app.result())
    typed_row(ui, "", "own-title", page.own_title,
              language::translate(page.language, app.result()->result.figure.title));
  if (page.ending != "tex")
    page.transparent = switched(ui, ui.say("No ground"), "transparent", page.transparent);
}

/// Where it goes; says what is there already.
std::filesystem::path ExportPopup::target(App& app, Ui& ui) {
  ExportPage& page = app.page;
  typed_row(ui, ui.say("Folder"), "folder-field", page.folder, "~/figures");
  if (page.name.empty()) page.name = export_target(page, app.study()).stem().string();
  typed_row(ui, ui.say("File"), "name-field", page.name);
  const std::filesystem::path path = export_target(page, app.study());
  std::size_t there = 0;
  if (const study::Outcome* outcome = app.result())
    for (const std::filesystem::path& each : export_targets(page, *outcome)) {
      std::error_code ignored;
      if (std::filesystem::exists(each, ignored)) ++there;
    }
  small_print(ui, ui.faces.small_numbers, ui.tokens.secondary, shown_path(path));
  replaces_ = there > 0 ? path.string() : std::string();
  target_note(ui, error_, there);
  return path;
}

/// Refuses at once what would not work; the writing itself is no longer this dialog's.
void ExportPopup::go(App& app, const std::filesystem::path& path) {
  try {
    app.write(path);
    // The next figure goes where this one went.
    if (std::filesystem::path(typed_path(app.page.name)).is_absolute()) {
      app.page.folder = path.parent_path().string();
      app.page.name = path.stem().string();
    }
    ImGui::CloseCurrentPopup();
  } catch (const std::exception& error) {
    error_ = error.what();
    app.notice = {Notice::Kind::error, error_};
  }
}

void ExportPopup::draw(App& app, Ui& ui) {
  if (wanted_) {
    ImGui::OpenPopup("export");
    error_.clear();
    agreed_.clear();
    wanted_ = false;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(24), ui.px(20)});
  // Held at its top: a format with more rows must not move the formats away from under the mouse.
  const ImVec2 whole = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({whole.x / 2, std::max(ui.px(48), whole.y / 2 - ui.px(345))}, ImGuiCond_Always,
                          {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(ui.px(520), whole.x), 0});
  if (begin_modal(ui, "export",
                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove)) {
    section_head(ui, ui.say("Export"));
    gap(ui, 8);
    format(app, ui);
    if (app.page.motion() && app.result()) motion(app, ui);
    if (!app.page.numbers()) page(app, ui);
    const std::filesystem::path path = target(app, ui);
    const bool replace = !replaces_.empty() && agreed_ == replaces_;
    const Decision decision = decide(ui, "export", replace ? ui.say("Replace") : ui.say("Export"),
                                     app.result() && !app.exporting().running());
    if (decision.cancel) ImGui::CloseCurrentPopup();
    // What is there is asked for once: then the button says what it does.
    if (decision.go && (replaces_.empty() || replace))
      go(app, path);
    else if (decision.go)
      agreed_ = replaces_;
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
