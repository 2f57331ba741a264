// Running text of the panels, with $…$ set as mathematics between the words.
#pragma once

#include <string_view>

#include "app/gui/ui.h"

namespace orrery::gui {

struct TextBlock {
  float height = 0;
  float last_line = 0;  ///< how far the last line reaches
};

/// Draws from `at` downwards, broken as line_breaks.h allows. A `wrap` of zero or less keeps one line.
TextBlock rich_text(Ui&, ImDrawList&, ImVec2 at, float wrap, const Face&, figure::Color,
                    std::string_view text);
/// Without drawing: the height in lines of that width, the width of one line.
float rich_height(Ui&, float wrap, const Face&, std::string_view text);
float rich_width(Ui&, const Face&, std::string_view text);
/// One line with its baseline given, from x to the right.
void rich_line(Ui&, ImDrawList&, float x, float baseline, const Face&, figure::Color, std::string_view text);

/// A picture of the cache with its text's left end and baseline at a place, on whole pixels.
void draw_picture(const Ui&, ImDrawList&, const Picture&, float x, float baseline, figure::Color);

}  // namespace orrery::gui
