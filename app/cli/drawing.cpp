#include "app/cli/drawing.h"

#include <algorithm>

#include "app/export/export.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

constexpr double default_width = 12 / 2.54 * 72;  // 12 cm in points: fits the text of an A4 page

bool is_figure(const fs::path& path) {
  const auto endings = exporter::figure_endings();
  return std::ranges::find(endings, exporter::ending_of(path)) != endings.end();
}

std::vector<fs::path> write_tables(const std::vector<figure::Table>& tables, const fs::path& path) {
  if (tables.empty()) throw Failure(path.string() + ": this study has no tables");
  std::vector<fs::path> written;
  for (const figure::Table& table : tables) {
    fs::path file = path;
    if (tables.size() > 1)
      file.replace_filename(path.stem().string() + "." + table.name + path.extension().string());
    exporter::write_table(table, file);
    written.push_back(file);
  }
  return written;
}

}  // namespace

study::Outcome compute(const study::Recipe& recipe) {
  study::Run run;
  run.device = recipe.device;
  study::Outcome outcome = study::compute_now(*recipe.study, recipe.settings, run);
  if (!outcome.error.empty()) throw Failure(std::string(recipe.study->id) + ": " + outcome.error);
  return outcome;
}

std::vector<fs::path> write_outcome(const study::Outcome& outcome, study::Recipe recipe, double dpi,
                                    const fs::path& path) {
  if (!is_figure(path)) return write_tables(outcome.result.tables, path);
  const figure::Figure& figure = outcome.result.figure;
  if (recipe.size == figure::Size{}) recipe.size = {default_width, default_width / figure.aspect};
  exporter::Page page;
  page.size = recipe.size;
  page.theme = &figure::theme_by_name(recipe.theme);
  page.dpi = dpi;
  page.title = recipe.title;
  page.recipe = study::to_toml(recipe);
  exporter::write_figure(figure, page, path);
  return {path};
}

std::vector<std::string_view> output_endings() {
  const auto figures = exporter::figure_endings();
  std::vector<std::string_view> all(figures.begin(), figures.end());
  all.insert(all.end(), {".csv", ".npy"});
  return all;
}

}  // namespace orrery::cli
