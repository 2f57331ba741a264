// What is done to several parameters at once, and how they run by themselves.
#include <algorithm>
#include <sstream>

#include "app/gui/app.h"

namespace orrery::gui {

using parameter::Parameter;
using parameter::Settings;

std::string App::key(const Parameter& p) const {
  return std::string(study().id) + "." + std::string(p.name);
}

bool App::locked(const Parameter& p) const {
  return document_.locked.contains(key(p));
}

void App::lock(const Parameter& p, bool on) {
  edit(on ? "Lock" : "Unlock", {}, [&](Document& d) {
    if (on)
      d.locked.insert(key(p));
    else
      d.locked.erase(key(p));
  });
}

bool App::change_component(const Parameter& p, std::size_t i, std::string_view text) {
  Parameter alone = p;
  alone.kind = parameter::Kind::real;
  std::vector<double> components = settings().vector(p.name);
  try {
    components.at(i) = std::get<double>(parameter::parse(alone, text));
  } catch (const std::exception& error) {
    refuse(p.name, error);
    return false;
  }
  return change(p.name, components);
}

/// Of the study's own, by their names.
std::set<std::string> App::locked_names() const {
  std::set<std::string> names;
  for (const Parameter& p : study().parameters)
    if (locked(p)) names.insert(std::string(p.name));
  return names;
}

/// The whole set at once, as a step of its own.
void App::become_by_step(std::string_view what, Settings changed) {
  player_.stop();
  refused_ = {};
  chance_.tries = 0;
  if (changed == settings()) return;
  edit(what, {}, [&](Document& d) { d.live.settings = std::move(changed); });
  notice = {};
}

void App::try_out(const study::Try& suggestion) {
  Settings changed = settings();
  const std::set<std::string> kept = locked_names();
  try {
    std::istringstream words{std::string(suggestion.changes)};
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      if (!kept.contains(name)) changed.set(name, equals == word.npos ? "" : word.substr(equals + 1));
    }
  } catch (const std::exception& error) {
    notice = {Notice::Kind::error, error.what()};
    return;
  }
  become_by_step("Try", std::move(changed));
}

void App::reset_all() {
  Settings changed = settings();
  for (const Parameter& p : study().parameters)
    if (!locked(p)) changed.set(p.name, p.fallback);
  become_by_step("Reset all", std::move(changed));
}

void App::apply(const study::Preset& preset) {
  try {
    become_by_step(preset.name, study::with_preset(settings(), preset, locked_names()));
  } catch (const std::exception& error) {
    notice = {Notice::Kind::error, error.what()};
  }
}

void App::randomise() {
  const Settings before = settings();
  become_by_step("Randomise", by_chance(before, locked_names(), ++chance_.number));
  chance_.tries = 1;
  chance_.before = before;
  chance_.drawn = settings();
}

/// The dice again, where the study has just refused what they gave: still the same step of undo. After the last try all is
/// as it was before.
bool App::try_chance_again() {
  const bool mine = chance_.tries > 0 && seen_->settings == chance_.drawn && settings() == chance_.drawn;
  if (!mine || error_.empty()) {
    if (mine || settings() != chance_.drawn) chance_.tries = 0;
    return false;
  }
  if (chance_.tries == Chance::most_tries) {
    chance_.tries = 0;
    notice = {Notice::Kind::error, "by chance: none of " + std::to_string(Chance::most_tries) +
                                       " draws was accepted; the last said " + error_};
    error_.clear();
    if (history_.can_undo()) undo();
    return true;
  }
  ++chance_.tries;
  document_.live.settings = chance_.drawn = by_chance(chance_.before, locked_names(), ++chance_.number);
  return true;
}

void App::dismiss_motion() {
  player_.stop();
  moving_ = nullptr;
}

Motion App::motion(const Parameter& p) const {
  const auto found = document_.motions.find(key(p));
  return found == document_.motions.end() ? Motion{} : found->second;
}

void App::set_motion(const Parameter& p, const Motion& motion, std::string_view gesture) {
  edit("Motion", gesture, [&](Document& d) {
    if (motion == Motion{})
      d.motions.erase(key(p));
    else
      d.motions[key(p)] = motion;
  });
}

}  // namespace orrery::gui
