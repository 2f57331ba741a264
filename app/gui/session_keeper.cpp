#include "app/gui/session_keeper.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "app/gui/left_windows.h"
#include "app/gui/running_marker.h"
#include "app/gui/session_shelf.h"
#include "app/gui/typed_path.h"
#include "core/file/temporary.h"
#include "core/tensor/complaint_words.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

Session session_of(const App& app, int width, int height) {
  Session session = app.session();
  session.width = width;
  session.height = height;
  return session;
}

Complaint not_remembered(const Complaint& why) {
  return wrong("this session will not be remembered: {}", sentence(why));
}

}  // namespace

/// What was found in the folder of sessions as the window began.
struct SessionKeeper::Beginning {
  explicit Beginning(const std::filesystem::path& file);
  void find();
  void restore_after_a_crash();

  std::filesystem::path file;
  RunningMarker marker;
  SessionShelf shelf;
  std::vector<LeftWindow> left;
  Session found;
  Notice notice;
  bool as_edit = false;
  bool kept_aside = false;  // the file is gone: what could be read of it is nowhere else
};

SessionKeeper::Beginning::Beginning(const std::filesystem::path& last)
    : file(last), marker(last.parent_path()), shelf(last), left(shelf.left(marker.running())) {
  // What was being written when the program was killed: nothing may be written for as long as nothing is changed.
  file::remove_leftovers(last.parent_path());
  if (marker.before() == Before::clean)
    find();
  else
    restore_after_a_crash();
}

/// The session of the window that was closed last, where no other window has it.
void SessionKeeper::Beginning::find() {
  std::error_code error;
  const bool mine = shelf.take_over_last();
  // In a folder that cannot be written nothing is taken over, and all can be read.
  if (!mine && !std::filesystem::exists(file, error)) {
    found = shelf.begin_afresh();
    return;
  }
  ReadSession read = read_session(mine ? shelf.own() : file);
  kept_aside = !read.fault.empty();
  found = std::move(read.session);
  if (!read.fault.empty()) notice = {Notice::Kind::error, std::move(read.fault)};
}

void SessionKeeper::Beginning::restore_after_a_crash() {
  const auto crashed = std::ranges::find_if(
      left, [&](const LeftWindow& each) { return std::ranges::count(marker.ended(), each.process) > 0; });
  if (crashed != left.end() && shelf.take_over(crashed->file))
    left.erase(crashed);
  else
    shelf.take_over_last();
  if (marker.before() == Before::crashed_again) {
    notice = {Notice::Kind::error, "the last session ended the program twice: it is kept as " +
                                       shown_path(keep_aside(shelf.own())) + ", and this is a fresh start"};
    return;
  }
  ReadSession read = read_session(shelf.own());
  kept_aside = !read.fault.empty();
  found = std::move(read.session);
  as_edit = found.document.live.study != nullptr;
  if (as_edit) {
    notice = {Notice::Kind::done, "restored after an unexpected end; Ctrl+Z starts afresh"};
    if (!left.empty()) notice.text += "; the File menu restores " + std::to_string(left.size()) + " more";
  }
  if (!read.fault.empty()) notice = {Notice::Kind::error, std::move(read.fault)};
}

SessionKeeper::SessionKeeper(const std::filesystem::path& file, std::function<void()> wake)
    : folder_(file.parent_path()) {
  if (file.empty()) return;
  try {
    beginning_ = study::read_shortly(folder_.string(), [file] { return std::make_shared<Beginning>(file); });
  } catch (const Failure& error) {
    const Complaint wrong = not_remembered(error.complaint());
    notice_ = {Notice::Kind::error, english(wrong), wrong};
    return;
  }
  found_ = beginning_->found;
  notice_ = beginning_->notice;
  autosave_.emplace(beginning_->shelf.own(), beginning_->kept_aside ? Session() : found_, std::move(wake));
}

void SessionKeeper::leave() {
  left_ = true;
}

SessionKeeper::~SessionKeeper() {
  if (!beginning_) return;
  // After what is still being written there, which is waited for too.
  in_the_folder([kept = beginning_, left = left_] {
    if (left)
      kept->marker.leave();
    else
      kept->marker.end();
  }).wait_for(2 * study::short_wait);
}

/// After all that was to be done there before.
const study::Reading<bool>& SessionKeeper::in_the_folder(std::function<void()> work) {
  std::erase_if(errands_, [](const auto& each) { return each.ready(); });
  return errands_.emplace_back(folder_.string(), [work = std::move(work)] {
    work();
    return true;
  });
}

bool SessionKeeper::restore(App& app) const {
  app.restore(found_, beginning_ && beginning_->as_edit);
  left_windows().offered = beginning_ ? beginning_->left : std::vector<LeftWindow>();
  left_windows().taken_over.clear();
  if (!notice_.text.empty()) app.say(notice_);
  return found_.document.live.study != nullptr;
}

double SessionKeeper::poll(double now, App& app, int width, int height) {
  if (!autosave_) return std::numeric_limits<double>::infinity();
  if (!began_) began_ = now;
  double next = autosave_->poll(now, session_of(app, width, height));
  if (const Complaint wrong = autosave_->complaint(); !wrong.empty()) app.say(not_remembered(wrong));
  left_windows().inquiry.poll();
  if (left_windows().inquiry.pending()) next = std::min(next, 0.05);
  if (autosave_->up_to_date()) forget_taken_over();
  if (settled_) return next;
  if (now - *began_ >= beginning) {
    in_the_folder([kept = beginning_] { kept->marker.settled(); });
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
  in_the_folder([kept = beginning_] { kept->shelf.close(); }).wait_for(2 * study::short_wait);
}

/// What they held is in this window's own by now.
void SessionKeeper::forget_taken_over() {
  if (left_windows().taken_over.empty()) return;
  in_the_folder([files = std::exchange(left_windows().taken_over, {})] {
    std::error_code ignored;
    for (const std::filesystem::path& each : files) std::filesystem::remove(each, ignored);
  });
}

}  // namespace orrery::gui
