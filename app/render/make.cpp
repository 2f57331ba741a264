#include "app/render/make.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "app/export/any_font.h"
#include "app/export/room_for_fonts.h"
#include "app/export/text.h"
#include "app/figure/page_size.h"
#include "app/figure/texts.h"
#include "app/recipe/caption.h"
#include "app/recipe/subtitle.h"
#include "app/render/animate.h"
#include "app/render/spare.h"
#include "app/render/tables.h"
#include "app/study/translate.h"
#include "core/tensor/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

constexpr double default_width = 12 / 2.54 * 72;  // 12 cm in points: fits the text of an A4 page
constexpr double width_of_two = 17 / 2.54 * 72;   // of two figures side by side, with their letters
constexpr double millimetre = 72 / 25.4;
constexpr std::size_t most_narrow_panels = 2;        // of a comparison, with legends for both sides
constexpr double paper_dpi = 300, screen_dpi = 150;  // 16 cm of a slide are 945 pixels on the screen

/// A figure, or an animation of it: not numbers.
bool is_picture(const fs::path& path) {
  return exporter::is_figure(path) || exporter::ending_of(path) == exporter::animation_ending;
}

/// A .tex holds a figure, or the table that was asked for.
bool holds_figure(const fs::path& path, const std::string& table) {
  return exporter::is_figure(path) && (table.empty() || !exporter::is_table_of_text(path));
}

figure::Theme theme_of(const recipe::Recipe& recipe) {
  figure::Theme theme = figure::theme_by_name(recipe.theme);
  if (!recipe.font.empty()) theme.fonts.words = theme.fonts.numbers = recipe.font;
  if (!recipe.math_font.empty()) theme.fonts.math = recipe.math_font;
  return theme;
}

/// On paper narrower than its usual page a screen's theme writes smaller, down to the size of print's letters: a column holds
/// about what it holds in print.
void fit_to_paper(figure::Theme& theme, double width) {
  const double paper = figure::print_theme().text_size, usual = default_width * theme.text_size / paper;
  const double factor = std::max(width / usual, paper / theme.text_size);
  if (factor > 1 - 1e-9) return;
  for (double* each : {&theme.text_size, &theme.label_size, &theme.title_size, &theme.line_width,
                       &theme.axis_width, &theme.grid_width, &theme.tick_length})
    *each *= factor;
}

recipe::Outcome compute_side(const study::Study& study, const parameter::Settings& settings,
                             study::DeviceChoice device, std::stop_token stop,
                             std::function<void(double)> on_progress = {}) {
  study::Run run;
  run.on_progress = std::move(on_progress);
  run.device = device;
  run.stop = std::move(stop);
  recipe::Outcome outcome = recipe::compute_now(study, settings, run);
  if (!outcome.error.empty())
    throw Failure(outcome.error.within({Subject::Kind::study, name_phrase(study.id)}));
  run.check();
  return outcome;
}

/// With whole paths: whoever reads the recipe later stands in another folder, where such a name is no file, or another one.
parameter::Settings found_from_anywhere(parameter::Settings settings) {
  std::error_code lost;  // the folder where the program was started may be gone
  const fs::path here = fs::current_path(lost);
  if (lost) return settings;
  for (const parameter::Parameter& p : settings.declared()) {
    if (p.kind != parameter::Kind::file) continue;
    const std::string path = settings.file(p.name);
    if (!path.empty() && fs::path(path).is_relative()) settings.set(p.name, (here / path).string());
  }
  return settings;
}

}  // namespace

figure::Figure worded(const recipe::Recipe& recipe, const figure::Figure& figure) {
  figure::Figure out = study::translated(figure, recipe.language);
  if (!recipe.own_title.empty()) out.title = recipe.own_title;
  out.subtitle = recipe::subtitle(recipe, out.title);
  figure::set_apostrophes(out);
  return out;
}

Paper::Paper(const recipe::Recipe& asked, const figure::Figure& figure, double usual_dpi)
    : theme_(theme_of(asked)), figure_(worded(asked, figure)) {
  recipe::Recipe recipe = asked;
  page_.theme = &theme_;
  page_.title = recipe.title;
  if (recipe.size == figure::Size{}) recipe.size = usual_size(recipe);
  if (!figure::stands_alone(recipe.size)) fit_to_paper(theme_, recipe.size.width);
  page_.size = recipe.size;
  page_.dpi = recipe.dpi > 0 ? recipe.dpi : usual_dpi;
  page_.transparent = recipe.transparent;
  page_.svg_text = recipe.svg_text;
  page_.view = recipe.view;
  recipe.settings = found_from_anywhere(std::move(recipe.settings));
  if (recipe.compare) recipe.compare->settings = found_from_anywhere(std::move(recipe.compare->settings));
  page_.recipe = recipe::to_toml(recipe);
  page_.before_writing = sparing_inputs(recipe);
}

/// As wide as the text of a page; its title stands above what the figure's shape asks for. A screen's theme has larger
/// letters: the page grows with them, and shows what one in print shows. In tenths of a millimetre: its recipe says it.
figure::Size Paper::usual_size(const recipe::Recipe& recipe) {
  const bool wide = recipe.compare && (recipe.compare->mode == figure::CompareMode::side_by_side ||
                                       figure_.panels.size() > most_narrow_panels);
  const double larger = theme_.text_size / figure::print_theme().text_size;
  const double width = larger * (wide ? width_of_two : default_width);
  page_.size = figure::in_tenths_of_millimetres({width, width / figure_.aspect});
  const double above = std::ceil(exporter::heading_height(figure_, page_) / millimetre) * millimetre;
  return figure::in_tenths_of_millimetres({page_.size.width, page_.size.height + above});
}

recipe::Outcome compute(const recipe::Recipe& recipe, std::stop_token stop,
                        std::function<void(double)> on_progress) {
  return compute(recipe, compute_pinned(recipe, stop), stop, std::move(on_progress));
}

std::optional<recipe::Outcome> compute_pinned(const recipe::Recipe& recipe, std::stop_token stop) {
  if (!recipe.compare) return std::nullopt;
  const recipe::Compare& a = *recipe.compare;
  return compute_side(*a.study, a.settings, a.device, std::move(stop));
}

recipe::Outcome compute(const recipe::Recipe& recipe, const std::optional<recipe::Outcome>& pinned,
                        std::stop_token stop, std::function<void(double)> on_progress) {
  recipe::Outcome live =
      compute_side(*recipe.study, recipe.settings, recipe.device, std::move(stop), std::move(on_progress));
  return pinned ? recipe::compared(*pinned, live, recipe.compare->mode) : live;
}

std::vector<fs::path> targets(const recipe::Outcome& outcome, const fs::path& path) {
  if (is_picture(path)) return {path};
  std::vector<fs::path> files;
  for (const figure::Table& table : outcome.result.tables)
    files.push_back(table_path(path, table, outcome.result.tables.size()));
  return files;
}

exporter::Written write(const recipe::Recipe& recipe, const recipe::Outcome& outcome, const fs::path& path,
                        const MakeOptions& options) {
  const Choice& choice = options.choice;
  const exporter::BeforeWriting asked = asked_before_writing(recipe, options);
  if (!holds_figure(path, choice.table)) return {write_tables(recipe, outcome, path, choice, asked), {}};
  recipe::Recipe lasting = recipe;
  lasting.settings = outcome.lasting_settings();
  if (outcome.compare) lasting.compare = outcome.compare;
  const Paper paper(lasting, outcome.result.figure, usual_dpi(exporter::ending_of(path)));
  exporter::Page page = paper.page();
  if (choice.caption) page.caption = recipe::caption(recipe, outcome.result.figure);
  page.before_writing = asked;
  return exporter::write_figure(paper.figure(), page, path);
}

void check_output(const recipe::Recipe& recipe, const fs::path& path) {
  // A .tex may be a table, which needs none.
  if (is_picture(path) && !exporter::is_table_of_text(path)) exporter::require_any_font();
  if (recipe.animation) return check_animation(*recipe.animation, path);
  const bool one_file = exporter::ending_of(path) == exporter::animation_ending;
  if (!one_file && !names_pictures(path)) return;
  const auto refused = about(Subject::Kind::option, "-o")
                           .found(path.string())
                           .fault("{} holds an animation", in_apostrophes(path.string()))
                           .led_by("; allowed ");
  throw InvalidArgument(
      one_file
          ? Complaint(refused).allowed(
                "with an [animation] in the recipe or --animate NAME=FROM:TO of render, or another ending")
          : Complaint(refused).allowed(
                "with an [animation] in the recipe or --animate NAME=FROM:TO of render, or another name"));
}

Made make(const recipe::Recipe& recipe, const fs::path& path, const MakeOptions& options) {
  const std::string& table = options.choice.table;
  if (!table.empty() && is_picture(path) && (recipe.animation || !exporter::is_table_of_text(path)))
    throw InvalidArgument(about(Subject::Kind::option, "--table")
                              .found(table)
                              .fault("found {} for {}", in_apostrophes(table), path.string())
                              .allowed("with a file of numbers: .csv, .npy, .md or .tex"));
  check_output(recipe, path);
  if (recipe.animation) return animate(recipe, path, options);
  Made made{compute(recipe, options.stop, options.on_progress), {}, {}};
  exporter::Written written = write(recipe, made.outcome, path, options);
  made.files = std::move(written.files);
  made.left_out = std::move(written.left_out);
  return made;
}

double usual_dpi(std::string_view ending) {
  return ending == exporter::animation_ending ? screen_dpi : paper_dpi;
}

std::vector<std::string_view> output_endings() {
  const auto figures = exporter::figure_endings();
  std::vector<std::string_view> all(figures.begin(), figures.end());
  all.insert(all.end(), {exporter::animation_ending, ".csv", ".npy", ".md"});
  return all;
}

Phrase missing_fonts(const recipe::Recipe& recipe) {
  exporter::require_room_for_fonts();  // else every font is missing
  return exporter::missing_fonts_note(theme_of(recipe).fonts);
}

}  // namespace orrery::render
