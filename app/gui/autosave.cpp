#include "app/gui/autosave.h"

#include <limits>

namespace orrery::gui {
namespace {

constexpr double retry = 60;  // seconds, where it could not be written

/// What went wrong; empty: nothing.
std::string write(const Session& session, const std::filesystem::path& file) {
  try {
    write_session(session, file);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

Autosave::Autosave(std::filesystem::path file, Session saved, std::function<void()> wake)
    : file_(std::move(file)), wake_(std::move(wake)), saved_(std::move(saved)) {}

bool Autosave::writing() const {
  return written_.valid() && written_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

/// Takes what the last writing said.
void Autosave::collect() {
  if (!written_.valid()) return;
  std::string wrong = written_.get();
  if (!wrong.empty() && complaint_.empty()) complaint_ = std::move(wrong);
}

double Autosave::poll(double now, const Session& session) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (session == saved_) {
    changed_.reset();
    return never;
  }
  if (!changed_) changed_ = now;
  const double left = *changed_ + (complaint_.empty() ? patience : retry) - now;
  if (left > 0) return left;
  if (writing()) return 0.1;
  collect();
  saved_ = session;
  changed_.reset();
  written_ = std::async(std::launch::async, [copy = session, this] {
    std::string wrong = write(copy, file_);
    if (!wrong.empty() && wake_) wake_();
    return wrong;
  });
  return never;
}

void Autosave::finish(const Session& session) {
  if (written_.valid()) written_.wait();
  collect();
  if (session == saved_ && complaint_.empty()) return;
  saved_ = session;
  changed_.reset();
  const std::string wrong = write(session, file_);
  if (complaint_.empty()) complaint_ = wrong;
}

std::string Autosave::complaint() {
  if (written_.valid() && !writing()) collect();
  if (complained_ || complaint_.empty()) return {};
  complained_ = true;
  return complaint_;
}

}  // namespace orrery::gui
