#include <array>
#include <string>

#include "app/gui/actions.h"
#include "app/gui/panels.h"
#include "app/gui/speech.h"

namespace orrery::gui {
namespace {

template <study::DeviceChoice device>
void compute_on(Reach& r) {
  r.app.set_device(device);
}

template <study::DeviceChoice device>
bool computes_on(const Reach& r) {
  return r.app.device() == device;
}

using enum study::DeviceChoice;

template <int percent>
void show_at(Reach& r) {
  r.app.preferences.zoom = percent / 100.0;
}

template <int percent>
bool shown_at(const Reach& r) {
  return r.app.preferences.zoom == percent / 100.0;
}

/// For those who cannot read the word before it; those who have no font for it get no boxes, and in Chinese it is that word.
std::string own_name_of_chinese(const Reach& r) {
  const language::Language chinese = language::Language::zh;
  const bool needed = r.app.preferences.language != language::code(chinese) && why_not_shown(chinese).empty();
  return needed ? std::string(language::own_name(chinese)) : std::string();
}

constexpr std::array view_table{
    Action{.id = "study-before",
           .label = "The study before",
           .group = Group::view,
           .keys = "Up",
           .run = [](Reach& r) { r.app.open_neighbour(-1); }},
    Action{.id = "study-after",
           .label = "The study after",
           .group = Group::view,
           .keys = "Down",
           .run = [](Reach& r) { r.app.open_neighbour(1); }},
    Action{.id = "list",
           .label = "The studies",
           .group = Group::view,
           .keys = "Ctrl+B",
           .run = [](Reach& r) { r.wishes.toggle_list = true; },
           .checked = [](const Reach& r) { return r.list_fits && r.app.document().panes.list_shown; },
           .apart = true},
    Action{.id = "inspector",
           .label = "Parameters and notes",
           .group = Group::view,
           .keys = "Ctrl+I",
           .run = [](Reach& r) { r.wishes.toggle_inspector = true; },
           .checked = [](const Reach& r) { return r.app.document().panes.inspector_shown; }},
    Action{.id = "next-pane",
           .label = "To the next pane",
           .group = Group::view,
           .keys = "F6",
           .run = [](Reach& r) { r.wishes.pane_steps = 1; }},
    Action{.id = "pane-before",
           .label = "To the pane before",
           .group = Group::view,
           .keys = "Shift+F6",
           .run = [](Reach& r) { r.wishes.pane_steps = -1; }},
    Action{.id = "device-cpu",
           .label = "Compute on the processor",
           .group = Group::view,
           .run = compute_on<cpu>,
           .checked = computes_on<cpu>,
           .apart = true},
    Action{.id = "device-gpu",
           .label = "Compute on the graphics processor",
           .group = Group::view,
           .run = compute_on<gpu>,
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.gpu.available ? "" : "there is no graphics processor to compute on";
           },
           .checked = computes_on<gpu>},
    Action{.id = "device-ref",
           .label = "Compute by the reference in double",
           .group = Group::view,
           .run = compute_on<ref>,
           .checked = computes_on<ref>},
    Action{.id = "compute-again",
           .label = "Compute again",
           .group = Group::view,
           .keys = "F5",
           .run = [](Reach& r) { r.app.compute_again(); },
           .apart = true},
    Action{.id = "pause-computing",
           .label = "Pause computing",
           .group = Group::view,
           .keys = "Ctrl+Shift+.",
           .run = [](Reach& r) { r.app.pause(!r.app.paused()); },
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.can_rest() ? "" : "nothing is being computed";
           },
           .checked = [](const Reach& r) { return r.app.paused(); }},
    Action{.id = "stop-computing",
           .label = "Stop computing",
           .group = Group::view,
           .keys = "Ctrl+.",
           .run = [](Reach& r) { r.app.cancel(); },
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.busy() ? "" : "nothing is being computed";
           }},
    Action{.id = "theme-dark",
           .label = "Dark",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.theme = "dark"; },
           .checked = [](const Reach& r) { return r.app.preferences.theme != "light"; },
           .apart = true},
    Action{.id = "theme-light",
           .label = "Light",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.theme = "light"; },
           .checked = [](const Reach& r) { return r.app.preferences.theme == "light"; }},
    Action{.id = "high-contrast",
           .label = "High contrast",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.high_contrast = !r.app.preferences.high_contrast; },
           .checked = [](const Reach& r) { return r.app.preferences.high_contrast; }},
    Action{.id = "reduced-motion",
           .label = "Reduced motion",
           .group = Group::view,
           .run = [](Reach& r) { r.app.reduce_motion(!r.app.preferences.reduced_motion); },
           .checked = [](const Reach& r) { return r.app.preferences.reduced_motion; }},
    Action{.id = "language-en",
           .label = "English",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.language = "en"; },
           .checked = [](const Reach& r) { return r.app.preferences.language == "en"; },
           .apart = true},
    Action{.id = "language-zh",
           .label = "Chinese",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.language = "zh"; },
           .hindrance = [](const Reach&) { return why_not_shown(language::Language::zh); },
           .checked = [](const Reach& r) { return r.app.preferences.language == "zh"; },
           .object = own_name_of_chinese},
    Action{.id = "larger",
           .label = "Larger",
           .group = Group::view,
           .keys = "Ctrl++ Ctrl+=",
           .run = [](Reach& r) { ++r.wishes.zoom_steps; },
           .apart = true},
    Action{.id = "smaller",
           .label = "Smaller",
           .group = Group::view,
           .keys = "Ctrl+-",
           .run = [](Reach& r) { --r.wishes.zoom_steps; }},
    Action{.id = "natural-size",
           .label = "As large as the display asks",
           .group = Group::view,
           .keys = "Ctrl+0",
           .run = [](Reach& r) { r.wishes.zoom_reset = true; },
           .checked = shown_at<100>,
           .object = [](const Reach&) { return std::string("100 %"); }},
    Action{.id = "size-125",
           .label = "125 %",
           .group = Group::view,
           .run = show_at<125>,
           .checked = shown_at<125>},
    Action{.id = "size-150",
           .label = "150 %",
           .group = Group::view,
           .run = show_at<150>,
           .checked = shown_at<150>},
    Action{.id = "size-200",
           .label = "200 %",
           .group = Group::view,
           .run = show_at<200>,
           .checked = shown_at<200>},
    Action{.id = "size-300",
           .label = "300 %",
           .group = Group::view,
           .run = show_at<300>,
           .checked = shown_at<300>},
};

}  // namespace

std::span<const Action> view_actions() {
  return view_table;
}

}  // namespace orrery::gui
