#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"
#include "app/gui/speech.h"

namespace orrery::gui {
namespace {

constexpr std::array table{
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
    Action{.id = "language-en",
           .label = "English",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.language = "en"; },
           .checked = [](const Reach& r) { return r.app.preferences.language == "en"; },
           .apart = true},
    Action{.id = "language-zh",
           .label = "\u4E2D\u6587",
           .group = Group::view,
           .run = [](Reach& r) { r.app.preferences.language = "zh"; },
           .hindrance = [](const Reach&) { return why_not_shown(language::Language::zh); },
           .checked = [](const Reach& r) { return r.app.preferences.language == "zh"; }},
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
           .run = [](Reach& r) { r.wishes.zoom_reset = true; }},
};

}  // namespace

std::span<const Action> view_actions() {
  return table;
}

}  // namespace orrery::gui
