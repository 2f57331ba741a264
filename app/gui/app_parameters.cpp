// What is done to several parameters at once, and how they run by themselves.

#include "app/gui/app.h"
#include "app/gui/slider_scale.h"
#include "app/study/changes.h"
#include "core/tensor/complaint_words.h"

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
  const parameter::Value& now = settings().value(p.name);
  std::vector<double> components = entries_of(now);
  try {
    components.at(i) = std::get<double>(parameter::parse(alone, text));
  } catch (const std::exception& error) {
    refuse(p.name, error);
    return false;
  }
  return change(p.name, with_entries(now, std::move(components)));
}

/// Of the study's own, by their names.
std::set<std::string> App::locked_names() const {
  std::set<std::string> names;
  for (const Parameter& p : study().parameters)
    if (locked(p)) names.insert(std::string(p.name));
  return names;
}

/// The whole set at once, as a step of its own; with it, the preset that it is called by: "" is none.
void App::become_by_step(std::string_view what, Settings changed, const std::optional<std::string>& preset) {
  playing_.stop();
  refused_ = {};
  chance_.tries = 0;
  const Document before = document_;
  edit(what, {}, [&](Document& d) {
    d.live.settings = std::move(changed);
    if (!preset) return;
    d.presets.erase(std::string(study().id));
    if (!preset->empty()) d.presets[std::string(study().id)] = *preset;
  });
  if (!(document_ == before)) hush();
}

Settings App::tried(const study::Try& suggestion) const {
  Settings changed = study::changed(settings(), suggestion.changes);
  for (const std::string& name : locked_names()) changed.set(name, settings().value(name));
  return changed;
}

void App::try_out(const study::Try& suggestion) {
  try {
    Tried now{&suggestion, settings(), tried(suggestion)};
    become_by_step("Try", now.after);
    tried_ = std::move(now);
  } catch (const std::exception& error) {
    say(error);
  }
}

const App::Tried* App::just_tried() const {
  const bool now = tried_ && tried_->after.declared().data() == settings().declared().data() &&
                   tried_->after == settings() && tried_->before != tried_->after;
  return now ? &*tried_ : nullptr;
}

void App::untry() {
  if (!just_tried()) return;
  become_by_step("Try", tried_->before);
  tried_.reset();
}

void App::reset_all() {
  Settings changed = settings();
  for (const Parameter& p : study().parameters)
    if (!locked(p)) changed.set(p.name, p.fallback);
  become_by_step("Reset all parameters", std::move(changed), "");
}

std::string App::applied_preset() const {
  const auto found = document_.presets.find(std::string(study().id));
  return found == document_.presets.end() ? std::string() : found->second;
}

void App::apply(const recipe::Preset& preset) {
  try {
    become_by_step(preset.title, recipe::with_preset(settings(), preset, locked_names()), preset.name);
  } catch (const std::exception& error) {
    say(error);
  }
}

void App::randomise() {
  const Settings before = settings();
  become_by_step("Values by chance", by_chance(before, locked_names(), ++chance_.number));
  chance_.tries = 1;
  chance_.before = before;
  chance_.drawn = settings();
}

/// The dice again, where the study has just refused what they gave: still the same step of undo. After the last try all is
/// as it was before.
bool App::try_chance_again(const recipe::Outcome& news) {
  const bool mine = chance_.tries > 0 && news.settings == chance_.drawn && settings() == chance_.drawn;
  if (!mine || news.error.empty()) {
    if (mine || settings() != chance_.drawn) chance_.tries = 0;
    return false;
  }
  if (chance_.tries == Chance::most_tries) {
    chance_.tries = 0;
    say(about(words("by chance"))
            .fault("none of {} draws was accepted", Chance::most_tries)
            .led_by("; the last said ")
            .allowed(sentence(news.error)));
    computing_.forgive();
    if (history_.can_undo()) undo();
    return true;
  }
  ++chance_.tries;
  document_.live.settings = chance_.drawn = by_chance(chance_.before, locked_names(), ++chance_.number);
  return true;
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
