#include <array>

#include "app/gui/actions.h"
#include "app/gui/pinned.h"

namespace orrery::gui {
namespace {

std::string_view needs_pin(const Reach& r) {
  return r.app.document().pinned ? "" : "nothing is pinned";
}
/// Figures of different studies have nothing to lay over each other.
bool is_of_another_study(const Reach& r) {
  const auto& a = r.app.document().pinned;
  return a && a->study != &r.app.study();
}
std::string_view needs_one_study(const Reach& r) {
  return is_of_another_study(r) ? "A is of another study" : needs_pin(r);
}
std::string_view needs_fast_device(const Reach& r) {
  return r.app.device() == study::DeviceChoice::ref ? "this is the reference" : needs_figure(r);
}

template <figure::CompareMode mode>
void show_as(Reach& r) {
  show_together(r.app, mode);
}
template <figure::CompareMode mode>
bool is_shown_as(const Reach& r) {
  const figure::CompareMode shown =
      is_of_another_study(r) ? figure::CompareMode::side_by_side : r.app.document().together;
  return r.app.document().pinned && shown == mode;
}

constexpr std::array compare_table{
    Action{.id = "pin",
           .label = "Pin as A",
           .group = Group::compare,
           .keys = "Ctrl+D",
           .run = [](Reach& r) { pin(r.app); },
           .hindrance = needs_figure},
    Action{.id = "unpin",
           .label = "Unpin",
           .group = Group::compare,
           .keys = "Ctrl+Shift+D",
           .run = [](Reach& r) { unpin(r.app); },
           .hindrance = needs_pin},
    Action{.id = "swap-sides",
           .label = "Swap A and B",
           .group = Group::compare,
           .keys = "Ctrl+Alt+D",
           .run = [](Reach& r) { swap_sides(r.app); },
           .hindrance = needs_pin},
    Action{.id = "return-to-pinned",
           .label = "Back to the settings of A",
           .group = Group::compare,
           .run = [](Reach& r) { return_to_pinned(r.app); },
           .hindrance = needs_pin},
    Action{.id = "compare-side-by-side",
           .label = "Side by side",
           .group = Group::compare,
           .run = show_as<figure::CompareMode::side_by_side>,
           .hindrance = needs_pin,
           .checked = is_shown_as<figure::CompareMode::side_by_side>,
           .apart = true},
    Action{.id = "compare-overlay",
           .label = "Overlay",
           .group = Group::compare,
           .run = show_as<figure::CompareMode::overlay>,
           .hindrance = needs_one_study,
           .checked = is_shown_as<figure::CompareMode::overlay>},
    Action{.id = "compare-difference",
           .label = "Difference",
           .group = Group::compare,
           .run = show_as<figure::CompareMode::difference>,
           .hindrance = needs_one_study,
           .checked = is_shown_as<figure::CompareMode::difference>},
    Action{.id = "compare-with-reference",
           .label = "Against the reference",
           .group = Group::compare,
           .run = [](Reach& r) { compare_with_reference(r.app); },
           .hindrance = needs_fast_device,
           .apart = true},
};

}  // namespace

std::span<const Action> compare_actions() {
  return compare_table;
}

}  // namespace orrery::gui
