#include "app/gui/exporting.h"

#include <utility>

#include "app/gui/tray.h"

namespace orrery::gui {

namespace fs = std::filesystem;

void Exporting::write(recipe::Recipe recipe, std::shared_ptr<const recipe::Outcome> outcome,
                      const fs::path& target) {
  job_.start(std::move(recipe), std::move(outcome), target);
  target_ = {target, true};
  writing_ = target;
}

void Exporting::write_tray(const Tray& tray, const fs::path& folder, std::string_view ending,
                           const TrayPage& changed) {
  if (job_.running()) return;
  std::vector<render::Job> jobs;
  for (recipe::NamedRecipe& each : named(tray)) {
    changed.apply(each.recipe);
    each.recipe.animation.reset();  // none of the tray's formats moves: it shows what stands in its settings
    jobs.push_back(
        {each.title, folder / (each.name + "." + std::string(ending)), std::move(each.recipe), {}});
  }
  if (!jobs.empty()) job_.start(std::move(jobs));
}

std::optional<Exporting::Ended> Exporting::take() {
  std::optional<ExportReport> report = job_.take();
  if (!report) return std::nullopt;
  left_undone_ = report->cancelled || !report->failed.empty();
  const fs::path target = std::exchange(writing_, {});
  if (!target.empty() && belongs_to(target)) unwritten_ = report->files.empty() ? target : fs::path();
  const bool elsewhere = !target_.file.empty() && !belongs_to(target);
  return Ended{std::move(*report), elsewhere ? fs::path() : target};
}

}  // namespace orrery::gui
