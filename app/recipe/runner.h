// Computes studies on a worker thread. The interface thread asks and polls, and never waits:
// the newest request wins, the older one is told to stop, and what it still yields is dropped by its
// generation.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/figure/digest.h"
#include "app/recipe/comparison.h"
#include "app/recipe/pace.h"
#include "app/study/study.h"

namespace orrery::recipe {

/// What came of a request: settings, timing and device travel with it, and an error is a result like any
/// other.
struct Outcome {
  std::uint64_t generation = 0;
  const study::Study* study = nullptr;
  parameter::Settings settings;
  study::DeviceChoice device = study::DeviceChoice::cpu;
  std::string device_name;  ///< "cpu, 2 threads", "gpu: llvmpipe (software)"
  study::StudyResult result;
  Complaint error;  ///< empty: it worked
  double seconds = 0;
  bool partial = false;
  std::vector<std::string> remarks{};  ///< what a person should know of how it was compared
  std::vector<Phrase> of_sides{};      ///< of two sides: what their studies remark, each with its id
  figure::Digest digest{};             ///< of the figure, made on the worker; empty from compute_now()
  std::optional<Compare> compare{};    ///< side A, where this is of two sides: see compare.h

  /// The settings that give this figure again: those that were asked for, and of what was measured its results in the place
  /// of another measurement. What leaves the program holds these.
  parameter::Settings lasting_settings() const;
};

/// What its study remarks, with its id (StudyResult::remark). Empty: nothing.
Phrase remark_of(const Outcome&);

/// Computes at once, on the calling thread; errors become Outcome::error. Cancelled leaves an Outcome with
/// neither.
Outcome compute_now(const study::Study&, const parameter::Settings&, const study::Run&);

class Runner {
 public:
  /// `on_ready` is called whenever latest() has something new or progress moved, to wake the interface: on
  /// the worker, or inside request() when the answer was still remembered.
  explicit Runner(std::function<void()> on_ready = {});
  ~Runner();

  /// Cheap, may be called every frame: the same request as the newest one does nothing. One of the last few
  /// requests again is answered at once, with the outcome it had.
  void request(const study::Study&, const parameter::Settings&, study::DeviceChoice);
  /// The newest request is given up: latest() stays as it is, and no outcome of it will come. The same request again
  /// does nothing until forget().
  void cancel();
  /// What is being computed rests at its next check, within 100 ms, or goes on. Another request goes on by itself.
  void pause(bool);
  bool paused() const { return paused_; }
  /// The newest request is asked for anew when it comes again, and so is everything remembered.
  void forget();
  /// The newest outcome, or nullptr before the first. The pointer changes when, and only when, there is a new
  /// one.
  std::shared_ptr<const Outcome> latest() const;
  bool busy() const;            ///< the newest request has no final outcome yet
  double busy_seconds() const;  ///< since that request was made, without its pauses; 0 when not busy
  double progress() const;      ///< 0 to 1 of the running computation
  std::optional<double> seconds_left() const;  ///< of it; nothing as long as too little is known

 private:
  struct Request {
    std::uint64_t generation = 0;
    const study::Study* study = nullptr;
    parameter::Settings settings;
    study::DeviceChoice device = study::DeviceChoice::cpu;
  };
  void work(std::stop_token);
  void deliver(Outcome);  ///< drops it when a newer request has come
  void advance(std::uint64_t generation, double fraction);
  void rest(const std::stop_token&);  ///< as long as it is paused
  void go_on();                       ///< with the lock held, as the next one
  double worked_seconds() const;

  mutable std::mutex mutex_;
  std::condition_variable_any wake_, resumed_;
  std::atomic<bool> paused_ = false;  // written with the lock held
  std::optional<Request> pending_, newest_;
  std::stop_source running_;
  std::shared_ptr<const Outcome> latest_;
  std::vector<std::shared_ptr<const Outcome>> remembered_;  // last used first
  double progress_ = 0;
  std::uint64_t generation_ = 0, finished_ = 0;
  double requested_at_ = 0, paused_at_ = 0, rested_ = 0;
  double rested_before_ = 0;  // the worker began
  Pace pace_;
  std::function<void()> on_ready_;
  std::jthread worker_;  // last: starts when all else is there, ends before it goes
};

}  // namespace orrery::recipe
