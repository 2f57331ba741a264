#include "app/gui/export_page.h"

#include <algorithm>

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

std::filesystem::path with_ending(std::filesystem::path path, const std::string& ending) {
  if (path.extension() != "." + ending) path += "." + ending;
  return path.lexically_normal();
}

}  // namespace

std::filesystem::path export_target(const ExportPage& page, const study::Study& study) {
  return with_ending(stem(page, study), page.ending);
}

std::filesystem::path table_target(const ExportPage& page, const study::Study& study,
                                   const figure::Table& table) {
  std::filesystem::path path = stem(page, study);
  path += "-" + table.name;
  return with_ending(path, page.ending);
}

std::string write_export(const ExportPage& page, const study::Outcome& outcome, const figure::View& view) {
  const std::filesystem::path target = export_target(page, *outcome.study);
  if (page.numbers()) {
    const std::vector<figure::Table>& tables = outcome.result.tables;
    if (tables.empty()) throw InvalidArgument("export: this study has no numbers to write");
    exporter::write_table(tables.front(), target);
    for (std::size_t i = 1; i < tables.size(); ++i)
      exporter::write_table(tables[i], table_target(page, *outcome.study, tables[i]));
    return "written: " + target.string() +
           (tables.size() > 1 ? " and " + std::to_string(tables.size() - 1) + " more" : std::string());
  }
  study::Recipe recipe;
  recipe.study = outcome.study;
  recipe.settings = outcome.settings;
  recipe.device = outcome.device;
  recipe.theme = page.theme;
  recipe.size = exporter::parse_size(page.size);
  recipe.title = page.title;

  exporter::Page paper;
  paper.size = recipe.size;
  paper.theme = &figure::theme_by_name(page.theme);
  paper.dpi = page.dpi;
  paper.title = page.title;
  paper.view = view;
  paper.recipe = study::to_toml(recipe);
  exporter::write_figure(outcome.result.figure, paper, target);
  return "written: " + target.string();
}

}  // namespace orrery::gui
