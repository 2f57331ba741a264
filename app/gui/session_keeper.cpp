#include "app/gui/session_keeper.h"

#include <algorithm>
#include <limits>

#include "app/gui/typed_path.h"

namespace orrery::gui {
namespace {

Session session_of(const App& app, int width, int height) {
  Session session = app.session();
  session.width = width;
  session.height = height;
  return session;
}

}  // namespace

SessionKeeper::SessionKeeper(const std::filesystem::path& file, std::function<void()> wake) {
  if (file.empty()) return;
  marker_.emplace(file.parent_path());
  if (marker_->before() == Before::crashed_again) {
    notice_ = {Notice::Kind::error, "the last session ended the program twice: it is kept as " +
                                        shown_path(keep_aside(file)) + ", and this is a fresh start"};
  } else {
    ReadSession read = read_session(file);
    found_ = std::move(read.session);
    as_edit_ = marker_->before() == Before::crashed && found_.document.live.study;
    if (as_edit_) notice_ = {Notice::Kind::done, "restored after an unexpected end; Ctrl+Z starts afresh"};
    if (!read.fault.empty()) notice_ = {Notice::Kind::error, std::move(read.fault)};
  }
  autosave_.emplace(file, found_, std::move(wake));
}

bool SessionKeeper::restore(App& app) const {
  app.restore(found_, as_edit_);
  if (!notice_.text.empty()) app.notice = notice_;
  return found_.document.live.study != nullptr;
}

double SessionKeeper::poll(double now, App& app, int width, int height) {
  if (!autosave_) return std::numeric_limits<double>::infinity();
  if (!began_) began_ = now;
  double next = autosave_->poll(now, session_of(app, width, height));
  if (const std::string wrong = autosave_->complaint(); !wrong.empty())
    app.notice = {Notice::Kind::error, "this session will not be remembered: " + wrong};
  if (settled_) return next;
  if (now - *began_ >= beginning) {
    marker_->settled();
    settled_ = true;
  } else {
    next = std::min(next, *began_ + beginning - now);
  }
  return next;
}

void SessionKeeper::finish(const App& app, int width, int height) {
  if (autosave_) autosave_->finish(session_of(app, width, height));
}

}  // namespace orrery::gui
