#include "app/cli/drawing.h"

#include <algorithm>

#include "app/cli/animate.h"
#include "app/export/text.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

constexpr double default_width = 12 / 2.54 * 72;  // 12 cm in points: fits the text of an A4 page
constexpr double paper_dpi = 300;

bool is_figure(const fs::path& path) {
  const auto endings = exporter::figure_endings();
  return std::ranges::find(endings, exporter::ending_of(path)) != endings.end();
}

std::vector<fs::path> write_one_table(const std::vector<figure::Table>& tables, const std::string& name,
                                      const fs::path& path) {
  const auto found = std::ranges::find(tables, name, &figure::Table::name);
  if (found == tables.end()) {
    std::string known;
    for (const figure::Table& table : tables) known += (known.empty() ? "" : ", ") + table.name;
    throw InvalidArgument("--table: found '" + name + "'; allowed: " + known);
  }
  exporter::write_table(*found, path);
  return {path};
}

std::vector<fs::path> write_tables(const std::vector<figure::Table>& tables, const std::string& only,
                                   const fs::path& path) {
  if (tables.empty()) throw Failure(path.string() + ": this study has no tables");
  if (!only.empty()) return write_one_table(tables, only, path);
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

figure::Theme theme_of(const study::Recipe& recipe) {
  figure::Theme theme = figure::theme_by_name(recipe.theme);
  if (!recipe.font.empty()) theme.fonts.words = theme.fonts.numbers = recipe.font;
  if (!recipe.math_font.empty()) theme.fonts.math = recipe.math_font;
  return theme;
}

}  // namespace

Paper::Paper(const study::Recipe& asked, const figure::Figure& figure, double usual_dpi)
    : theme_(theme_of(asked)), figure_(figure) {
  study::Recipe recipe = asked;
  if (recipe.size == figure::Size{}) recipe.size = {default_width, default_width / figure.aspect};
  if (!recipe.own_title.empty()) figure_.title = recipe.own_title;
  page_.size = recipe.size;
  page_.theme = &theme_;
  page_.dpi = recipe.dpi > 0 ? recipe.dpi : usual_dpi;
  page_.title = recipe.title;
  page_.transparent = recipe.transparent;
  page_.view = recipe.view;
  page_.recipe = study::to_toml(recipe);
}

study::Outcome compute(const study::Recipe& recipe) {
  study::Run run;
  run.device = recipe.device;
  study::Outcome outcome = study::compute_now(*recipe.study, recipe.settings, run);
  if (!outcome.error.empty()) throw Failure(std::string(recipe.study->id) + ": " + outcome.error);
  return outcome;
}

void check_output(const study::Recipe& recipe, const fs::path& path) {
  if (recipe.animation) return check_animation(*recipe.animation, path);
  if (exporter::ending_of(path) == exporter::animation_ending) {
    throw InvalidArgument("-o: '" + path.string() +
                          "' holds an animation; allowed with --animate NAME=FROM:TO, or another ending");
  }
}

Made make(const study::Recipe& recipe, const fs::path& path, const MakeOptions& options) {
  check_output(recipe, path);
  if (recipe.animation) return animate(recipe, path, options.on_frame);
  Made made{compute(recipe), {}};
  const study::StudyResult& result = made.outcome.result;
  if (is_figure(path)) {
    const Paper paper(recipe, result.figure, paper_dpi);
    made.files = exporter::write_figure(paper.figure(), paper.page(), path);
  } else {
    made.files = write_tables(result.tables, options.table, path);
  }
  return made;
}

std::vector<std::string_view> output_endings() {
  const auto figures = exporter::figure_endings();
  std::vector<std::string_view> all(figures.begin(), figures.end());
  all.insert(all.end(), {exporter::animation_ending, ".csv", ".npy"});
  return all;
}

std::string missing_fonts(const study::Recipe& recipe) {
  return exporter::missing_fonts_note(theme_of(recipe).fonts);
}

}  // namespace orrery::cli
