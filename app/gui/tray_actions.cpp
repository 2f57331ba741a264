#include <array>

#include "app/gui/actions.h"
#include "app/gui/panels.h"
#include "app/gui/tray.h"

namespace orrery::gui {
namespace {

std::string_view needs_collected(const Reach& r) {
  return collected(r.app.document().tray).empty() ? "nothing was collected yet" : "";
}

std::string_view needs_changed(const Reach& r) {
  if (!opened_collected(r.app)) return "no figure of the tray is open";
  return opened_changed(r.app) ? needs_figure(r) : "the open figure of the tray is what is shown";
}

constexpr std::array tray_table{
    Action{.id = "collect",
           .label = "Collect",
           .group = Group::figure,
           .keys = "Ctrl+T",
           .run = [](Reach& r) { collect(r.app); },
           .hindrance = needs_figure,
           .apart = true},
    Action{.id = "tray-replace",
           .label = "Replace in the tray with what is shown",
           .group = Group::figure,
           .run = [](Reach& r) { replace_collected(r.app, *opened_collected(r.app)); },
           .hindrance = needs_changed},
    Action{.id = "tray",
           .label = "Tray",
           .group = Group::view,
           .keys = "Ctrl+Shift+T",
           .run =
               [](Reach& r) {
                 r.app.edit("Tray", {}, [](Document& d) { d.panes.tray_shown = !d.panes.tray_shown; });
               },
           .checked = [](const Reach& r) { return r.app.document().panes.tray_shown; },
           .apart = true},
    Action{.id = "tray-save",
           .label = "Save the tray\u2026",
           .group = Group::file,
           .keys = "Ctrl+Shift+S",
           .run = [](Reach& r) { r.wishes.popup = Popup::tray_save; },
           .hindrance = needs_collected,
           .apart = true},
    Action{.id = "tray-export",
           .label = "Export all of the tray\u2026",
           .group = Group::file,
           .keys = "Ctrl+Shift+E",
           .run = [](Reach& r) { r.wishes.popup = Popup::tray_export; },
           .hindrance = needs_collected},
    Action{.id = "export-cancel",
           .label = "Stop the export",
           .group = Group::file,
           .run = [](Reach& r) { r.app.cancel_export(); },
           .hindrance = [](const Reach& r) -> std::string_view {
             return r.app.exporting().running() ? "" : "nothing is being written";
           }},
    Action{.id = "fresh",
           .label = "Start afresh",
           .group = Group::file,
           .run = [](Reach& r) { r.app.start_afresh(); }},
};

}  // namespace

std::span<const Action> tray_actions() {
  return tray_table;
}

}  // namespace orrery::gui
