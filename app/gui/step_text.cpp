#include "app/gui/step_text.h"

#include <array>
#include <optional>
#include <vector>

#include "app/gui/changes_text.h"
#include "app/gui/number_text.h"
#include "app/recipe/comparison.h"
#include "app/study/device_names.h"

namespace orrery::gui {
namespace {

std::string mode_text(const Ui& ui, figure::CompareMode mode) {
  const std::array names{ui.say("Side by side"), ui.say("Overlay"), ui.say("Difference")};
  return names[static_cast<std::size_t>(mode)];
}

/// "x 2 … 8, y 0 … 1": the ranges of the first panel that shows other ones now.
std::string view_text(const figure::View& before, const figure::View& after) {
  std::string text;
  const auto say = [&](const char* axis, const std::optional<figure::Range>& old,
                       const std::optional<figure::Range>& now) {
    if (!now || old == now) return;
    text += (text.empty() ? "" : ", ") + std::string(axis) + " " + number_text(now->lo, 3) + " \u2026 " +
            number_text(now->hi, 3);
  };
  for (std::size_t i = 0; i < after.panels.size() && text.empty(); ++i) {
    const figure::View::PanelView& now = after.panels[i];
    const auto old = i < before.panels.size() ? before.panels[i] : figure::View::PanelView{};
    say("x", old.x, now.x);
    say("y", old.y, now.y);
  }
  return text;
}

/// Of a step that is named after the one parameter that it changed, the name is not said twice.
std::string settings_text(const Ui& ui, const study::Study& study, std::string_view what,
                          const parameter::Settings& from, const parameter::Settings& to) {
  const std::vector<const parameter::Parameter*> changed = recipe::differing(from, to);
  if (changed.size() == 1 && what.ends_with(changed.front()->label))
    return ui.say(what) + " " + change_text(ui, study, *changed.front(), from, to);
  return ui.say(what) + ": " + changes_text(ui, study, from, to);
}

}  // namespace

std::string step_text(const Ui& ui, std::string_view what, const Document& before, const Document& after) {
  const Side &from = before.live, &to = after.live;
  if (from.study != to.study) return ui.say(what);
  if (from.settings != to.settings) return settings_text(ui, *to.study, what, from.settings, to.settings);
  const auto changed = [&](const std::string& old, const std::string& now) {
    return ui.say(what) + " " + old + " \u2192 " + now;
  };
  if (from.device != to.device)
    return changed(std::string(study::device_name(from.device)), std::string(study::device_name(to.device)));
  if (before.together != after.together)
    return changed(mode_text(ui, before.together), mode_text(ui, after.together));
  const std::string seen = view_text(before.view, after.view);
  return seen.empty() ? ui.say(what) : ui.say(what) + " " + seen;
}

}  // namespace orrery::gui
