// To files: what is shown, and all of the tray.
#include "app/gui/app.h"
#include "app/gui/tray.h"
#include "core/tensor/error.h"

namespace orrery::gui {

recipe::Recipe App::recipe() const {
  recipe::Recipe recipe = recipe_of(page, *result(), view());
  if (const std::optional<Side>& a = document_.pinned)
    recipe.compare = recipe::Compare{document_.together, a->study, a->settings, a->device};
  return recipe;
}

std::optional<recipe::Animation> App::animation() const {
  const parameter::Parameter* moves = playing() ? playing() : moving();
  for (const parameter::Parameter& p : document_.live.study->parameters)
    if (!moves && p.plays) moves = &p;
  if (!moves) return std::nullopt;
  return animation_of(page, *moves, motion(*moves));
}

void App::write(const std::filesystem::path& target) {
  if (!result() || exporting().running()) return;
  recipe::Recipe shown = recipe();
  if (!page.motion() && !result()->compare) shown.compare.reset();  // A is not there: the file holds B alone
  if (page.motion()) shown.animation = animation();
  if (page.motion() && !shown.animation)
    throw InvalidArgument(wrong("nothing in this study plays").allowed("another format"));
  if (page.numbers() && result()->result.tables.empty())
    throw InvalidArgument(wrong("this study has no numbers to write"));
  exporting_.write(std::move(shown), this->shown(), target);
}

void App::write_tray(const std::filesystem::path& folder, std::string_view ending, const TrayPage& changed) {
  exporting_.write_tray(document_.tray, folder, ending, changed);
}

void App::report(const Exporting::Ended& ended) {
  const ExportReport& done = ended.report;
  const bool whole = done.failed.empty() && !done.cancelled;
  say(whole ? Notice::Kind::done : Notice::Kind::error, Complaint().fault(said(done)));
  for (auto file = done.files.rbegin(); file != done.files.rend(); ++file) remember_file(*file);
  // The next figure goes where this one went; a folder that could not be written to is nobody's default.
  if (!done.files.empty() && !ended.target.empty()) page.folder = ended.target.parent_path().string();
}

}  // namespace orrery::gui
