// A thread for what a window must not wait for: it does the newest of what it is asked for, and is told to leave what is older.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace orrery::study {

class BackgroundWork {
 public:
  /// What it throws to leave its work.
  struct Left {};
  /// Asks its token every few milliseconds and throws Left where that says so.
  using Work = std::function<void(const std::stop_token&)>;

  BackgroundWork() = default;
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;
  ~BackgroundWork();

  void ask(Work);
  bool busy() const;

 private:
  void run(const std::stop_token&);

  mutable std::mutex mutex_;
  std::condition_variable_any wanted_;
  Work next_;
  bool working_ = false;
  std::stop_source now_{std::nostopstate};  // of the work that is being done
  std::jthread thread_;                     // begins with the first work, ends before all else goes
};

}  // namespace orrery::study
