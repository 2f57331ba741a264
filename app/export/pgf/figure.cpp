// The file: recipe, colours, one axis environment for each panel.
#include <algorithm>
#include <numeric>

#include "app/export/pgf/axes.h"
#include "app/export/pgf/marks.h"
#include "app/export/pgf/paths.h"
#include "app/export/pgf/pgf.h"
#include "app/export/pgf/recipe.h"
#include "app/export/pgf/stand_ins.h"
#include "app/figure/arcs.h"
#include "app/figure/color_scales.h"
#include "core/parameter/shown.h"

namespace orrery::exporter::pgf {
namespace {

using figure::AxisRecord;

constexpr int ramp_steps =
    33;  // of a colour map: between two, PGFPlots mixes, and the eye sees no difference

std::vector<figure::Color> ramp_of(const figure::ValueColors& colors) {
  std::vector<figure::Color> ramp;
  const figure::Range range = colors.range();
  for (int i = 0; i < ramp_steps; ++i)
    ramp.push_back(colors(range.lo + range.length() * i / (ramp_steps - 1)));
  return ramp;
}

/// One panel of the figure on its way into an axis environment.
class PanelWriter {
 public:
  PanelWriter(const figure::Figure& figure, int index, const figure::Theme& theme, const Sheet& sheet,
              const std::string& stem, Palette& palette, File& file)
      : panel_(figure.panels[static_cast<std::size_t>(index)]),
        index_(index),
        theme_(theme),
        sheet_(sheet),
        record_(sheet.scene.records[static_cast<std::size_t>(index)]),
        frame_(sheet.scene.panels[static_cast<std::size_t>(index)]),
        stem_(stem),
        palette_(palette),
        file_(file) {}

  std::string write() {
    const AxisRecord* x = find(false, false);
    const AxisRecord* y = find(true, false);
    const AxisMap across = map(x, false), up = map(y, true);
    std::string options = place(frame_.plot, sheet_.scene.height) +
                          axis_options('x', across, x, frame_.plot, sheet_.scene, theme_) +
                          axis_options('y', up, y, frame_.plot, sheet_.scene, theme_) +
                          line_options(x, y, record_.frame) +
                          title_options(record_, frame_.plot, sheet_.scene, theme_, palette_);
    std::string body;
    for (const std::size_t i : as_painted())
      if (!follows_second(static_cast<int>(i))) body += mark(i, across, up);
    options += color_options();
    std::string text = "\\begin{axis}[\n" + options + "]\n" + body + "\\end{axis}\n";
    for (const AxisRecord& axis : record_.axes)
      if (axis.opposite) text += second(axis, x, y);
    // PGFPlots would set it in columns of one width, which may have no room: it stands as our layout has it.
    return text + PathWriter(sheet_.scene.height, palette_, sheet_.dpi / 72)
                      .write(sheet_.scene.primitives, record_.legend);
  }

 private:
  /// The marks as they lie above each other: words of a rule may be painted after what stands behind it in the figure.
  std::vector<std::size_t> as_painted() const {
    std::vector<std::size_t> order(record_.marks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return record_.marks[i].first; });
    return order;
  }

  const AxisRecord* find(bool vertical, bool opposite) const {
    const auto found = std::ranges::find_if(
        record_.axes, [&](const AxisRecord& a) { return a.vertical == vertical && a.opposite == opposite; });
    return found == record_.axes.end() ? nullptr : &*found;
  }

  AxisMap map(const AxisRecord* axis, bool vertical) const {
    AxisRecord own;
    if (!axis) {  // not drawn, but the marks stand on it
      own.vertical = vertical;
      own.scale = vertical ? frame_.y_scale : frame_.x_scale;
      own.range = vertical ? frame_.y : frame_.x;
      own.reversed = vertical ? frame_.y_reversed : frame_.x_reversed;
      axis = &own;
    }
    const figure::Rect& plot = frame_.plot;
    return {*axis, vertical ? plot.y : plot.x, vertical ? plot.h : plot.w};
  }

  bool follows_second(int mark) const {
    return std::ranges::any_of(record_.axes, [&](const AxisRecord& a) {
      return a.opposite && std::ranges::find(a.marks, mark) != a.marks.end();
    });
  }

  /// An axis of its own over the first, with the marks that follow it.
  std::string second(const AxisRecord& axis, const AxisRecord* first_x, const AxisRecord* first_y) {
    const AxisMap across = map(axis.vertical ? first_x : &axis, false),
                  up = map(axis.vertical ? &axis : first_y, true);
    const AxisRecord* x = axis.vertical ? nullptr : &axis;
    const AxisRecord* y = axis.vertical ? &axis : nullptr;
    std::string body;
    for (const int i : axis.marks)
      if (static_cast<std::size_t>(i) < record_.marks.size())
        body += mark(static_cast<std::size_t>(i), across, up);
    return "\\begin{axis}[\n" + place(frame_.plot, sheet_.scene.height) +
           axis_options('x', across, x, frame_.plot, sheet_.scene, theme_) +
           axis_options('y', up, y, frame_.plot, sheet_.scene, theme_) + line_options(x, y, false) +
           (axis.vertical ? "  ytick pos=right,\n" : "  xtick pos=right,\n") + "]\n" + body + "\\end{axis}\n";
  }

  std::string mark(std::size_t i, const AxisMap& across, const AxisMap& up) {
    const figure::PrimitiveSpan span = record_.marks[i];
    if (span.first == span.last) return {};
    const MarkStage stage{across, up, palette_, theme_, sheet_.scene.panels[index_]};
    const figure::Mark& mark = panel_.marks[i];
    if (!std::holds_alternative<figure::Line>(mark) || !has_arcs(span))
      if (const auto plot = plot_of(mark, stage)) return *plot;
    if (const auto* heatmap = std::get_if<figure::Heatmap>(&mark)) {
      const figure::ValueColors colors = figure::value_colors(mark, shown_range(), theme_);
      if (const auto plot = matrix_plot(*heatmap, colors, use_map(colors), stage))
        return *plot + numbers_in(span, stage);
    }
    std::string text;
    for (std::size_t p = span.first; p < span.last; ++p)
      if (const auto* image = std::get_if<figure::Image>(&sheet_.scene.primitives[p]))
        text += picture(*image, stage);
    PathWriter paths(across, up, palette_, sheet_.dpi / 72);
    return text + paths.write(sheet_.scene.primitives, span);
  }

  /// What stands in the cells of a map.
  std::string numbers_in(figure::PrimitiveSpan span, const MarkStage& stage) {
    const auto& all = sheet_.scene.primitives;
    while (span.first < span.last && !std::holds_alternative<figure::Label>(all[span.first])) ++span.first;
    return PathWriter(stage.x, stage.y, palette_, sheet_.dpi / 72).write(all, span);
  }

  /// A line that goes round is drawn as the circles that it is, whatever values lead along them.
  bool has_arcs(figure::PrimitiveSpan span) const {
    for (std::size_t p = span.first; p < span.last; ++p)
      if (const auto* line = std::get_if<figure::Polyline>(&sheet_.scene.primitives[p]);
          line && !figure::round_path(line->points, line->closed).arcs.empty())
        return true;
    return false;
  }

  std::string picture(const figure::Image& image, const MarkStage& stage) {
    int number = 1;
    std::string name;
    const auto taken = [&] {
      return std::ranges::find(file_.pictures, name, &Picture::name) != file_.pictures.end();
    };
    do {
      name = stem_ + "-panel" + std::to_string(index_ + 1) +
             (number > 1 ? "-" + std::to_string(number) : "") + ".png";
      ++number;
    } while (taken());
    file_.pictures.push_back({name, picture_png(image)});
    return graphics(image, name, stage);
  }

  std::optional<figure::Range> shown_range() const {
    return record_.bar ? std::optional(record_.bar->axis.range) : std::nullopt;
  }

  /// The first colour map is the axis' own, with the range of its values; a map in other colours brings its own.
  std::string use_map(const figure::ValueColors& colors) {
    const std::string wanted = color_map_options(ramp_of(colors), colors.range(), "orrery");
    if (color_options_.empty()) color_options_ = wanted;
    if (color_options_ == wanted) return "colormap name=orrery";
    const std::string name = "orrery" + std::to_string(++other_maps_);
    std::string own = color_map_options(ramp_of(colors), colors.range(), name);
    return own.substr(2, own.size() - 4) +
           ", point meta rel=per plot";  // without the axis' indentation and last comma
  }

  std::string color_options() {
    if (!record_.bar) return color_options_;
    const figure::Image* image = nullptr;
    for (std::size_t p = record_.bar->drawn.first; p < record_.bar->drawn.last && !image; ++p)
      image = std::get_if<figure::Image>(&sheet_.scene.primitives[p]);
    if (!image || !image->pixels || image->pixels->empty()) return color_options_;
    if (color_options_.empty()) {
      std::vector<figure::Color> ramp;
      const std::size_t last = image->pixels->size() - 1;  // the least value, at the bottom
      for (int i = 0; i < ramp_steps; ++i)
        ramp.push_back((*image->pixels)[last - last * static_cast<std::size_t>(i) / (ramp_steps - 1)]);
      color_options_ = color_map_options(ramp, record_.bar->axis.range, "orrery");
    }
    return color_options_ + bar_options(*record_.bar, image->box, sheet_.scene, theme_);
  }

  const figure::Panel& panel_;
  int index_;
  const figure::Theme& theme_;
  const Sheet& sheet_;
  const figure::PanelRecord& record_;
  const figure::PanelFrame& frame_;
  const std::string& stem_;
  Palette& palette_;
  File& file_;
  std::string color_options_;
  int other_maps_ = 1;
};

/// A comment cannot end, whatever a title holds.
std::string comment(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text.empty() ? text : "% " + text + "\n";
}

bool has_foreign(const std::string& body) {
  return body.find(foreign_command) != std::string::npos;
}

/// pdfLaTeX stops at a letter that it does not know; XeLaTeX, LuaLaTeX and the CJK package do not.
std::string foreign_definition() {
  const std::string command(foreign_command);
  return "\\ifdefined\\Umathcode \\def" + command + "#1{#1}\\else\\ifdefined\\CJKfamily \\def" + command +
         "#1{#1}\\else \\def" + command + "#1{\\fbox{?}}\\fi\\fi%\n";
}

/// Letters that pdfLaTeX's usual encoding lacks, lent from the one that has them: it stops at them otherwise.
std::string lent_letters(const std::string& body) {
  constexpr const char* letters[] = {"Ð", "ð", "Þ", "þ", "Ą", "ą", "Đ", "đ",
                                     "Ę", "ę", "Į", "į", "Ŋ", "ŋ", "Ų", "ų"};
  if (std::ranges::none_of(letters,
                           [&](const char* letter) { return body.find(letter) != std::string::npos; }))
    return {};
  std::string text =
      "\\ifdefined\\Umathcode\\else%\n\\ProvideTextCommandDefault{\\k}[1]{\\UseTextAccent{T1}{\\k}{#1}}%\n";
  for (const std::string name : {"\\DH", "\\dh", "\\TH", "\\th", "\\DJ", "\\dj", "\\NG", "\\ng"})
    text += "\\ProvideTextCommandDefault{" + name + "}{\\UseTextSymbol{T1}{" + name + "}}%\n";
  return text + "\\fi%\n";
}

/// A line that ended without % would be a blank in the paragraph. Commands that a document has from packages, for one that
/// does without them.
std::string fallbacks(const std::string& body) {
  const std::string text = stand_ins(body);
  return text + (has_foreign(body + text) ? foreign_definition() : "") + lent_letters(body);
}

constexpr const char* foreign_note =
    "% Some words need XeLaTeX or LuaLaTeX, with a font that has their letters, or CJKutf8.\n";
constexpr const char* packages_note = "% Some formulas need \\usepackage{amsmath,amssymb}.\n";

std::string preamble(const File& file, const std::string& body, const std::string& stem) {
  std::string text = "% In a document: \\usepackage{pgfplots} \\pgfplotsset{compat=1.18} … \\input{" +
                     parameter::visible(stem) + "}\n";
  if (has_foreign(body)) text += foreign_note;
  if (needs_packages(body)) text += packages_note;
  for (const Picture& picture : file.pictures)
    text += "% Stands beside this file: " + parameter::visible(picture.name) + "\n";
  if (!file.pictures.empty())
    text +=
        "% For a document in another folder: \\usepackage{graphicx} \\graphicspath{{FOLDER/}}, where this file lies\n";
  return text;
}

}  // namespace

figure::Fonts fonts() {
  return figure::print_theme().fonts;
}

std::string needed_commands(const std::string& body) {
  return std::string(has_foreign(body) ? foreign_note : "") + (needs_packages(body) ? packages_note : "") +
         fallbacks(body);
}

File figure_file(const figure::Figure& figure, const figure::Theme& theme, const Sheet& sheet,
                 const std::string& stem) {
  File file;
  Palette palette(theme);
  const figure::Scene& scene = sheet.scene;
  std::string body = common_style(theme, palette);
  const std::string corner = "(" + length(scene.width) + "," + length(scene.height) + ")";
  if (!sheet.transparent && !(scene.background == figure::Color{255, 255, 255, 255}))
    body += "\\path [" + palette.fill(scene.background) + "] (0,0) rectangle " + corner + ";\n";
  for (std::size_t p = scene.heading.first; p < scene.heading.last; ++p) {
    if (const auto* label = std::get_if<figure::Label>(&scene.primitives[p]))
      body += "\\node [inner sep=0pt, anchor=north west, text=" + palette.name(label->color) + ", " +
              font(label->style.size, label->style.bold) + ", " + line_box(label->style.size) + "] at (" +
              length(label->at.x) + "," + length(scene.height - label->at.y) + ") {" +
              tex_text(label->text, label->style.bold) + "};\n";
  }
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (scene.panels[i].plot.w <= 0 || scene.panels[i].plot.h <= 0) continue;
    body += PanelWriter(figure, static_cast<int>(i), theme, sheet, stem, palette, file).write();
  }
  const bool floats = !sheet.caption.empty();
  // Over both columns of a document that has two; elsewhere the same as any other.
  constexpr double text_width = 344;
  const std::string environment = scene.width > text_width ? "figure*" : "figure";
  const std::string before = floats ? "\\begin{" + environment + "}[tbp]\n\\centering\n" : "";
  const std::string after =
      floats ? "\\caption{" + tex_text(sheet.caption) + "}\n\\end{" + environment + "}\n" : "";
  file.tex = comment(std::string("A figure for PGFPlots, made by ") + creator +
                     (sheet.title.empty() ? "" : ": " + sheet.title)) +
             comment(sheet.description) + preamble(file, body + after, stem) + recipe_comment(sheet.recipe) +
             "\\begingroup%\n" + fallbacks(body + after) + before + palette.definitions() +
             (floats ? "" : "\\noindent\n") + "\\begin{tikzpicture}\n" + body +
             // Last: each axis adds its own words to the box, and the figure is as large as was asked.
             "\\pgfresetboundingbox\n\\useasboundingbox (0,0) rectangle " + corner +
             ";\n\\end{tikzpicture}%\n" + after + "\\endgroup\n";
  return file;
}

}  // namespace orrery::exporter::pgf
