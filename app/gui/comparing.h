// A pinned side A beside the live side B: computed on a worker of its own, and put together with what B shows on another.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/gui/document.h"
#include "app/recipe/composer.h"
#include "app/recipe/runner.h"

namespace orrery::gui {

class Comparing {
 public:
  explicit Comparing(const std::function<void()>& wake) : composer_(wake), runner_(wake) {}

  /// What was computed already for the side that is pinned now: it need not be computed again. A part of it does not do.
  void keep(std::shared_ptr<const recipe::Outcome> known) {
    if (!known || !known->partial) a_ = std::move(known);
  }
  /// It is to be computed anew: a file behind it has changed.
  void forget();
  /// Once per frame: sees to it that side A is there.
  void want(const std::optional<Side>& pinned);
  /// The pinned side has no outcome yet.
  bool busy() const { return wanted_ && !a_; }
  /// B with A as `mode` says; B alone while there is no A, or nothing was put together yet. While the newest is put together,
  /// the one before stays. The pointer changes only when one of the three does.
  std::shared_ptr<const recipe::Outcome> with(const std::shared_ptr<const recipe::Outcome>& b,
                                              figure::CompareMode mode);
  bool composing() const { return composer_.busy(); }
  /// Why side A has no figure; empty when it has.
  Complaint error() const { return a_ ? a_->error : Complaint(); }

 private:
  bool wanted_ = false;
  std::shared_ptr<const recipe::Outcome> a_;
  recipe::Composer composer_;
  recipe::Runner runner_;
};

}  // namespace orrery::gui
