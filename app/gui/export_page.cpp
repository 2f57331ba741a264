#include "app/gui/export_page.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/export/export.h"
#include "app/export/text_runs.h"
#include "app/figure/reading.h"
#include "app/gui/slider_scale.h"
#include "app/gui/typed_path.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

std::filesystem::path stem(const ExportPage& page, const study::Study& study) {
  std::string name = page.name;
  if (name.empty()) {
    name = study.id;
    std::replace(name.begin(), name.end(), '/', '-');
  }
  const std::filesystem::path typed(typed_path(name));
  return typed.is_absolute() ? typed : whole_path(typed_path(page.folder)) / typed;
}

/// The ending that was chosen in the place of one that was typed; a dot elsewhere in a name is left alone.
std::filesystem::path with_ending(std::filesystem::path path, const std::string& ending) {
  const std::string typed = path.extension().string();
  for (const std::string_view known : {".pdf", ".svg", ".png", ".tex", ".webp", ".csv", ".npy", ".md"})
    if (typed == known) path.replace_extension();
  path += "." + ending;
  return path.lexically_normal();
}

}  // namespace

int dpi_of(const ExportPage& page) {
  return static_cast<int>(std::lround(page.dpi > 0 ? page.dpi : render::usual_dpi("." + page.ending)));
}

figure::Size recipe_size(const ExportPage& page) {
  try {
    return figure::parse_size(page.size);
  } catch (const InvalidArgument&) {
    return {};
  }
}

recipe::Recipe recipe_of(const ExportPage& page, const recipe::Outcome& outcome, const figure::View& view) {
  recipe::Recipe recipe;
  static_cast<recipe::Page&>(recipe) = page;
  if (!page.title) recipe.own_title.clear();
  recipe.study = outcome.study;
  recipe.settings = outcome.lasting_settings();
  recipe.device = outcome.device;
  recipe.size = figure::parse_size(page.size);
  recipe.view = view;
  recipe.compare = outcome.compare;
  return recipe;
}

void take_page(const recipe::Recipe& recipe, ExportPage& page) {
  const double chosen = recipe.dpi > 0 ? recipe.dpi : page.dpi;
  static_cast<recipe::Page&>(page) = recipe;
  page.dpi = chosen;
  if (recipe.size.width > 0) page.size = figure::size_text(recipe.size);
  if (!recipe.animation) return;
  page.frames = recipe.animation->frames;
  page.fps = recipe.animation->fps;
}

recipe::Animation animation_of(const ExportPage& page, const parameter::Parameter& p, const Motion& motion) {
  const SliderEnds ends = slider_ends(p);
  recipe::Animation animation;
  animation.parameter = p.name;
  animation.from = motion.from.value_or(ends.low);
  animation.to = motion.to.value_or(p.plays ? std::min(ends.high, animation.from + page.frames) : ends.high);
  // As it plays in the window: by ratios where the slider goes by ratios, unless its study made it for running.
  animation.log = !p.plays && p.travel != parameter::Travel::linear && animation.from > 0 && animation.to > 0;
  animation.loop = motion.loop;
  animation.frames = page.frames;
  animation.fps = page.fps;
  return animation;
}

std::filesystem::path export_target(const ExportPage& page, const study::Study& study) {
  return with_ending(stem(page, study), page.ending);
}

std::vector<std::filesystem::path> export_targets(const ExportPage& page, const recipe::Outcome& outcome) {
  return render::targets(outcome, export_target(page, *outcome.study));
}

std::string picture_as_pgf(const ExportPage& page, const recipe::Outcome& outcome, const figure::View& view) {
  const render::Paper paper(recipe_of(page, outcome, view), outcome.result.figure, render::usual_dpi(".tex"));
  return exporter::figure_bytes(paper.figure(), paper.page(), ".tex");
}

std::string picture_as_png(const ExportPage& page, const recipe::Outcome& outcome, const figure::View& view) {
  const render::Paper paper(recipe_of(page, outcome, view), outcome.result.figure, render::usual_dpi(".png"));
  return exporter::figure_bytes(paper.figure(), paper.page(), ".png");
}

std::string tab_separated(const figure::Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += (c ? "\t" : "") + exporter::plain_text(table.columns[c].name);
  text += '\n';
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c) text += '\t';
      const figure::Column& column = table.columns[c];
      text +=
          column.of_words() ? exporter::plain_text(column.words[r]) : figure::exact_text(column.values[r]);
    }
    text += '\n';
  }
  return text;
}

exporter::Written write_export(const recipe::Recipe& recipe, const recipe::Outcome& outcome,
                               const std::filesystem::path& target, const render::MakeOptions& options) {
  if (!recipe.animation) return render::write(recipe, outcome, target, options);
  render::Made made = render::make(recipe, target, options);
  return {std::move(made.files), std::move(made.left_out)};
}

}  // namespace orrery::gui
