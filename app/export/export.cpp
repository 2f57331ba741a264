#include "app/export/export.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>

#include "app/export/any_font.h"
#include "app/export/formats.h"
#include "app/export/pgf/pgf.h"
#include "app/export/refused_memory.h"
#include "app/export/setters.h"
#include "app/export/text_runs.h"
#include "app/export/unopened_typefaces.h"
#include "app/export/utf8.h"
#include "app/figure/dpi.h"
#include "core/file/new_files.h"
#include "core/file/write_file.h"
#include "core/parameter/parameter.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> endings{".pdf", ".svg", ".png", ".tex"};

[[noreturn]] void refuse_ending(std::string_view found) {
  throw InvalidArgument(about(words("figure file"))
                            .found(found)
                            .fault("it ends in {}", in_apostrophes(found))
                            .led_by("; allowed are ")
                            .allowed(name_phrase(".pdf, .svg, .png, .tex")));
}

void check(const Page& page) {
  const auto number = [](double value) { return std::to_string(value); };
  for (const double side : {page.size.width, page.size.height}) {
    if (!(side > 0 && side <= figure::most_side)) {
      throw InvalidArgument(
          about(Subject::Kind::key, "size")
              .found(number(side))
              .fault("a side is {} pt", number(side))
              .led_by("; allowed are ")
              .allowed("more than {} and at most {} pt", 0, parameter::shortest(figure::most_side)));
    }
  }
  if (!(page.dpi >= figure::least_dpi && page.dpi <= figure::most_dpi)) {
    throw InvalidArgument(about(Subject::Kind::key, "dpi")
                              .found(number(page.dpi))
                              .fault("it is {}", number(page.dpi))
                              .led_by("; allowed are ")
                              .allowed("{} to {}", parameter::shortest(figure::least_dpi),
                                       parameter::shortest(figure::most_dpi)));
  }
  if (page.recipe.size() > most_recipe_bytes)
    throw InvalidArgument(about(words("recipe")).fault("it is larger than {}", "1 MiB"));
  // Nobody could read it again.
  if (valid_utf8(page.recipe) != page.recipe)
    throw InvalidArgument(about(words("recipe"))
                              .fault("it holds a name that is not UTF-8 text")
                              .allowed("the file under another name, or its numbers: .csv, .npy"));
}

const figure::Theme& theme_of(const Page& page) {
  return page.theme ? *page.theme : figure::print_theme();
}

figure::LayoutOptions options_of(const Page& page) {
  figure::LayoutOptions options;
  options.size = page.size;
  options.pixels_per_point = page.dpi / 72;
  options.title = page.title;
  options.view = page.view;
  options.like = page.like;
  return options;
}

/// The theme in the fonts that will set the page: a .tex is set in LaTeX's own, whatever a screen shows.
figure::Theme theme_in_print(const Page& page, std::string_view ending) {
  figure::Theme theme = theme_of(page);
  if (ending == ".tex") theme.fonts = pgf::fonts();
  return theme;
}

Sheet sheet_of(const figure::Figure& figure, const Page& page, const figure::Theme& theme,
               const TextSetter& text) {
  require_any_font();
  return {figure::layout(figure, options_of(page), theme, text),
          plain_text(figure.title),
          plain_text(figure.description),
          page.recipe,
          page.caption,
          page.dpi,
          page.transparent,
          page.svg_text};
}

/// Throws Failure where a library may have left out something of what was drawn, and says nothing of it.
void require_all_drawn() {
  require_typefaces();
  require_no_refused_memory();
}

std::string bytes_of(const Sheet& sheet, const TextSetter& text, std::string_view ending) {
  std::string bytes = ending == ".pdf"   ? pdf_bytes(sheet, text)
                      : ending == ".svg" ? svg_bytes(sheet, text)
                                         : png_bytes(sheet, text);
  require_all_drawn();
  return bytes;
}

pgf::File pgf_of(const figure::Figure& figure, const figure::Theme& theme, const Sheet& sheet,
                 const std::string& name) {
  pgf::File file = pgf::figure_file(figure, theme, sheet, name);
  require_all_drawn();
  return file;
}

/// The names of its pictures begin with the name of a .tex and stand in it, where TeX reads these as its own.
void require_tex_name(const fs::path& path) {
  const std::string name = path.stem().string();
  const auto own = std::ranges::find_if(name, [](unsigned char c) {
    return c < 0x20 || c == 0x7f ||
           std::string_view("%#{}\\\"").find(static_cast<char>(c)) != std::string_view::npos;
  });
  const bool swallowed = name.find("  ") != std::string::npos || name.find("^^") != std::string::npos;
  if (own == name.end() && !swallowed) return;
  if (swallowed)
    throw InvalidArgument(
        wrong("{} is read as another name by TeX, and the .tex would name pictures after it",
              in_apostrophes(parameter::visible(name)))
            .allowed("a name without two spaces in a row and {}", "^^")
            .within(in_file(path.string())));
  throw InvalidArgument(
      wrong("{} in the name stands for something else in TeX, and the .tex would name pictures after it",
            in_apostrophes(parameter::visible(std::string(1, *own))))
          .allowed("a name without {} and line breaks", "% # { } \\ \"")
          .within(in_file(path.string())));
}

}  // namespace

std::span<const std::string_view> figure_endings() {
  return endings;
}

bool is_figure(const std::filesystem::path& path) {
  const auto endings = figure_endings();
  return std::ranges::find(endings, ending_of(path)) != endings.end();
}

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

fs::path real_target(const fs::path& path) {
  const fs::path target = file::target_of(path);
  std::error_code no_way_there;
  fs::path real = fs::absolute(target, no_way_there);
  if (!no_way_there) real = fs::weakly_canonical(real, no_way_there);
  return no_way_there ? target : real;
}

std::string figure_bytes(const figure::Figure& figure, const Page& page, std::string_view ending) {
  if (std::ranges::find(endings, ending) == endings.end()) refuse_ending(ending);
  check(page);
  const figure::Theme theme = theme_in_print(page, ending);
  const auto text = shared_setter(theme.fonts);
  const Sheet sheet = sheet_of(figure, page, theme, *text);
  if (ending != ".tex") return bytes_of(sheet, *text, ending);
  pgf::File file = pgf_of(figure, theme, sheet, "figure");
  if (!file.pictures.empty())
    throw Failure(
        wrong("a large heatmap stands in a picture beside the .tex: it has to be written to a file"));
  return std::move(file.tex);
}

double heading_height(const figure::Figure& figure, const Page& page) {
  return figure::heading_height(figure, options_of(page), theme_of(page),
                                *shared_setter(theme_of(page).fonts));
}

NewFigures::NewFigures() : files_(std::make_unique<file::NewFiles>()) {}
NewFigures::~NewFigures() = default;

Written NewFigures::write(const figure::Figure& figure, const Page& page, const fs::path& path) {
  const std::string ending = ending_of(path);
  if (std::ranges::find(endings, ending) == endings.end()) refuse_ending(ending);
  check(page);
  const figure::Theme theme = theme_in_print(page, ending);
  const auto text = shared_setter(theme.fonts);
  const Sheet sheet = sheet_of(figure, page, theme, *text);
  Written written{{path}, sheet.scene.left_out};
  const auto before_writing = [&] {
    if (page.before_writing) page.before_writing(written.files);
  };
  if (ending != ".tex") {
    const std::string bytes = bytes_of(sheet, *text, ending);
    before_writing();
    files_->write(path, bytes);
    return written;
  }
  const pgf::File file = pgf_of(figure, theme, sheet, path.stem().string());
  if (!file.pictures.empty()) require_tex_name(path);
  for (const pgf::Picture& picture : file.pictures)
    written.files.push_back(path.parent_path() / picture.name);
  before_writing();
  for (std::size_t i = 0; i < file.pictures.size(); ++i)
    files_->write(written.files[i + 1], file.pictures[i].png);
  files_->write(path, file.tex);  // last: it never speaks of pictures that are not there
  return written;
}

void NewFigures::commit() {
  files_->commit();
}

Written write_figure(const figure::Figure& figure, const Page& page, const fs::path& path) {
  NewFigures one;
  Written written = one.write(figure, page, path);
  one.commit();
  return written;
}

figure::Standing standing(const std::vector<figure::Figure>& figures, const Page& page,
                          const std::function<void()>& before_each) {
  check(page);
  return figure::standing(figures, options_of(page), theme_of(page), *shared_setter(theme_of(page).fonts),
                          before_each);
}

Written write_animation(const std::vector<figure::Figure>& figures, const Playback& playback,
                        const Page& page, const fs::path& path, const std::function<void(int)>& on_frame) {
  check(page);
  const auto text = shared_setter(theme_of(page).fonts);
  WebpWriter film(playback);
  Written written{{path}, {}};
  int done = 0;
  for (const figure::Figure& figure : figures) {
    const Sheet sheet = sheet_of(figure, page, theme_of(page), *text);
    if (sheet.scene.left_out.size() > written.left_out.size()) written.left_out = sheet.scene.left_out;
    film.add(sheet, *text);
    if (on_frame) on_frame(++done);
  }
  require_all_drawn();
  if (page.before_writing) page.before_writing(written.files);
  file::write_file(path, film.bytes());
  return written;
}

}  // namespace orrery::exporter
