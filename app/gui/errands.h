// What is on its way to the disk beside exports: a preset, the tray, the folder that is made first. On the thread of the
// interface alone.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

namespace orrery::gui {

class Errands {
  struct State {
    int running = 0;
    bool left_undone = false;
    std::chrono::steady_clock::time_point begun{};
  };

 public:
  /// After so long nobody waits any more.
  static constexpr std::chrono::seconds longest{10};

  /// Runs for as long as somebody keeps it.
  class Errand {
   public:
    explicit Errand(std::shared_ptr<State> state) : state_(std::move(state)) {
      ++state_->running;
      state_->left_undone = false;
      state_->begun = std::chrono::steady_clock::now();
    }
    ~Errand() { --state_->running; }
    Errand(const Errand&) = delete;
    Errand& operator=(const Errand&) = delete;
    void fail() { state_->left_undone = true; }

   private:
    std::shared_ptr<State> state_;
  };

  std::shared_ptr<Errand> begin() { return std::make_shared<Errand>(state_); }
  /// A dialog that was left asks no more how its errand went.
  bool running() const {
    return state_->running > 0 && std::chrono::steady_clock::now() - state_->begun < longest;
  }
  /// One of them failed, and none was begun since.
  bool left_undone() const { return state_->left_undone; }

 private:
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace orrery::gui
