#include "app/cli/sweep_figure.h"

#include "app/recipe/recipe.h"
#include "app/render/make.h"

namespace orrery::cli {

std::filesystem::path draw_sweep(const std::filesystem::path& folder) {
  const study::Study& study = study::find("training/sweep");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  // Absolute, so that the recipe inside finds it from anywhere.
  recipe.settings.set("table", std::filesystem::absolute(folder / "table.csv").lexically_normal().string());
  const std::filesystem::path target = folder / "figure.pdf";
  render::make(recipe, target);
  return target;
}

}  // namespace orrery::cli
