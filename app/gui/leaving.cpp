#include "app/gui/leaving.h"

#include "app/gui/app.h"

namespace orrery::gui {
namespace {

void say_so(App& app) {
  app.say(Notice::Kind::none, "this window closes when all is written, or if closed again");
}

bool writes(const App& app) {
  return app.exporting().running() || app.errands.running();
}

}  // namespace

void Leaving::ask(App& app, double now) {
  if (!writes(app)) {
    state_ = State::gone;
  } else if (!waits()) {
    state_ = State::waits;
    exports_ = app.exporting().running();
    runs_errands_ = app.errands.running();
    asked_ = now;
    say_so(app);
  } else if (now - asked_ >= double_click) {
    state_ = State::gone;
  }
}

void Leaving::update(App& app) {
  if (!waits()) return;
  exports_ = exports_ || app.exporting().running();
  runs_errands_ = runs_errands_ || app.errands.running();
  if (!writes(app))
    state_ = (exports_ && app.export_left_undone()) || (runs_errands_ && app.errands.left_undone())
                 ? State::stays
                 : State::gone;
  else if (app.notice().text.empty())
    say_so(app);
}

}  // namespace orrery::gui
