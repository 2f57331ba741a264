// Everything that can be done to the window, in one place. Menus, shortcuts, the command palette and the sheet of keys
// are made from it; nobody else handles keys (text fields, focused controls and the figure's own gestures excepted).
//
// To add one: an entry in the table of its group (file_actions.cpp, figure_actions.cpp …). An action reaches the document
// through App::edit, and panels and the window through a wish (WindowWishes).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/chord.h"

namespace orrery::gui {

struct WindowWishes;

/// What an action can get at.
struct Reach {
  App& app;
  WindowWishes& wishes;
  bool list_fits = true;  ///< there is room for the list of studies beside the figure
};

/// The menus of the top bar, in their order.
enum class Group : std::uint8_t { file, edit, view, figure, parameters, compare, help };
std::string_view group_name(Group);
inline constexpr Group groups[] = {Group::file,       Group::edit,    Group::view, Group::figure,
                                   Group::parameters, Group::compare, Group::help};

struct Action {
  std::string_view id;     ///< "undo": in the user's key map, never translated
  std::string_view label;  ///< "Undo", in English
  Group group = Group::view;
  std::string_view keys = {};  ///< by default, a space between several: "Ctrl+Y Ctrl+Shift+Z"
  void (*run)(Reach&) = nullptr;
  /// Why it cannot be done just now; empty: it can. Without one it always can.
  std::string_view (*hindrance)(const Reach&) = nullptr;
  /// A tick stands before it while this is true.
  bool (*checked)(const Reach&) = nullptr;
  /// What the menu says behind the label: "Undo" "Base".
  std::string (*object)(const Reach&) = nullptr;
  /// Its keys mean this only while the pointer or the keyboard is on the figure. With the keyboard there the figure's own keys
  /// (figure_keys.h) come first, before this action's as before every other's.
  bool on_figure = false;
  bool apart = false;     ///< a little room stands above it in its menu
  bool anywhere = false;  ///< its keys are answered below dialogs, too
  bool by_press = false;  ///< its keys do it when they go down, not again while they are held

  std::string_view why_not(const Reach& reach) const {
    return hindrance ? hindrance(reach) : std::string_view();
  }
  bool enabled(const Reach& reach) const { return why_not(reach).empty(); }
  bool is_checked(const Reach& reach) const { return checked && checked(reach); }
};

/// All of them, group by group, in the order of the menus.
std::span<const Action> actions();
/// nullptr for an unknown id.
const Action* find_action(std::string_view id);
/// A hindrance that several share: "there is no figure yet".
std::string_view needs_figure(const Reach&);
/// Does it, or says in the status line why it cannot be done.
void perform(const Action&, Reach&);

// The tables, one for each group.
std::span<const Action> file_actions();
std::span<const Action> tray_actions();  ///< of several groups
std::span<const Action> edit_actions();
std::span<const Action> view_actions();
std::span<const Action> figure_actions();
std::span<const Action> parameter_actions();
std::span<const Action> compare_actions();
std::span<const Action> help_actions();

/// Which keys do what: the defaults, and what a person's own file says instead.
class KeyMap {
 public:
  KeyMap();
  /// Lines of `"view-back" = "Alt+Left"`; an empty text takes an action's keys away. What a line of the file takes is no
  /// longer the default of another. Returns what is wrong with it: each bad line, each key of two actions, and each that the
  /// figure takes before them while it has the keyboard; no file, no fault.
  std::vector<Complaint> read(const std::filesystem::path&);

  std::span<const Chord> keys(const Action&) const;
  /// The first of them as it is read, for menus; empty: none.
  std::string text(const Action&) const;
  /// What a key does here; nullptr: nothing.
  const Action* find(const Chord&, bool on_figure) const;

 private:
  std::map<const Action*, std::vector<Chord>> keys_;
};

/// $XDG_CONFIG_HOME/orrery/keys.toml, or below ~/.config; empty where there is neither.
std::filesystem::path key_map_file();

}  // namespace orrery::gui
