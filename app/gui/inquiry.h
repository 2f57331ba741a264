// A question about files whose answer may never come: from a mount whose other end is gone, not even a folder's names are
// told. It is asked on a thread that may be left behind, and never waited for longer than a glance.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "app/gui/errands.h"
#include "app/study/reading.h"
#include "core/tensor/complaint.h"

namespace orrery::gui {

class Inquiry {
 public:
  /// What the answer changes, on the thread of the interface.
  using Then = std::function<void()>;
  using Otherwise = std::function<void(const Complaint& why)>;

  /// So long nobody notices a wait, and a disk that is there has answered.
  static constexpr std::chrono::milliseconds glance{50};
  /// After so long nobody waits any more.
  static constexpr std::chrono::seconds longest = Errands::longest;

  /// `find` is called on another thread and holds copies only; what it returns is done here, before ask() returns where that
  /// takes no longer than `wait`, else by a later poll(). What it throws, or that `place` does not answer, is said to
  /// `otherwise`. `wake` is called from the other thread at the end. A question that was asked before is dropped.
  void ask(const std::string& place, std::function<Then()> find, Otherwise otherwise = {},
           std::function<void()> wake = {}, std::chrono::milliseconds wait = glance);
  /// The same for what changes files: `errand` runs until all is done.
  void ask(std::shared_ptr<Errands::Errand> errand, const std::string& place, std::function<Then()> find,
           Otherwise otherwise = {}) {
    errand_ = std::move(errand);
    ask(place, std::move(find), std::move(otherwise));
  }
  /// Once per frame: does what the answer changes, when it is there.
  void poll();
  /// The answer is not wanted any more.
  void drop() {
    reading_ = {};
    errand_.reset();
  }
  bool pending() const { return reading_.asked(); }

 private:
  std::string place_;
  std::chrono::steady_clock::time_point asked_;
  Otherwise otherwise_;
  study::Reading<Then> reading_;
  std::shared_ptr<Errands::Errand> errand_;
};

}  // namespace orrery::gui
