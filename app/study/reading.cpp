#include "app/study/reading.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "core/tensor/error.h"

namespace orrery::study {

struct Errand::State {
  std::function<void()> work, wake;
  std::mutex mutex;
  std::condition_variable_any changed;
  bool wanted = true, ended = false;
  std::exception_ptr error;

  bool is_wanted() {
    const std::lock_guard lock(mutex);
    return wanted;
  }

  void carry_out() {
    if (!is_wanted()) return;
    std::exception_ptr wrong;
    try {
      work();
    } catch (...) {
      wrong = std::current_exception();
    }
    const std::lock_guard lock(mutex);  // while it is held, whom `wake` wakes is still there
    error = std::move(wrong);  // who rethrows it holds it alone, and lets it go where it is looked at
    ended = true;
    changed.notify_all();
    if (wanted && wake) wake();
  }
};

namespace {

/// The errands of each place that has any; the first of them is on its way. Never destroyed: a thread that was left behind
/// may come back while the program ends.
struct Places {
  std::mutex mutex;
  std::map<std::string, std::deque<std::shared_ptr<Errand::State>>> errands;
};

Places& places() {
  static Places& all = *new Places;
  return all;
}

void serve(const std::string& place) {
  for (;;) {
    std::shared_ptr<Errand::State> next;
    {
      const std::lock_guard lock(places().mutex);
      next = places().errands.at(place).front();
    }
    next->carry_out();
    const std::lock_guard lock(places().mutex);
    auto& queue = places().errands.at(place);
    queue.pop_front();
    if (!queue.empty()) continue;
    places().errands.erase(place);
    return;
  }
}

}  // namespace

Errand::Errand(const std::string& place, std::function<void()> work, std::function<void()> wake)
    : state_(std::make_shared<State>()) {
  state_->work = std::move(work);
  state_->wake = std::move(wake);
  const std::lock_guard lock(places().mutex);
  auto& queue = places().errands[place];
  // Only the first of them is on its way: those behind it that were left are not even begun.
  std::erase_if(queue, [&](const auto& each) { return each != queue.front() && !each->is_wanted(); });
  queue.push_back(state_);
  if (queue.size() == 1) std::thread(serve, place).detach();
}

Errand::~Errand() {
  const std::lock_guard lock(state_->mutex);
  state_->wanted = false;
}

bool Errand::ended() const {
  const std::lock_guard lock(state_->mutex);
  return state_->ended;
}

bool Errand::wait_for(std::chrono::milliseconds time) const {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, time, [&] { return state_->ended; });
}

void Errand::wait(const std::stop_token& stop) const {
  std::unique_lock lock(state_->mutex);
  if (!state_->changed.wait(lock, stop, [&] { return state_->ended; })) throw Cancelled();
}

void Errand::rethrow() const {
  std::exception_ptr error;
  {
    const std::lock_guard lock(state_->mutex);
    error = std::exchange(state_->error, nullptr);
  }
  if (error) std::rethrow_exception(std::move(error));
}

}  // namespace orrery::study
