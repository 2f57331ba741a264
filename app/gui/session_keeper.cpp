#include "app/gui/session_keeper.h"

#include <algorithm>
#include <limits>

#include "app/gui/left_windows.h"
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

SessionKeeper::SessionKeeper(const std::filesystem::path& file, std::function<void()> wake) : file_(file) {
  if (file.empty()) return;
  marker_.emplace(file.parent_path());
  shelf_.emplace(file);
  left_ = shelf_->left(marker_->running());
  if (marker_->before() == Before::clean)
    find();
  else
    restore_after_a_crash();
  autosave_.emplace(shelf_->own(), found_, std::move(wake));
}

/// The session of the window that was closed last, where no other window has it.
void SessionKeeper::find() {
  std::error_code error;
  const bool mine = shelf_->take_over_last();
  // In a folder that cannot be written nothing is taken over, and all can be read.
  if (!mine && !std::filesystem::exists(file_, error)) {
    found_ = shelf_->begin_afresh();
    return;
  }
  ReadSession read = read_session(mine ? shelf_->own() : file_);
  found_ = std::move(read.session);
  if (!read.fault.empty()) notice_ = {Notice::Kind::error, std::move(read.fault)};
}

void SessionKeeper::restore_after_a_crash() {
  const auto crashed = std::ranges::find_if(
      left_, [&](const LeftWindow& each) { return std::ranges::count(marker_->ended(), each.process) > 0; });
  if (crashed != left_.end() && shelf_->take_over(crashed->file))
    left_.erase(crashed);
  else
    shelf_->take_over_last();
  if (marker_->before() == Before::crashed_again) {
    notice_ = {Notice::Kind::error, "the last session ended the program twice: it is kept as " +
                                        shown_path(keep_aside(shelf_->own())) +
                                        ", and this is a fresh start"};
    return;
  }
  ReadSession read = read_session(shelf_->own());
  found_ = std::move(read.session);
  as_edit_ = found_.document.live.study != nullptr;
  if (as_edit_) {
    notice_ = {Notice::Kind::done, "restored after an unexpected end; Ctrl+Z starts afresh"};
    if (!left_.empty()) notice_.text += "; the File menu restores " + std::to_string(left_.size()) + " more";
  }
  if (!read.fault.empty()) notice_ = {Notice::Kind::error, std::move(read.fault)};
}

bool SessionKeeper::restore(App& app) const {
  app.restore(found_, as_edit_);
  left_windows() = {left_, {}};
  if (!notice_.text.empty()) app.notice = notice_;
  return found_.document.live.study != nullptr;
}

double SessionKeeper::poll(double now, App& app, int width, int height) {
  if (!autosave_) return std::numeric_limits<double>::infinity();
  if (!began_) began_ = now;
  double next = autosave_->poll(now, session_of(app, width, height));
  if (const std::string wrong = autosave_->complaint(); !wrong.empty())
    app.notice = {Notice::Kind::error, "this session will not be remembered: " + wrong};
  if (autosave_->up_to_date()) forget_taken_over();
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
  if (!autosave_) return;
  autosave_->finish(session_of(app, width, height));
  if (autosave_->failed()) return;
  forget_taken_over();
  shelf_->close();
}

/// What they held is in this window's own by now.
void SessionKeeper::forget_taken_over() {
  std::error_code ignored;
  for (const std::filesystem::path& each : left_windows().taken_over) std::filesystem::remove(each, ignored);
  left_windows().taken_over.clear();
}

}  // namespace orrery::gui
