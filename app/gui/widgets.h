// The small parts that panels are made of: text on a baseline, heads, buttons, segments, switches, tooltips.
// All draw at Dear ImGui's cursor and move it on; `name` is how tests find the part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/gui/ui.h"

namespace orrery::gui {

enum class Align : std::uint8_t { left, center, right };

/// Text with its baseline at y; `x` is its left end, its middle or its right end.
void put(ImDrawList&, const Face&, float x, float baseline, ImU32, std::string_view, Align = Align::left);
/// The same, the bytes that were meant in another ink; left-aligned.
void put_lit(Ui&, ImDrawList&, const Face&, float x, float baseline, std::string_view text,
             std::span<const std::size_t> lit, ImU32 ink, ImU32 light);
/// The baseline that puts capitals in the middle of a row.
float baseline_in(const Face&, float top, float height);
/// Cut to a width, with an ellipsis.
std::string fitted(const Face&, std::string_view, float width);
/// The same, of which the end is kept: what tells paths apart.
std::string fitted_end(const Face&, std::string_view, float width);

/// Whether Tab comes by. What only explains, or does what another control does too, is for the mouse alone.
enum class Tab : bool { passes, stops };

/// Room that can be pressed: by the mouse, or by Enter or Space while it has the keyboard, once however long they are held.
struct Press {
  bool clicked = false, hovered = false, held = false, started = false, right_clicked = false,
       double_clicked = false;
  bool focused = false, by_key = false;  ///< has the keyboard; was clicked by a key
  ImVec2 low, high;
};
Press press(Ui&, std::string_view name, ImVec2 size, Tab = Tab::stops);

/// For controls that are more than one press: true while this one has the keyboard. It comes into sight by itself.
bool has_keyboard(Ui&, std::string_view name, ImVec2 low, ImVec2 high);

/// What the arrows ask of a control that has the keyboard: steps to the right or up, ten with Shift; Home and End.
struct Turn {
  int steps = 0;
  bool to_start = false, to_end = false;
  explicit operator bool() const { return steps != 0 || to_start || to_end; }
};
enum class Arrows : std::uint8_t { sideways, all };
Turn take_turn(Ui&, Arrows = Arrows::all);

/// What was typed at a control that has the keyboard and is no field: the beginning of a value.
std::string take_typed(Ui&);

/// A line of text to type.
struct Field {
  bool entered = false;  ///< Enter was pressed in it; one that is held was so once
  bool active = false;   ///< the caret is in it
  bool left = false;     ///< it was, until this frame
};
Field text_field(Ui&, std::string_view name, std::string& text, std::string_view hint, float width,
                 ImGuiInputTextFlags = 0);

/// As ImGui's, for contents made of these parts: the keyboard stays inside, Escape closes.
bool begin_popup(Ui&, const char* id, ImGuiWindowFlags = 0);
bool begin_modal(Ui&, const char* id, ImGuiWindowFlags = 0);
void end_popup(Ui&);

/// A row of a menu; `chord` stands at its right end. Where `why_not` says why, it is pale and does nothing.
bool menu_row(Ui&, std::string_view name, std::string_view text, std::string_view chord, float width,
              bool checked = false, std::string_view why_not = {});

float room(const Ui&);              ///< width from the cursor to the right margin of the pane
void gap(const Ui&, float design);  ///< vertical space
void section_head(Ui&, std::string_view text, std::string_view note = {});

/// A filled button with words in its middle; `accent` for the one thing that matters most.
bool button(Ui&, std::string_view name, std::string_view text, ImVec2 size, bool accent = false,
            bool enabled = true);
/// Behind the selected row of a list; with high contrast it has a frame, for the ground alone is hardly seen.
void selected_ground(const Ui&, ImDrawList&, ImVec2 low, ImVec2 high, float rounding);
/// One row of alternatives; returns which was clicked, or −1. `disabled` items are pale and do nothing.
int segmented(Ui&, std::string_view name, std::span<const std::string_view> items, int selected, float width,
              const Face&, std::span<const bool> disabled = {});
/// The same where what stands on the screen is not what the items are told apart by.
int segmented(Ui&, std::string_view name, std::span<const std::string_view> items,
              const std::vector<std::string>& said, int selected, float width, const Face&,
              std::span<const bool> disabled = {});
/// One of a list in the window's language. Where a word means something else than it does elsewhere, the table has a line of
/// its own for it: "size: column".
std::string said_in(const Ui&, std::string_view list, std::string_view item);
/// The least width at which all these words, as they stand on the screen, fit side by side.
float segments_width(const Ui&, std::span<const std::string_view> said, const Face&);
bool toggle_switch(Ui&, std::string_view name, bool on);

/// A line of help for a control, after the pointer or the keyboard has rested on it; of the keyboard's it stands below.
void help(Ui&, const Press&, std::string_view text);
/// For what only the pointer reaches.
void help(Ui&, bool hovered, std::string_view text);
/// The same with its foot at that height: what lies beside the item stays in sight.
void help_above(Ui&, const Press&, std::string_view text, ImVec2 foot);
void help_above(Ui&, bool hovered, std::string_view text, ImVec2 foot);
/// The last item, of that name, as something to be helped with.
Press last_item(const Ui&, std::string_view name);

void tick_mark(ImDrawList&, ImVec2 middle, float size, ImU32, float raster);
void cross_mark(ImDrawList&, ImVec2 middle, float size, ImU32, float raster);

}  // namespace orrery::gui
