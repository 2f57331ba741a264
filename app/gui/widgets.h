// The small parts that panels are made of: text on a baseline, heads, buttons, segments, switches, tooltips.
// All draw at Dear ImGui's cursor and move it on; `name` is how tests find the part.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/gui/ui.h"

namespace orrery::gui {

enum class Align : std::uint8_t { left, center, right };

/// Text with its baseline at y; `x` is its left end, its middle or its right end.
void put(ImDrawList&, const Face&, float x, float baseline, ImU32, std::string_view, Align = Align::left);
/// The baseline that puts capitals in the middle of a row.
float baseline_in(const Face&, float top, float height);
/// Cut to a width, with an ellipsis.
std::string fitted(const Face&, std::string_view, float width);

/// Room that can be pressed.
struct Press {
  bool clicked = false, hovered = false, held = false, started = false, right_clicked = false,
       double_clicked = false;
  ImVec2 low, high;
};
Press press(Ui&, std::string_view name, ImVec2 size);

float room(const Ui&);              ///< width from the cursor to the right margin of the pane
void gap(const Ui&, float design);  ///< vertical space
void section_head(Ui&, std::string_view text, std::string_view note = {});

/// A filled button with words in its middle; `accent` for the one thing that matters most.
bool button(Ui&, std::string_view name, std::string_view text, ImVec2 size, bool accent = false,
            bool enabled = true);
/// One row of alternatives; returns which was clicked, or −1. `disabled` items are pale and do nothing.
int segmented(Ui&, std::string_view name, std::span<const std::string_view> items, int selected, float width,
              const Face&, std::span<const bool> disabled = {});
/// The least width at which all these words fit side by side.
float segments_width(const Ui&, std::span<const std::string_view> items, const Face&);
bool toggle_switch(Ui&, std::string_view name, bool on);

/// A line of help for the last item, after the pointer has rested on it.
void help(Ui&, bool hovered, std::string_view text);

void tick_mark(ImDrawList&, ImVec2 middle, float size, ImU32, float raster);
void cross_mark(ImDrawList&, ImVec2 middle, float size, ImU32, float raster);

}  // namespace orrery::gui
