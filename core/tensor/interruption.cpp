#include "core/tensor/interruption.h"

#include <utility>

namespace orrery::tensor {
namespace {

thread_local const std::function<void()>* newest = nullptr;

}  // namespace

Interruptible::Interruptible(std::function<void()> check) : check_(std::move(check)), before_(newest) {
  newest = &check_;
}

Interruptible::~Interruptible() {
  newest = before_;
}

void interruption_point() {
  if (newest) (*newest)();
}

}  // namespace orrery::tensor
