// Puts a pinned outcome and a live one together on a worker: large figures and tables are merged, which the thread of the
// interface has no time for.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "app/recipe/runner.h"

namespace orrery::recipe {

class Composer {
 public:
  /// Compared by identity: outcomes never change.
  struct Parts {
    std::shared_ptr<const Outcome> a, b;
    figure::CompareMode mode = figure::CompareMode::side_by_side;
    bool operator==(const Parts&) const = default;
  };
  struct Made {
    Parts of;
    std::shared_ptr<const Outcome> both;  ///< none: nothing was put together yet
  };

  /// `on_ready` is called on the worker when made() has something new.
  explicit Composer(std::function<void()> on_ready = {});
  ~Composer();

  /// Cheap, may be called every frame: the same parts as last time do nothing, others are the newest request, which wins.
  void request(const Parts&);
  /// Nothing is wanted, and what was made goes.
  void forget();
  /// What was made last, perhaps of older parts. It may have an error instead of a figure.
  Made made() const;
  bool busy() const;  ///< the newest request is not made yet

 private:
  void work(const std::stop_token&);

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Parts> wanted_;
  bool begun_ = false;  // with what is wanted
  Made made_;
  std::function<void()> on_ready_;
  std::jthread worker_;  // last: starts when all else is there, ends before it goes
};

}  // namespace orrery::recipe
