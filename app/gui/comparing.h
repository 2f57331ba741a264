// A pinned side A beside the live side B: computed on a worker of its own, and put together with what B shows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/gui/document.h"
#include "app/study/runner.h"

namespace orrery::gui {

class Comparing {
 public:
  explicit Comparing(std::function<void()> wake) : runner_(std::move(wake)) {}

  /// What was computed already for the side that is pinned now: it need not be computed again.
  void keep(std::shared_ptr<const study::Outcome> known) { a_ = std::move(known); }
  /// It is to be computed anew: a file behind it has changed.
  void forget();
  /// Once per frame: sees to it that side A is there.
  void want(const std::optional<Side>& pinned);
  /// The pinned side has no outcome yet.
  bool busy() const { return wanted_ && !a_; }
  /// B with A as `mode` says; B alone while there is no A. The pointer changes when, and only when, one of the three does.
  std::shared_ptr<const study::Outcome> with(const std::shared_ptr<const study::Outcome>& b,
                                             figure::CompareMode mode);
  /// Why side A has no figure; empty when it has.
  std::string error() const { return a_ ? a_->error : std::string(); }

 private:
  bool wanted_ = false;
  std::shared_ptr<const study::Outcome> a_;
  struct {
    std::shared_ptr<const study::Outcome> a, b;
    figure::CompareMode mode = figure::CompareMode::side_by_side;
    std::shared_ptr<const study::Outcome> both;
  } made_;
  study::Runner runner_;
};

}  // namespace orrery::gui
