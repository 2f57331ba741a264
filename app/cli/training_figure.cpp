#include "app/cli/training_figure.h"

#include <cerrno>

#include "app/export/export.h"
#include "app/recipe/recipe.h"
#include "app/render/make.h"
#include "app/study/training/sweep_table.h"
#include "core/file/descriptor.h"
#include "core/file/new_files.h"
#include "core/file/temporary.h"

namespace orrery::cli {
namespace {

recipe::Recipe recipe_of(const std::filesystem::path& table) {
  const study::Study& study = study::find("training/sweep");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  // Absolute, so that the recipe inside finds it from anywhere.
  recipe.settings.set("table", std::filesystem::absolute(table).lexically_normal().string());
  return recipe;
}

/// The study reads its table from a file: from a copy, as long as the table itself is not there.
recipe::Outcome drawn(const std::filesystem::path& table, const std::string& csv) {
  file::Temporary copy(table.parent_path());
  const file::Descriptor held(copy.open(0600));
  if (held.get() < 0) file::cannot_write(table, errno);
  if (const int error = held.write(csv)) file::cannot_write(table, error);
  return render::compute(recipe_of(copy.path()));
}

}  // namespace

std::string figure_of_sweep(const std::filesystem::path& folder, const std::string& csv) {
  const std::filesystem::path table = folder / "table.csv";
  study::sweep_table(csv, table.string());  // what is wrong is said of the table, not of its copy
  const recipe::Outcome outcome = drawn(table, csv);
  constexpr std::string_view ending = ".pdf";
  const render::Paper paper(recipe_of(table), outcome.result.figure, render::usual_dpi(ending));
  return exporter::figure_bytes(paper.figure(), paper.page(), ending);
}

}  // namespace orrery::cli
