#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

constexpr std::array edit_table{
    Action{.id = "undo",
           .label = "Undo",
           .group = Group::edit,
           .keys = "Ctrl+Z",
           .run = [](Reach& r) { r.app.undo(); },
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.history().can_undo() ? "" : "nothing is left to undo";
           },
           .object = [](const Reach& r) { return std::string(r.app.history().undo_what()); }},
    Action{.id = "redo",
           .label = "Redo",
           .group = Group::edit,
           .keys = "Ctrl+Shift+Z Ctrl+Y",
           .run = [](Reach& r) { r.app.redo(); },
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.history().can_redo() ? "" : "nothing is left to redo";
           },
           .object = [](const Reach& r) { return std::string(r.app.history().redo_what()); }},
    Action{.id = "history",
           .label = "History\u2026",
           .group = Group::edit,
           .keys = "Ctrl+H",
           .run = [](Reach& r) { r.wishes.popup = Popup::history; },
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.history().can_undo() || r.app.history().can_redo()
                        ? ""
                        : "no step can be undone or redone";
           }},
    Action{.id = "palette",
           .label = "Find anything\u2026",
           .group = Group::edit,
           .keys = "Ctrl+P Ctrl+Shift+P",
           .run = [](Reach& r) { r.wishes.popup = Popup::palette; },
           .apart = true},
    Action{.id = "search",
           .label = "Search the studies",
           .group = Group::edit,
           .keys = "Ctrl+F",
           .run = [](Reach& r) { r.wishes.search = true; }},
};

}  // namespace

std::span<const Action> edit_actions() {
  return edit_table;
}

}  // namespace orrery::gui
