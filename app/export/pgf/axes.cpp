#include "app/export/pgf/axes.h"

#include <algorithm>
#include <cmath>

#include "app/export/pgf/paths.h"
#include "app/export/pgf/pgf.h"
#include "app/figure/axis_guide.h"

namespace orrery::exporter::pgf {
namespace {

std::string tick_options(char letter, const AxisMap& map, const figure::AxisRecord& axis) {
  const std::string name(1, letter);
  if (axis.ticks.empty()) return "  " + name + "tick=\\empty,\n";
  std::string at, says;
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    at += (i > 0 ? "," : "") + map.from_value(axis.ticks[i]);
    says += (i > 0 ? "," : "") + ("{" + (i < axis.labels.size() ? tex_text(axis.labels[i]) : "") + "}");
  }
  const std::string turned =
      axis.turned
          ? "  " + name + "ticklabel style={rotate=90, anchor=" + (axis.opposite ? "west" : "east") + "},\n"
          : "";
  std::string between;  // PGFPlots has minor ticks of its own for powers of ten alone
  for (const double value : axis.minor) between += (between.empty() ? "" : ",") + map.from_value(value);
  if (!between.empty())
    between = "  extra " + name + " ticks={" + between + "}, extra " + name + " tick labels={},\n";
  return "  " + name + "tick={" + at + "}, " + name + "ticklabels={" + says + "},\n" + between + turned;
}

/// A plot's title or an axis' name as it is drawn, or null. Panels may say the same: the nearest is meant.
const figure::Label* drawn(const figure::Scene& scene, const figure::Rect& plot, const std::string& name,
                           bool upright, bool bold) {
  const figure::Point middle{plot.x + plot.w / 2, plot.y + plot.h / 2};
  const figure::Label* found = nullptr;
  double nearest = INFINITY;
  for (const figure::Primitive& primitive : scene.primitives) {
    const auto* label = std::get_if<figure::Label>(&primitive);
    if (!label || label->upright != upright || label->style.bold != bold || label->text != name) continue;
    const double away = std::hypot(label->at.x - middle.x, label->at.y - middle.y);
    if (away >= nearest) continue;
    nearest = away;
    found = label;
  }
  return found;
}

/// How large: it shrinks where there is little room.
double drawn_size(const figure::Scene& scene, const figure::Rect& plot, const std::string& name, bool upright,
                  bool bold, double usual) {
  const figure::Label* label = drawn(scene, plot, name, upright, bold);
  return label ? label->style.size : usual;
}

/// From a line of a title to the next, in sizes: titles that stand beside each other may have lines of one pitch.
double drawn_skip(const figure::Scene& scene, const figure::Rect& plot, const figure::PanelRecord& record) {
  if (record.title.size() < 2) return line_skip;
  const figure::Label* first = drawn(scene, plot, record.title[0], true, record.title_bold);
  const figure::Label* second = drawn(scene, plot, record.title[1], true, record.title_bold);
  if (!first || !second || !(second->at.y > first->at.y)) return line_skip;
  return (second->at.y - first->at.y) / first->style.size;
}

std::string name_of_axis(char letter, const figure::AxisRecord& axis, const figure::Rect& plot,
                         const figure::Scene& scene, const figure::Theme& theme) {
  if (axis.title.empty()) return {};
  std::string style;
  const double size = drawn_size(scene, plot, axis.title, letter == 'x', false, theme.label_size);
  if (size != theme.label_size) style = font(size, false);
  // Of an axis that shows nothing else the name comes as close as numbers would: PGFPlots leaves room for ticks; and for those
  // between, besides the others.
  const double too_far =
      !axis.line && axis.labels.empty()
          ? theme.tick_length + (figure::axis_title_gap - figure::label_gap) * theme.text_size
      : !axis.minor.empty() ? 1.5 * theme.tick_length
                            : 0;
  // Towards the plot: a name that reads upwards has it on its right, below its letters.
  const bool up = (letter == 'x') != axis.opposite;
  if (too_far > 0)
    style += (style.empty() ? "" : ", ") + std::string("yshift=") + (up ? "" : "-") + length(too_far);
  const std::string label = std::string("  ") + letter + "label";
  return label + "={" + tex_text(axis.title) + "},\n" +
         (style.empty() ? "" : label + " style={" + style + "},\n");
}

}  // namespace

std::string common_style(const figure::Theme& theme, Palette& palette) {
  // As the layout has them, in text sizes: from a tick to its number, and on to the axis' name.
  const double tick_to_number = figure::label_gap * theme.text_size,
               number_to_label = figure::axis_title_gap * theme.text_size;
  const std::string axis = palette.name(theme.axis), text = palette.name(figure::quiet_words(theme));
  return "\\pgfplotsset{every axis/.append style={\n"
         "  scale only axis, anchor=south west, clip mode=individual, unbounded coords=jump, scaled "
         "ticks=false,\n"
         "  tick align=outside, major tick length=" +
         length(theme.tick_length) + ", every extra x tick/.append style={grid=none, major tick length=" +
         length(0.5 * theme.tick_length) +
         "}, every extra y tick/.append style={grid=none, major tick length=" +
         length(0.5 * theme.tick_length) + "}" +
         ", xtick pos=left, ytick pos=left, xminorticks=false, yminorticks=false,\n" +
         "  axis line style={draw=" + axis + ", line width=" + length(theme.axis_width) + "},\n" +
         "  every tick/.append style={draw=" + axis + ", line width=" + length(theme.axis_width) + "},\n" +
         "  grid style={draw=" + palette.name(theme.grid) + ", line width=" + length(theme.grid_width) +
         "},\n" + "  tick label style={text=" + text + ", " + font(theme.text_size, false) + ", " +
         line_box(theme.text_size) + ", inner sep=" + length(tick_to_number) + "},\n" +
         // Where the label stands first: that sets the style anew.
         "  xlabel near ticks, ylabel near ticks,\n" + "  label style={text=" + text + ", " +
         font(theme.label_size, false) + ", " + line_box(theme.label_size) +
         ", inner xsep=0pt, inner ysep=" + length(number_to_label - tick_to_number) + "},\n" +
         "  every axis title shift=0pt}}\n";
}

std::string place(const figure::Rect& plot, double page_height) {
  return "  at={(" + length(plot.x) + "," + length(page_height - plot.y - plot.h) +
         ")}, width=" + length(plot.w) + ", height=" + length(plot.h) + ",\n";
}

std::string axis_options(char letter, const AxisMap& map, const figure::AxisRecord* record,
                         const figure::Rect& plot, const figure::Scene& scene, const figure::Theme& theme) {
  const std::string name(1, letter);
  std::string text = "  " + name + "min=" + map.text(map.low()) + ", " + name + "max=" + map.text(map.high());
  if (map.log()) {
    text += ", " + name + "mode=log";
    if (map.base() != 10) text += ", log basis " + name + "=" + short_text(map.base(), 6);
  }
  if (map.reversed()) text += ", " + name + " dir=reverse";
  text += ",\n";
  if (!record) return text + "  " + name + "tick=\\empty,\n";
  text += tick_options(letter, map, *record);
  text += name_of_axis(letter, *record, plot, scene, theme);
  if (record->grid) text += "  " + name + "majorgrids=true,\n";
  if (!record->line)
    text += "  " + name + " axis line style={draw=none}, " + name + "tick style={draw=none},\n";
  return text;
}

std::string line_options(const figure::AxisRecord* x, const figure::AxisRecord* y, bool frame) {
  if (frame) return "  axis on top,\n";
  const auto side = [](const figure::AxisRecord* axis, char letter, const char* near, const char* opposite) {
    const std::string name(1, letter);
    if (!axis) return "  hide " + name + " axis,\n";
    return "  axis " + name + " line*=" + (axis->opposite ? opposite : near) + ",\n";
  };
  return side(x, 'x', "bottom", "top") + side(y, 'y', "left", "right");
}

std::string title_options(const figure::PanelRecord& record, const figure::Rect& plot,
                          const figure::Scene& scene, const figure::Theme& theme, Palette& palette) {
  if (record.title.empty()) return {};
  const double size = drawn_size(scene, plot, record.title[0], true, record.title_bold, theme.title_size),
               skip = drawn_skip(scene, plot, record);
  std::string lines;
  for (const std::string& line : record.title)
    lines += lines.empty() ? tex_text(line, record.title_bold)
                           : "\\\\" + behind_line_end(tex_text(line, record.title_bold));
  return "  title={" + lines + "}, title style={at={(0,1)}, yshift=" + length(plot.y - record.title_top) +
         ", anchor=north west, align=left, inner sep=0pt, text=" + palette.name(theme.text) + ", " +
         font(size, record.title_bold, skip) + ", " + line_box(size, record.title.size(), skip) + "},\n";
}

std::string bar_options(const figure::BarRecord& bar, const figure::Rect& box, const figure::Scene& scene,
                        const figure::Theme& theme) {
  const AxisMap map(bar.axis, box.y, box.h);
  // Without the shift, which is meant for a bar beside its axis.
  std::string text =
      "  colorbar, colorbar shift/.style={}, colorbar style={" + place(box, scene.height).substr(2);
  text += "  " + tick_options('y', map, bar.axis).substr(2);
  text += name_of_axis('y', bar.axis, box, scene, theme);
  return text + "  anchor=south west, ytick pos=right, axis on top},\n";
}

}  // namespace orrery::exporter::pgf
