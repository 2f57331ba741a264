#include "app/recipe/composer.h"

#include <utility>

#include "app/recipe/comparison.h"

namespace orrery::recipe {
namespace {

std::shared_ptr<const Outcome> put_together(const Composer::Parts& parts) {
  Outcome both;
  try {
    both = compared(*parts.a, *parts.b, parts.mode);
  } catch (const std::exception& error) {
    both = *parts.b;
    both.error = complaint_of(error);
  }
  return std::make_shared<const Outcome>(std::move(both));
}

}  // namespace

Composer::Composer(std::function<void()> on_ready)
    : on_ready_(std::move(on_ready)), worker_([this](const std::stop_token& stop) { work(stop); }) {}

Composer::~Composer() {
  worker_.request_stop();
}

void Composer::request(const Parts& parts) {
  const std::lock_guard lock(mutex_);
  if (wanted_ && *wanted_ == parts) return;
  wanted_ = parts;
  begun_ = false;
  wake_.notify_one();
}

void Composer::forget() {
  const std::lock_guard lock(mutex_);
  wanted_.reset();
  made_ = {};
}

Composer::Made Composer::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

bool Composer::busy() const {
  const std::lock_guard lock(mutex_);
  return wanted_ && !(wanted_ == made_.of);
}

void Composer::work(const std::stop_token& stop) {
  for (;;) {
    Parts parts;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [&] { return wanted_ && !begun_; }) || stop.stop_requested()) return;
      begun_ = true;
      parts = *wanted_;
    }
    Made made{parts, put_together(parts)};
    {
      // What is older than what is wanted is shown all the same: it is newer than what stands there.
      const std::lock_guard lock(mutex_);
      if (!wanted_) continue;
      std::swap(made_, made);
    }
    if (on_ready_) on_ready_();
  }
}

}  // namespace orrery::recipe
