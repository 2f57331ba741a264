#include "app/gui/autosave.h"

#include <limits>

namespace orrery::gui {
namespace {

constexpr double retry = 60;  // seconds, where it could not be written

/// What went wrong; empty: nothing.
Complaint autosaved(const Session& session, const std::filesystem::path& file) {
  try {
    write_session(session, file);
  } catch (const std::exception& error) {
    return complaint_of(error);
  }
  return {};
}

}  // namespace

Autosave::Autosave(std::filesystem::path file, Session saved, std::function<void()> wake)
    : file_(std::move(file)), wake_(std::move(wake)), saved_(std::move(saved)) {}

void Autosave::write(const Session& session) {
  saved_ = session;
  changed_.reset();
  // All that is done in the folder is done one after the other.
  written_ = study::Reading<Complaint>(
      file_.parent_path().string(), [session, file = file_] { return autosaved(session, file); }, wake_);
}

void Autosave::wait() {
  if (written_.asked() && !written_.wait_for(2 * study::short_wait)) {
    failed_ = true;
    if (complaint_.empty())
      complaint_ = wrong("does not answer").within(in_file(file_.parent_path().string()));
  }
  collect();
}

/// Takes what the last writing said.
void Autosave::collect() {
  if (!written_.ready()) return;
  Complaint wrong = written_.take();
  failed_ = !wrong.empty();
  if (!wrong.empty() && complaint_.empty()) complaint_ = std::move(wrong);
}

double Autosave::poll(double now, const Session& session) {
  constexpr double never = std::numeric_limits<double>::infinity();
  collect();
  if (session == saved_ && !failed_) {
    changed_.reset();
    return never;
  }
  if (!changed_) changed_ = now;
  const double left = *changed_ + (failed_ ? retry : patience) - now;
  if (left > 0) return left;
  if (writing()) return 0.1;
  write(session);
  return never;
}

void Autosave::finish(const Session& session) {
  wait();
  if (writing() || (session == saved_ && !failed_)) return;
  write(session);
  wait();
}

Complaint Autosave::complaint() {
  collect();
  if (complained_ || complaint_.empty()) return {};
  complained_ = true;
  return complaint_;
}

}  // namespace orrery::gui
