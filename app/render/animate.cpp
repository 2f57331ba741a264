#include "app/render/animate.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <vector>

#include "app/figure/steady.h"
#include "app/language/language.h"
#include "app/recipe/subtitle.h"
#include "app/render/spare.h"
#include "app/study/text.h"
#include "core/tensor/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

/// frames/%04d.png, taken apart: only the file's name counts, and it holds one number.
struct NumberedName {
  std::string before, after;
  std::size_t digits = 0;
};

/// Nothing where the name holds none, or more than that.
std::optional<NumberedName> number_in(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t percent = name.find('%');
  if (percent == std::string::npos) return std::nullopt;
  std::size_t end = percent + 1;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
  const std::string digits = name.substr(percent + 1, end - percent - 1);
  const bool whole =
      end < name.size() && name[end] == 'd' && digits.size() <= 2 && (digits.empty() || digits[0] == '0');
  if (!whole || name.find('%', end) != std::string::npos) return std::nullopt;
  return NumberedName{name.substr(0, percent), name.substr(end + 1),
                      digits.empty() ? 0 : static_cast<std::size_t>(std::stoi(digits))};
}

bool is_numbered(const fs::path& path) {
  if (number_in(path)) return true;
  if (path.filename().string().find('%') == std::string::npos) return false;
  throw InvalidArgument(
      about(Subject::Kind::option, "-o")
          .found(path.string())
          .fault("{} needs exactly one number as in %04d, and no other %", in_apostrophes(path.string()))
          .allowed(name_phrase("frames/%04d.png")));
}

fs::path frame_path(const fs::path& path, const NumberedName& name, int frame) {
  std::string number = std::to_string(frame);
  if (number.size() < name.digits) number.insert(0, name.digits - number.size(), '0');
  return fs::path(path).replace_filename(name.before + number + name.after);
}

/// Four of them tell where it is; a whole number is said whole, so that ends and powers of two are what they are.
double four_digits(double x) {
  if (x == std::round(x)) return x;
  if (std::abs(x) >= 1000) return std::round(x);
  const double unit = std::pow(10, 3 - std::floor(std::log10(std::abs(x))));  // 1000 to 9999 of them
  return std::round(x * unit) / unit;
}

/// Every frame's figure in the words of its page, all with the axes that hold the data of all.
struct Film {
  std::vector<recipe::Recipe> recipes;
  std::vector<figure::Figure> figures;
  recipe::Outcome last;
};

Film computed(const recipe::Recipe& recipe, const MakeOptions& options) {
  Film film;
  const std::optional<recipe::Outcome> pinned = compute_pinned(recipe, options.stop);
  for (const parameter::Settings& settings : recipe::frame_settings(*recipe.animation, recipe.settings)) {
    recipe::Recipe frame = recipe;
    frame.settings = settings;
    frame.animation->frame = static_cast<int>(film.recipes.size());
    // On a way back, and where whole numbers stand for a while, it was computed before.
    const auto same = std::ranges::find(film.recipes, settings, &recipe::Recipe::settings);
    const bool last = frame.animation->frame == recipe.animation->frames - 1;
    if (same != film.recipes.end() && !last) {
      film.figures.push_back(
          figure::Figure(film.figures[static_cast<std::size_t>(same - film.recipes.begin())]));
    } else {
      film.last = compute(frame, pinned, options.stop);
      film.figures.push_back(film.last.result.figure);
    }
    film.recipes.push_back(std::move(frame));
    if (options.on_frame)
      options.on_frame(static_cast<int>(film.recipes.size()), 2 * recipe.animation->frames);
  }
  figure::share_ranges(film.figures);
  for (std::size_t i = 0; i < film.figures.size(); ++i) {
    film.figures[i].moment = moment(film.recipes[i]);
    film.figures[i] = worded(film.recipes[i], film.figures[i]);
  }
  return film;
}

void make_folder(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error)
    throw Failure(wrong("cannot be made a directory: {}", foreign(error.message()))
                      .within(in_file(path.parent_path().string())));
}

}  // namespace

figure::Moment moment(const recipe::Recipe& frame) {
  const recipe::Animation& way = *frame.animation;
  const parameter::Parameter& moves =
      *std::ranges::find(frame.settings.declared(), way.parameter, &parameter::Parameter::name);
  const bool whole = moves.kind == parameter::Kind::integer;
  const double value =
      whole ? static_cast<double>(frame.settings.integer(moves.name)) : frame.settings.real(moves.name);
  const auto measure = [&](double x) { return way.log ? std::log(x) : x; };
  const double length = measure(way.to) - measure(way.from);
  std::string text(language::translate(frame.language, moves.label));
  const std::string said = study::grouped(whole ? value : four_digits(value));
  text += " = " + said + recipe::unit_behind(said, moves.unit, frame.language);
  return {text, length == 0 ? 1 : (measure(value) - measure(way.from)) / length};
}

bool names_pictures(const fs::path& path) {
  return exporter::is_figure(path) && number_in(path).has_value();
}

void check_animation(const recipe::Animation& animation, const fs::path& path) {
  const bool one_file = exporter::ending_of(path) == exporter::animation_ending;
  if (one_file && !animation.frame) return;
  if (exporter::is_figure(path) && (animation.frame || is_numbered(path))) return;
  if (one_file)
    throw InvalidArgument(
        about(Subject::Kind::option, "-o")
            .found(path.string())
            .fault("the recipe is of one frame, and {} holds an animation", in_apostrophes(path.string()))
            .allowed("a picture, or {} for all frames", "--animate NAME=FROM:TO"));
  throw InvalidArgument(about(Subject::Kind::option, "-o")
                            .found(path.string())
                            .fault("{} cannot hold an animation", in_apostrophes(path.string()))
                            .allowed("a .webp, or numbered pictures ({})", "frames/%04d.png"));
}

std::vector<fs::path> animation_files(const recipe::Animation& animation, const fs::path& path) {
  const auto name = number_in(path);
  if (animation.frame || !name || !exporter::is_figure(path)) return {path};
  std::vector<fs::path> files;
  for (int i = 0; i < animation.frames; ++i) files.push_back(frame_path(path, *name, i));
  return files;
}

Made animate(const recipe::Recipe& recipe, const fs::path& path, const MakeOptions& options) {
  check_animation(*recipe.animation, path);
  Film film = computed(recipe, options);
  Made made{std::move(film.last), {}, {}};
  const int frames = recipe.animation->frames;
  // Half of the way was computing.
  const auto on_page = [&] {
    if (options.stop.stop_requested()) throw Cancelled();
  };
  const auto on_frame = [&](int written) {
    on_page();
    if (options.on_frame) options.on_frame(frames + written, 2 * frames);
  };
  const Paper sheet(recipe, film.figures.front(), usual_dpi(exporter::ending_of(path)));
  const figure::Standing standing = exporter::standing(film.figures, sheet.page(), on_page);
  const auto keep = [&](exporter::Written written) {
    std::ranges::move(written.files, std::back_inserter(made.files));
    // Texts that hold what moves are others in every frame: those of the frame that lacks most stand for all.
    if (written.left_out.size() > made.left_out.size()) made.left_out = std::move(written.left_out);
  };
  const exporter::BeforeWriting before_writing = asked_before_writing(recipe, options);
  exporter::NewFigures pictures;
  const auto write = [&](int i, const fs::path& file) {
    const auto at = static_cast<std::size_t>(i);
    const Paper paper(film.recipes[at], film.figures[at], usual_dpi(exporter::ending_of(file)));
    exporter::Page page = paper.page();
    page.like = &standing;
    page.before_writing = before_writing;
    keep(pictures.write(film.figures[at], page, file));
  };
  if (recipe.animation->frame) {
    write(*recipe.animation->frame, path);
    pictures.commit();
  } else if (exporter::is_figure(path)) {
    make_folder(path);
    const std::vector<fs::path> files = animation_files(*recipe.animation, path);
    before_writing(files);  // one that is another's is no reason to paint those before it
    for (int i = 0; i < frames; ++i) {
      write(i, files[static_cast<std::size_t>(i)]);
      on_frame(i + 1);
    }
    pictures.commit();
  } else {
    const exporter::Playback playback{recipe.animation->fps,
                                      recipe.animation->loop == recipe::Loop::once ? 1 : 0};
    exporter::Page page = sheet.page();
    page.like = &standing;
    page.before_writing = before_writing;
    keep(exporter::write_animation(film.figures, playback, page, path, on_frame));
  }
  return made;
}

}  // namespace orrery::render
