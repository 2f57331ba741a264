// To files: what is shown, and all of the tray.
#include "app/gui/app.h"
#include "app/gui/tray.h"
#include "app/gui/typed_path.h"
#include "core/tensor/error.h"

namespace orrery::gui {

study::Recipe App::recipe() const {
  study::Recipe recipe = recipe_of(page, *result(), view());
  if (const std::optional<Side>& a = document_.pinned)
    recipe.compare = study::Compare{document_.together, a->study, a->settings, a->device};
  return recipe;
}

std::optional<study::Animation> App::animation() const {
  const parameter::Parameter* moves = playing() ? playing() : moving_;
  for (const parameter::Parameter& p : document_.live.study->parameters)
    if (!moves && p.plays) moves = &p;
  if (!moves) return std::nullopt;
  return animation_of(page, *moves, motion(*moves));
}

void App::write(const std::filesystem::path& target) {
  if (!result() || exporting_.running()) return;
  study::Recipe shown = recipe();
  if (page.motion()) shown.animation = animation();
  if (page.motion() && !shown.animation)
    throw InvalidArgument("nothing in this study plays; allowed: another format");
  if (page.numbers() && result()->result.tables.empty())
    throw InvalidArgument("this study has no numbers to write");
  exporting_.start(std::move(shown), shown_, target);
  target_ = {target, true};
  writing_ = target;
}

void App::write_tray(const std::filesystem::path& folder, std::string_view ending, const TrayPage& changed) {
  std::vector<render::Job> jobs;
  for (study::NamedRecipe& each : named(document_.tray)) {
    changed.apply(each.recipe);
    jobs.push_back(
        {each.title, folder / (each.name + "." + std::string(ending)), std::move(each.recipe), {}});
  }
  if (!jobs.empty() && !exporting_.running()) exporting_.start(std::move(jobs));
}

void App::report(const ExportReport& done) {
  const bool whole = done.failed.empty() && !done.cancelled;
  say(whole ? Notice::Kind::done : Notice::Kind::error, in_words(done));
  for (auto file = done.files.rbegin(); file != done.files.rend(); ++file) remember_file(*file);
  // The next figure goes where this one went; a folder that could not be written to is nobody's default.
  if (!done.files.empty() && !writing_.empty()) page.folder = writing_.parent_path().string();
  writing_.clear();
}

}  // namespace orrery::gui
