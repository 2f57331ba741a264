// How far what is shown lies from the double reference: computed on a worker of its own once a person has stopped turning.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/recipe/runner.h"
#include "app/study/result_difference.h"

namespace orrery::gui {

class ReferenceWatch {
 public:
  explicit ReferenceWatch(std::function<void()> wake) : runner_(std::move(wake)) {}

  static constexpr double rest = 0.3;  ///< seconds without a new outcome before it begins
  static constexpr double most_cost =
      0.25;  ///< seconds: a study that takes longer is compared when asked for

  /// Once per frame, with the last good outcome of the live side.
  void update(const std::shared_ptr<const recipe::Outcome>& live, bool busy, double seconds);
  /// Also where it costs more.
  void ask() { asked_ = live_; }
  /// Of the outcome that was last given; nothing while it is not known.
  const std::optional<study::ResultDifference>& difference() const { return difference_; }
  /// It will begin by itself: another frame is needed for that.
  bool waiting() const { return wanted() && !difference_ && rested_ < rest; }
  /// It takes too long to begin by itself, and nobody has asked.
  bool too_costly() const { return live_ && fast() && live_->seconds >= most_cost && asked_ != live_; }

 private:
  bool fast() const { return live_->device != study::DeviceChoice::ref; }
  bool wanted() const { return live_ && fast() && !too_costly(); }

  std::shared_ptr<const recipe::Outcome> live_, asked_;
  double rested_ = 0;
  std::optional<study::ResultDifference> difference_;
  recipe::Runner runner_;
};

}  // namespace orrery::gui
