#include "app/gui/read_out_box.h"

#include <algorithm>
#include <array>

#include "app/gui/rich_text.h"
#include "app/gui/stroke.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void draw_read_out_box(Ui& ui, ImDrawList& draw, ImVec2 origin, const Readout& readout,
                       const figure::Rect& plot, figure::Point pointer) {
  const auto at = [&](figure::Point p) {
    return ImVec2(origin.x + static_cast<float>(p.x) * ui.scale,
                  origin.y + static_cast<float>(p.y) * ui.scale);
  };
  const float fringe = 1 / ui.raster;
  if (readout.crosshair) {
    const float x = std::floor(at({*readout.crosshair, 0}).x) + 0.5f;
    const std::array<ImVec2, 2> line{ImVec2(x, at({0, plot.y}).y), ImVec2(x, at({0, plot.y + plot.h}).y)};
    const std::array<double, 2> pattern{2.0 * ui.scale, 3.0 * ui.scale};
    for (const auto& piece : dashes(line, pattern, false))
      stroke(draw, piece, color(ui.tokens.secondary), ui.scale, fringe, false);
  }
  for (const ReadoutRow& row : readout.rows) {
    if (!row.at) continue;
    draw.AddCircleFilled(at(*row.at), 4 * ui.scale, color(ui.tokens.ground));
    draw.AddCircle(at(*row.at), 4 * ui.scale, color(ui.theme->color(row.ink)), 0, 1.6f * ui.scale);
  }

  const Face& numbers = ui.faces.numbers;
  const float row_height = ui.px(18), margin = ui.px(12), swatch = ui.px(8), space = ui.px(12);
  float label_width = 0, value_width = 0;
  for (const ReadoutRow& row : readout.rows) {
    label_width = std::max(label_width, rich_width(ui, ui.faces.words, row.label));
    value_width = std::max(value_width, numbers.width(row.value));
  }
  const float title_width = rich_width(ui, numbers, readout.title);
  const float labels = label_width > 0 ? space + label_width : 0;
  const float width = 2 * margin + std::max(title_width, swatch + labels + ui.px(20) + value_width);
  const auto rows = static_cast<float>(readout.rows.size());
  const float height = ui.px(10) + row_height * (rows + 1) + ui.px(8);

  // Beside the pointer, on the side with room; inside the plot where it is high enough.
  const ImVec2 mouse = at(pointer), low_corner = at({plot.x, plot.y}),
               high_corner = at({plot.x + plot.w, plot.y + plot.h});
  const float left =
      mouse.x + ui.px(14) + width <= high_corner.x ? mouse.x + ui.px(14) : mouse.x - ui.px(14) - width;
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
    if (!row.label.empty())
      rich_line(ui, draw, low.x + margin + swatch + space, baseline_in(ui.faces.words, y, row_height),
                ui.faces.words, ui.tokens.secondary, row.label);
    put(draw, numbers, low.x + width - margin, baseline_in(numbers, y, row_height), color(ui.tokens.text),
        row.value, Align::right);
    y += row_height;
  }
}

}  // namespace orrery::gui
