// What keys do to the figure while it has the keyboard: all that the mouse does to a view, a legend and the parts of a diagram.
#include "app/gui/figure_keys.h"

#include <algorithm>

#include "app/gui/figure_view.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr double step = 1.0 / 50, stride = 1.0 / 10;  // of the plot

/// How often a key went down with that beside it.
int times(Ui& ui, const Chord& chord) {
  const auto count = std::ranges::count(ui.keys, chord);
  ui.take(chord);
  return static_cast<int>(count);
}

struct Moved {
  int across = 0, down = 0;
  explicit operator bool() const { return across != 0 || down != 0; }
};

Moved arrows(Ui& ui, bool ctrl, bool shift) {
  const auto pressed = [&](Key key) { return times(ui, {.key = key, .ctrl = ctrl, .shift = shift}); };
  return {pressed(Key::right) - pressed(Key::left), pressed(Key::down) - pressed(Key::up)};
}

/// A plus or a minus, wherever on the keyboard it is: nearer, farther; 0 for another key.
int zoom_way(const Chord& pressed) {
  const Chord chord = plain(pressed);
  if (chord.ctrl || chord.alt) return 0;
  if (chord.key == Key::plus || chord.key == Key::equal) return 1;
  return chord.key == Key::minus ? -1 : 0;
}

int zoom_steps(Ui& ui) {
  int steps = 0;
  std::erase_if(ui.keys, [&](const KeyPress& pressed) {
    const int way = zoom_way(pressed);
    steps += way;
    return way != 0;
  });
  return steps;
}

int panels_on(Ui& ui) {
  return times(ui, {Key::page_down}) - times(ui, {Key::page_up});
}

int entries_on(Ui& ui) {
  return times(ui, {Key{'N'}}) - times(ui, {.key = Key{'N'}, .shift = true});
}

constexpr Chord ctrl_enter{.key = Key::enter, .ctrl = true},
    ctrl_shift_enter{.key = Key::enter, .ctrl = true, .shift = true},
    alt_enter{.key = Key::enter, .alt = true}, escape{Key::escape};

}  // namespace

Phrase what_figure_does(const Chord& pressed) {
  const Chord chord = plain(pressed), alone{chord.key}, with_ctrl{.key = chord.key, .ctrl = true},
              with_shift{.key = chord.key, .shift = true};
  const auto is_one_of = [&](auto... keys) { return ((chord.key == keys) || ...); };
  if (zoom_way(chord) != 0) return words("zooms it");
  if (is_one_of(Key::left, Key::right, Key::up, Key::down)) {
    if (chord == alone || chord == with_ctrl) return words("moves its crosshair");
    if (chord == with_shift) return words("pans it");
  }
  if (chord == alone && is_one_of(Key::page_up, Key::page_down)) return words("goes from panel to panel");
  if ((chord == alone || chord == with_shift) && is_one_of(Key{'N'})) return words("goes through its legend");
  if (chord == alone && is_one_of(Key::enter, Key::space)) return words("presses what is framed in it");
  if (chord == ctrl_enter)
    return words("works out the cell at its crosshair or shows the chosen entry of its legend alone");
  if (chord == ctrl_shift_enter) return words("at a chosen entry of its legend shows all of them");
  if (chord == alt_enter) return words("copies the values at its crosshair");
  if (chord == escape) return words("takes its crosshair away or leaves it");
  return {};
}

figure::Point FigureView::crosshair() const {
  const figure::Rect& plot = scene_.panels[static_cast<std::size_t>(pointed_)].plot;
  return {plot.x + cursor_.across * plot.w, plot.y + cursor_.down * plot.h};
}

/// From panel to panel.
void FigureView::turn_pages(Ui& ui) {
  const int way = panels_on(ui);
  if (way == 0) return;
  pointed_ = std::clamp(pointed_ + way, 0, static_cast<int>(scene_.panels.size()) - 1);
  cursor_ = {.shown = true};
}

void FigureView::move_crosshair(Ui& ui) {
  for (const bool far : {false, true}) {
    const auto way = arrows(ui, far, false);
    if (!way) continue;
    const double length = far ? stride : step;
    // It appears where it is, and moves from then on.
    if (cursor_.shown) {
      cursor_.across = std::clamp(cursor_.across + way.across * length, 0.0, 1.0);
      cursor_.down = std::clamp(cursor_.down + way.down * length, 0.0, 1.0);
    }
    cursor_.shown = true;
    cursor_.entry = -1;
  }
}

/// Nearer and farther around the crosshair; sideways by a tenth of what is seen.
void FigureView::move_view(App& app, Ui& ui) const {
  if (const int steps = zoom_steps(ui)) turn_wheel(app, crosshair(), static_cast<float>(steps));
  const auto way = arrows(ui, false, true);
  if (!way) return;
  const figure::PanelFrame& frame = scene_.panels[static_cast<std::size_t>(pointed_)];
  const figure::Point from{frame.plot.x + frame.plot.w / 2, frame.plot.y + frame.plot.h / 2};
  const figure::Point to{from.x - way.across * stride * frame.plot.w,
                         from.y - way.down * stride * frame.plot.h};
  const Axes axes = free_axes(pointed_, from);
  show(app, pointed_, panned(frame, from, to, axes), axes);
}

/// N and Shift+N go from entry to entry; Enter is a click on it.
void FigureView::walk_legend(App& app, Ui& ui, bool pressed) {
  const auto count = static_cast<int>(scene_.legend.size());
  cursor_.entry = std::min(cursor_.entry, count - 1);
  const int way = entries_on(ui);
  if (way != 0 && count > 0) {
    const int from = cursor_.entry < 0 && way < 0 ? 0 : cursor_.entry;
    cursor_.entry = ((from + way) % count + count) % count;
    cursor_.shown = false;
  }
  if (cursor_.entry < 0) return;
  const figure::LegendBox& entry = scene_.legend[static_cast<std::size_t>(cursor_.entry)];
  const auto click = [&](LegendClick what) { click_legend(app, {entry.panel, entry.mark}, what); };
  if (pressed) click(LegendClick::hide_or_show);
  if (ui.take_press(ctrl_enter)) click(LegendClick::alone);  // the next one brings all back
  if (ui.take(ctrl_shift_enter)) click(LegendClick::all);
}

void FigureView::use_keys(App& app, Ui& ui, ImVec2 origin, bool pressed) {
  if (!ui.focus.on("figure")) cursor_ = {};
  if (!ui.focus.on("figure") || ImGui::GetIO().WantTextInput || !is_live(app) || scene_.panels.empty())
    return;
  const auto panels = std::min(scene_.panels.size(), figure().panels.size());
  pointed_ = std::clamp(pointed_, 0, static_cast<int>(panels) - 1);
  turn_pages(ui);
  move_crosshair(ui);
  move_view(app, ui);
  walk_legend(app, ui, pressed);
  if (cursor_.shown) {
    if (pressed) press_part(app, crosshair());
    if (ui.take_press(ctrl_enter)) choose_cell(app, crosshair());
    if (ui.take(alt_enter)) {
      readout_ = read_out(shown(static_cast<std::size_t>(pointed_)), crosshair());
      copy_under_crosshair(app, ui);
    }
  }
  if (cursor_.anywhere() && ui.take(escape)) cursor_ = {};
  if (ui.by_keys()) draw_keys(ui, *ImGui::GetWindowDrawList(), origin);
}

void FigureView::draw_keys(Ui& ui, ImDrawList& draw, ImVec2 origin) {
  if (cursor_.entry >= 0 && cursor_.entry < static_cast<int>(scene_.legend.size())) {
    const figure::LegendBox& entry = scene_.legend[static_cast<std::size_t>(cursor_.entry)];
    const auto at = [&](double x, double y) {
      return ImVec2(origin.x + static_cast<float>(x) * ui.scale, origin.y + static_cast<float>(y) * ui.scale);
    };
    const ImVec2 low = at(entry.box.x - 2, entry.box.y),
                 high = at(entry.box.x + entry.box.w + 2, entry.box.y + entry.box.h);
    draw.AddRect(low, high, color(ui.tokens.accent), ui.px(3), 0, ui.scale);
    ui.items.mark("region:legend", low, high);
    const MarkId mark{entry.panel, entry.mark};
    if (!key_.view.hidden.contains(mark)) lifted_ = mark;
  }
  if (!cursor_.shown) return;
  frame_region(ui, draw, origin, crosshair());
  show_readout(ui, draw, origin, crosshair());
}

}  // namespace orrery::gui
