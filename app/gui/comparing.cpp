#include "app/gui/comparing.h"

namespace orrery::gui {
namespace {

bool is_of(const recipe::Outcome& outcome, const Side& side) {
  return outcome.study == side.study && outcome.device == side.device && outcome.settings == side.settings;
}

}  // namespace

void Comparing::forget() {
  a_.reset();
  runner_.forget();
}

void Comparing::want(const std::optional<Side>& pinned) {
  wanted_ = pinned.has_value();
  if (!pinned) {
    a_.reset();
    composer_.forget();
    return;
  }
  if (a_ && is_of(*a_, *pinned)) return;
  a_.reset();  // undone, restored, or swapped: another one
  runner_.request(*pinned->study, pinned->settings, pinned->device);
  const auto newest = runner_.latest();
  if (newest && !runner_.busy() && is_of(*newest, *pinned)) a_ = newest;
}

std::shared_ptr<const recipe::Outcome> Comparing::with(const std::shared_ptr<const recipe::Outcome>& b,
                                                       figure::CompareMode mode) {
  if (!a_ || !b || !a_->error.empty()) return b;
  composer_.request({a_, b, mode});
  const recipe::Composer::Made made = composer_.made();
  return made.both && made.of.b->study == b->study ? made.both : b;
}

}  // namespace orrery::gui
