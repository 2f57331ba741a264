// Reading that cannot be relied on to end: from a mount whose other end is gone, open() and stat() never return, and no
// signal wakes them. It is done on a thread of its own, which whoever waits may leave behind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "core/tensor/error.h"

namespace orrery::study {

/// What a Reading does, without its answer.
class Errand {
 public:
  /// `work` is called on another thread, after all earlier errands of the same `place` that are still wanted: a place that
  /// does not answer holds one thread, however often it is asked. `wake` is called there too, at the end.
  Errand(const std::string& place, std::function<void()> work, std::function<void()> wake);
  /// Not wanted any longer: `work` goes on where it has begun, unheard, and the end of the program does not wait for it.
  ~Errand();
  Errand(const Errand&) = delete;
  Errand& operator=(const Errand&) = delete;

  bool ended() const;
  bool wait_for(std::chrono::milliseconds) const;  ///< whether it has ended
  void wait(const std::stop_token&) const;         ///< throws Cancelled when asked to stop
  void rethrow() const;                            ///< what `work` threw, if it did; once

  struct State;

 private:
  std::shared_ptr<State> state_;
};

/// What `read` returns, one day. It may outlive all that called for it: it holds copies only.
template <class T>
class Reading {
 public:
  Reading() = default;  ///< of nothing
  Reading(const std::string& place, std::function<T()> read, std::function<void()> wake = {})
      : answer_(std::make_shared<std::optional<T>>()),
        errand_(std::make_unique<Errand>(
            place, [answer = answer_, read = std::move(read)] { answer->emplace(read()); },
            std::move(wake))) {}

  bool asked() const { return errand_ != nullptr; }
  bool ready() const { return errand_ && errand_->ended(); }
  bool wait_for(std::chrono::milliseconds time) const { return errand_ && errand_->wait_for(time); }
  void wait(const std::stop_token& stop) const { errand_->wait(stop); }
  /// Once it is ready: the answer, or what `read` threw. Then nothing is asked.
  T take() {
    const auto errand = std::exchange(errand_, nullptr);
    errand->rethrow();
    return std::move(**answer_);
  }

 private:
  std::shared_ptr<std::optional<T>> answer_;
  std::unique_ptr<Errand> errand_;
};

/// So long a person waits without noticing much, and a machine that has other things to do still answers within it.
inline constexpr std::chrono::milliseconds short_wait{1000};

/// What `read` returns, waited for so long only; throws Failure naming the place where it does not answer.
template <class Read>
auto read_shortly(const std::string& place, Read read) {
  Reading<decltype(read())> reading(place, std::move(read));
  if (!reading.wait_for(2 * short_wait)) throw Failure(wrong("does not answer").within(in_file(place)));
  return reading.take();
}

/// What `read` returns, waited for until asked to stop (throws Cancelled). Where nobody can ask, it is called here and now.
template <class Read>
auto read_patiently(const std::stop_token& stop, const std::string& place, Read read) {
  if (!stop.stop_possible()) return read();
  Reading<decltype(read())> reading(place, std::move(read));
  reading.wait(stop);
  return reading.take();
}

}  // namespace orrery::study
