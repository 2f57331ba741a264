#include "app/gui/export_page.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/export/export.h"
#include "app/study/recipe.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

std::filesystem::path stem(const ExportPage& page, const study::Study& study) {
  std::string name = page.name;
  if (name.empty()) {
    name = study.id;
    std::replace(name.begin(), name.end(), '/', '-');
  }
  const std::filesystem::path typed(name);
  return typed.is_absolute() ? typed : std::filesystem::absolute(std::filesystem::path(page.folder)) / typed;
}

/// The ending that was chosen in the place of one that was typed; a dot elsewhere in a name is left alone.
std::filesystem::path with_ending(std::filesystem::path path, const std::string& ending) {
  const std::string typed = path.extension().string();
  for (const std::string_view known : {".pdf", ".svg", ".png", ".csv", ".npy"})
    if (typed == known) path.replace_extension();
  path += "." + ending;
  return path.lexically_normal();
}

/// The page with its recipe, so that the figure can be made again.
exporter::Page paper_of(const ExportPage& page, const study::Outcome& outcome, const figure::View& view) {
  study::Recipe recipe;
  recipe.study = outcome.study;
  recipe.settings = outcome.settings;
  recipe.device = outcome.device;
  recipe.theme = page.theme;
  recipe.size = exporter::parse_size(page.size);
  recipe.title = page.title;
  recipe.dpi = page.dpi;
  recipe.view = view;

  exporter::Page paper;
  paper.size = recipe.size;
  paper.theme = &figure::theme_by_name(page.theme);
  paper.dpi = page.dpi;
  paper.title = page.title;
  paper.view = view;
  paper.recipe = study::to_toml(recipe);
  return paper;
}

}  // namespace

std::filesystem::path export_target(const ExportPage& page, const study::Study& study) {
  return with_ending(stem(page, study), page.ending);
}

std::vector<std::filesystem::path> export_targets(const ExportPage& page, const study::Outcome& outcome) {
  const std::filesystem::path first = export_target(page, *outcome.study);
  std::vector<std::filesystem::path> targets{first};
  if (!page.numbers()) return targets;
  const std::vector<figure::Table>& tables = outcome.result.tables;
  for (std::size_t i = 1; i < tables.size(); ++i) {
    std::filesystem::path beside = first;
    beside.replace_extension();
    beside += "-" + tables[i].name + "." + page.ending;
    targets.push_back(std::move(beside));
  }
  return targets;
}

std::string picture_as_pgf(const ExportPage& page, const study::Outcome& outcome, const figure::View& view) {
  return exporter::figure_bytes(outcome.result.figure, paper_of(page, outcome, view), ".tex");
}

std::string tab_separated(const figure::Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += (c ? "\t" : "") + table.columns[c].name;
  text += '\n';
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c) text += '\t';
      text += parameter::shortest(table.columns[c].values[r]);
    }
    text += '\n';
  }
  return text;
}

std::string write_export(const ExportPage& page, const study::Outcome& outcome, const figure::View& view) {
  const std::vector<std::filesystem::path> targets = export_targets(page, outcome);
  const std::filesystem::path& target = targets.front();
  if (page.numbers()) {
    const std::vector<figure::Table>& tables = outcome.result.tables;
    if (tables.empty()) throw InvalidArgument("export: this study has no numbers to write");
    for (std::size_t i = 0; i < tables.size(); ++i) exporter::write_table(tables[i], targets[i]);
    return "written: " + target.string() +
           (tables.size() > 1 ? " and " + std::to_string(tables.size() - 1) + " more" : std::string());
  }
  exporter::write_figure(outcome.result.figure, paper_of(page, outcome, view), target);
  return "written: " + target.string();
}

}  // namespace orrery::gui
