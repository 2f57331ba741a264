#include "app/gui/read_out_box.h"

#include <algorithm>
#include <array>

#include "app/gui/decimal_halves.h"
#include "app/gui/rich_text.h"
#include "app/gui/stroke.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

namespace {

ImVec2 on_screen(const Ui& ui, ImVec2 origin, figure::Point p) {
  return {origin.x + static_cast<float>(p.x) * ui.scale, origin.y + static_cast<float>(p.y) * ui.scale};
}

/// A minus as long as a plus is wide.
std::string shown(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != text.npos; at += 3) text.replace(at, 1, "\u2212");
  return text;
}

/// A sample that stands elsewhere says where.
std::string label_of(const ReadoutRow& row) {
  if (row.x.empty()) return row.label;
  return (row.label.empty() ? "" : row.label + " ") + "(x = " + shown(row.x) + ")";
}

}  // namespace

void draw_crosshair(Ui& ui, ImDrawList& draw, ImVec2 origin, const Readout& readout,
                    const figure::Rect& plot) {
  const float fringe = 1 / ui.raster;
  const auto at = [&](figure::Point p) { return on_screen(ui, origin, p); };
  if (readout.crosshair) {
    const float x = std::floor(at({*readout.crosshair, 0}).x) + 0.5f;
    const std::array<ImVec2, 2> line{ImVec2(x, at({0, plot.y}).y), ImVec2(x, at({0, plot.y + plot.h}).y)};
    const std::array<double, 2> pattern{2.0 * ui.scale, 3.0 * ui.scale};
    for (const auto& piece : dashes(line, pattern, false))
      stroke(draw, piece, color(ui.tokens.secondary), ui.scale, fringe, false);
  }
  if (readout.cell) {
    const figure::Rect& c = *readout.cell;
    const ImVec2 low = at({c.x, c.y}), high = at({c.x + c.w, c.y + c.h});
    if (high.x - low.x >= ui.px(3) && high.y - low.y >= ui.px(3)) {  // seen on any colour
      draw.AddRect({low.x - ui.scale, low.y - ui.scale}, {high.x + ui.scale, high.y + ui.scale},
                   color(ui.tokens.ground), 0, 0, ui.scale);
      draw.AddRect(low, high, color(ui.tokens.text), 0, 0, ui.scale);
    }
  }
  for (const ReadoutRow& row : readout.rows) {
    if (!row.at) continue;
    draw.AddCircleFilled(at(*row.at), 4 * ui.scale, color(ui.tokens.ground));
    draw.AddCircle(at(*row.at), 4 * ui.scale, color(ui.theme->color(row.ink)), 0, 1.6f * ui.scale);
  }
}

void draw_read_out_box(Ui& ui, ImDrawList& draw, ImVec2 origin, const Readout& readout,
                       const figure::Rect& plot, figure::Point pointer) {
  const auto at = [&](figure::Point p) { return on_screen(ui, origin, p); };
  const Face& numbers = ui.faces.numbers;
  const float row_height = ui.px(18), margin = ui.px(12), swatch = ui.px(8), space = ui.px(12);
  float label_width = 0;
  Halves widest;
  for (const ReadoutRow& row : readout.rows) {
    label_width = std::max(label_width, rich_width(ui, ui.faces.words, label_of(row)));
    const Halves own = halves(numbers, shown(row.value));
    widest = {std::max(widest.before, own.before), std::max(widest.behind, own.behind)};
  }
  const float value_width = widest.before + widest.behind;
  const std::string more = readout.more > 0 ? ui.say("and {} more", readout.more) : std::string();
  const float title_width = rich_width(ui, numbers, readout.title);
  const float labels = label_width > 0 ? space + label_width : 0;
  const float width = 2 * margin + std::max(title_width, swatch + labels + ui.px(20) + value_width);
  const auto rows = static_cast<float>(readout.rows.size() + (more.empty() ? 0 : 1));
  const float height = ui.px(10) + row_height * (rows + 1) + ui.px(8);

  // Beside the pointer, never on what it points at: on the side that has room in the plot, else beyond its edge.
  const ImVec2 mouse = at(pointer), low_corner = at({plot.x, plot.y}),
               high_corner = at({plot.x + plot.w, plot.y + plot.h});
  const float away = ui.px(14), leftmost = draw.GetClipRectMin().x, rightmost = draw.GetClipRectMax().x;
  float left = mouse.x + away;
  if (left + width > high_corner.x && (mouse.x - away - width >= low_corner.x || left + width > rightmost) &&
      mouse.x - away - width >= leftmost)
    left = mouse.x - away - width;
  const float top =
      std::max(low_corner.y + ui.px(4), std::min(mouse.y - ui.px(24), high_corner.y - height - ui.px(4)));
  const ImVec2 low(std::floor(left), std::floor(top));
  draw.AddRectFilled(low, {low.x + width, low.y + height}, color(ui.tokens.control, 0.97), ui.px(6));

  float y = low.y + ui.px(8);
  rich_line(ui, draw, low.x + margin, baseline_in(numbers, y, row_height), numbers, ui.tokens.secondary,
            readout.title);
  y += row_height + ui.px(2);
  for (const ReadoutRow& row : readout.rows) {
    const float middle = std::floor(y + row_height / 2);
    draw.AddRectFilled({low.x + margin, middle - swatch / 2}, {low.x + margin + swatch, middle + swatch / 2},
                       color(ui.theme->color(row.ink)), ui.px(2));
    if (const std::string label = label_of(row); !label.empty())
      rich_line(ui, draw, low.x + margin + swatch + space, baseline_in(ui.faces.words, y, row_height),
                ui.faces.words, ui.tokens.secondary, label);
    const std::string value = shown(row.value);
    put(draw, numbers, low.x + width - margin - widest.behind - halves(numbers, value).before,
        baseline_in(numbers, y, row_height), color(ui.tokens.text), value);
    y += row_height;
  }
  if (!more.empty())
    put(draw, ui.faces.words, low.x + margin + swatch + space, baseline_in(ui.faces.words, y, row_height),
        color(ui.tokens.faint), more);
}

}  // namespace orrery::gui
