#include "app/gui/leaving.h"

#include "app/gui/app.h"

namespace orrery::gui {
namespace {

void say_so(App& app) {
  app.say(Notice::Kind::none, "this window closes when everything is written; close it again to leave that");
}

}  // namespace

void Leaving::ask(App& app) {
  state_ = waits() || !app.exporting().running() ? State::gone : State::waits;
  if (waits()) say_so(app);
}

void Leaving::update(App& app) {
  if (!waits()) return;
  if (!app.exporting().running())
    state_ = app.export_failed() ? State::stays : State::gone;
  else if (app.notice().text.empty())
    say_so(app);
}

}  // namespace orrery::gui
