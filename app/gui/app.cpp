#include "app/gui/app.h"

#include "app/figure/counterparts.h"
#include "app/gui/tray.h"
#include "app/gui/typed_path.h"
#include "app/recipe/recipe.h"
#include "app/study/tensor_file.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

void show_recipe(const recipe::Recipe& recipe, Document& d) {
  d.live = {recipe.study, recipe.settings, recipe.device};
  d.view = recipe.view;
  d.pinned.reset();
  if (const auto& way = recipe.animation) {
    Motion& motion = d.motions[std::string(recipe.study->id) + "." + way->parameter];
    motion = {.speed = motion.speed, .loop = way->loop, .from = way->from, .to = way->to};
  }
  if (!recipe.compare) return;
  d.pinned = Side{recipe.compare->study, recipe.compare->settings, recipe.compare->device};
  d.together = recipe.compare->mode;
}

}  // namespace

App::App(std::function<void()> wake) : thumbnails(wake), wake_(wake), exporting_(wake), computing_(wake) {
  start_with(*study::studies().front());
}

/// The document is another one from now on: what belonged to the old one goes.
void App::become(Document to) {
  if (to.live.study != document_.live.study) {
    left_[document_.live.study] = document_.live.settings;
    playing_.dismiss();
    page.name.clear();
    exporting_.comes_from({});
  } else if (!(to.live.settings == document_.live.settings)) {
    playing_.stop();  // it would go on from its own place, over the numbers that came
  }
  // Settings that came with what is hidden at them have it hidden by their own figure's marks.
  if (!(to.live == document_.live) && to.view.hidden != document_.view.hidden) marks_of_.reset();
  document_ = std::move(to);
  refused_ = {};
}

void App::edit(std::string_view what, std::string_view gesture,
               const std::function<void(Document&)>& change) {
  Document changed = document_;
  change(changed);
  if (changed == document_) return;
  history_.record(document_, what, gesture);
  become(std::move(changed));
}

void App::show(const figure::View& view, std::string_view gesture) {
  edit("View", gesture, [&](Document& d) { d.view = view; });
}

void App::set_device(study::DeviceChoice device) {
  edit("Device", {}, [&](Document& d) { d.live.device = device; });
}

void App::refuse(std::string_view name, const std::exception& error) {
  refused_ = {std::string(name), complaint_of(error)};
  say(error);
}

void App::take_back() {
  const bool said = !refused_.complaint.empty() && notice_.complaint == refused_.complaint;
  if (said) hush();
  refused_ = {};
}

void App::start_with(const study::Study& study) {
  document_.live = {&study, parameter::Settings(study.parameters), document_.live.device};
}

void App::open(const study::Study& study) {
  if (&study == document_.live.study) return;
  const auto left = left_.find(&study);
  edit(study.title, {}, [&](Document& d) {
    d.live.study = &study;
    d.live.settings = left != left_.end() ? left->second : parameter::Settings(study.parameters);
    d.view = {};
  });
  hush();
}

void App::open_recipe(const recipe::Recipe& recipe, std::string_view what,
                      const std::function<void(Document&)>& change) {
  edit(what, {}, [&](Document& d) {
    show_recipe(recipe, d);
    d.presets.erase(std::string(recipe.study->id));  // it has numbers of its own, whoever they came from
    d.opened.reset();
    if (change) change(d);
  });
  exporting_.comes_from({});
  if (recipe.animation) playing_.show(declared(recipe.animation->parameter));
  take_page(recipe, page);
}

bool App::shows(const recipe::Recipe& recipe) const {
  Document opened = document_;
  show_recipe(recipe, opened);
  ExportPage taken = page;
  take_page(recipe, taken);
  // What is not read, and what is only written in another way.
  if (!taken.title) taken.own_title = page.own_title;
  if (recipe.size == recipe_size(page)) taken.size = page.size;
  return opened == document_ && taken == page;
}

void App::open_neighbour(int step) {
  const auto all = study::studies();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != document_.live.study) continue;
    const auto to = static_cast<std::ptrdiff_t>(i) + step;
    if (to >= 0 && to < static_cast<std::ptrdiff_t>(all.size())) open(*all[static_cast<std::size_t>(to)]);
    return;
  }
}

const parameter::Parameter* App::declared(std::string_view name) const {
  for (const parameter::Parameter& p : document_.live.study->parameters)
    if (p.name == name) return &p;
  return nullptr;
}

bool App::change(std::string_view name, const parameter::Value& value, std::string_view gesture) {
  parameter::Settings changed = settings();
  try {
    changed.set(name, value);
  } catch (const std::exception& error) {
    refuse(name, error);
    return false;
  }
  refused_ = {};
  stand_still(gesture);
  if (changed == settings()) return true;
  edit(declared(name)->label, gesture, [&](Document& d) { d.live.settings = changed; });
  return true;
}

/// A hand on a parameter stops what plays, and says how it goes on.
void App::stand_still(std::string_view gesture) {
  if (playing_.now()) {
    stilled_by_ = gesture;
    say(Notice::Kind::done, "it stands still now; Space lets it run on");
  } else if (gesture.empty() || gesture != stilled_by_) {
    hush();
  }
  playing_.stop();
}

bool App::change_text(std::string_view name, std::string_view text) {
  const parameter::Parameter* p = declared(name);
  if (!p) return false;
  try {
    const std::string path = p->kind == parameter::Kind::file ? typed_path(text) : std::string();
    return change(name, parameter::parse(*p, p->kind == parameter::Kind::file ? path : text));
  } catch (const std::exception& error) {
    refuse(name, error);
    return false;
  }
}

void App::reset(std::string_view name) {
  if (const parameter::Parameter* p = declared(name)) change_text(name, p->fallback);
}

Complaint App::complaint(const parameter::Parameter& p) const {
  const auto beside = [&](const Complaint& all) {
    return all.begins_with(Subject::Kind::parameter, p.name) ? all.inner() : all;
  };
  if (refused_.name == p.name) return beside(refused_.complaint);
  if (error().begins_with(Subject::Kind::parameter, p.name)) return error().inner();
  if (p.kind != parameter::Kind::file || error().subject().empty()) return {};
  // What a file holds is said where the file was named; a tensor of it behind a #.
  const std::string path = settings().text(p.name), file = study::file_of(path).string();
  for (const std::string& each : {path, file})
    if (!each.empty() && error().begins_with(Subject::Kind::file, each)) return error().inner();
  return {};
}

bool App::undo() {
  if (!history_.can_undo()) return false;
  playing_.stop();
  become(history_.undo(document_));
  return true;
}

bool App::redo() {
  if (!history_.can_redo()) return false;
  playing_.stop();
  become(history_.redo(document_));
  return true;
}

void App::toggle_play(const parameter::Parameter& p) {
  playing_.toggle(p, document_.live.settings.value(p.name));
}

void App::toggle_play() {
  if (playing()) return playing_.stop();
  if (moving()) return toggle_play(*moving());
  for (const parameter::Parameter& p : document_.live.study->parameters)
    if (p.plays) return toggle_play(p);
}

void App::reduce_motion(bool on) {
  preferences.reduced_motion = on;
  if (on) playing_.stop();
}

/// One step of undo for all the way that it plays.
void App::play(const parameter::Value& value) {
  const parameter::Parameter& p = *playing_.now();
  if (document_.live.settings.value(p.name) == value) return;
  if (playing_.begins_a_step()) history_.record(document_, "Play " + std::string(p.label), {});
  document_.live.settings.set(p.name, value);
}

Session App::session() const {
  return {.document = document_, .left = left_, .preferences = preferences, .page = page, .recent = recent_};
}

void App::restore(const Session& session, bool as_edit) {
  preferences = session.preferences;
  page = session.page;
  recent_ = session.recent;
  if (!session.document.live.study) {
    document_.panes = session.document.panes;
    left_ = session.left;
    return;
  }
  if (as_edit)
    edit("Restore the last session", {}, [&](Document& d) { d = session.document; });
  else
    document_ = session.document, marks_of_.reset();
  // Kept, though the study is another now: the one that was here a moment before has nothing to remember.
  page.name = session.page.name;
  left_ = session.left;
}

void App::restore_beside(const Session& other) {
  edit("Restore a window", {}, [&](Document& d) {
    const Tray here = d.tray;
    d = other.document;
    if (!here || here->empty()) return;
    std::vector<Collected> both = d.tray ? *d.tray : std::vector<Collected>();
    both.insert(both.end(), here->begin(), here->end());
    d.tray = std::make_shared<const std::vector<Collected>>(std::move(both));
  });
  for (const auto& [study, settings] : other.left) {
    const auto mine = left_.find(study);
    if (mine == left_.end() || mine->second == parameter::Settings(study->parameters))
      left_[study] = settings;
  }
}

void App::start_afresh() {
  edit("Start afresh", {}, [](Document& d) {
    d = {};
    const study::Study& first = *study::studies().front();
    d.live = {&first, parameter::Settings(first.parameters)};
  });
  say(Notice::Kind::done, "a fresh start; undo brings back what was here");
}

void App::remember_file(const std::filesystem::path& file) {
  constexpr std::size_t most = 40;
  const std::filesystem::path whole = whole_path(file);
  std::erase(recent_, whole.string());
  recent_.insert(recent_.begin(), whole.string());
  if (recent_.size() > most) recent_.resize(most);
}

void App::cancel() {
  if (!computing_.cancel()) return;
  playing_.stop();
  say(Notice::Kind::done, !result() ? "stopped: there is no figure yet"
                          : computing_.live()->partial
                              ? "stopped: the figure shows a part of what was asked for"
                              : "stopped: the figure is of the settings before");
}

void App::update(double seconds) {
  inquiry_.poll();
  if (const auto ended = exporting_.take()) report(*ended);
  // What plays waits for its figure: a slow study plays slowly, it does not skip.
  if (playing() && !busy()) {
    play(playing_.advance(seconds, motion(*playing()), preferences.reduced_motion));
    playing_.stop_at_the_end();
  }
  computing_.look(seconds, device());
  if (computing_.ask(document_.live))
    say(Notice::Kind::done,
        "what was paused is left; when you are back it waits, and begins again from what it kept");
  if (const Computing::Outcome news = computing_.news()) take_outcome(news);
  computing_.put_together(document_.pinned, document_.together, study(), seconds);
  carry_hidden();
}

/// Marks are hidden by their place in a figure: in the next one the same series are hidden, wherever they stand.
void App::carry_hidden() {
  const recipe::Outcome* result = this->result();
  if (!result || shown() == marks_of_) return;
  if (!marks_of_ && !(result->settings == document_.live.settings)) return;  // the one before, for a moment
  if (marks_of_ && marks_of_->study == result->study)
    document_.view.hidden =
        figure::carried(document_.view.hidden, marks_of_->result.figure, result->result.figure);
  marks_of_ = shown();
}

void App::take_outcome(const Computing::Outcome& news) {
  if (news->study != document_.live.study) return;
  computing_.take(news);
  // What was measured stands in the settings from now on: nothing measures it again, the next start neither. Undo goes back
  // to before it was asked for.
  if (!news->result.keeps.empty() && news->settings == document_.live.settings)
    document_.live.settings = news->lasting_settings();
  if (!try_chance_again(*news) && !error().empty()) playing_.stop();
}

bool App::in_part() const {
  return result() && computing_.in_part();
}

std::shared_ptr<const recipe::Outcome> App::pictured() const {
  if (result()) return shown();
  return awaits_figure() && !stale() ? shown() : nullptr;
}

const recipe::Outcome* App::result() const {
  return shown() && shown()->study == document_.live.study ? shown().get() : nullptr;
}

}  // namespace orrery::gui
