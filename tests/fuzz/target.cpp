#include "tests/fuzz/target.h"

#include <algorithm>
#include <utility>

namespace orrery::fuzz {
namespace {

/// Filled before main() by constants in other files, in whatever order those come.
std::vector<const Registered*>& registered() {
  static std::vector<const Registered*> all;
  return all;
}

}  // namespace

Registered::Registered(Target target) : target_(std::move(target)) {
  registered().push_back(this);
}

std::vector<const Target*> targets() {
  std::vector<const Target*> all;
  for (const Registered* each : registered()) all.push_back(&each->target_);
  std::ranges::sort(all, {}, &Target::name);
  return all;
}

const Target* find_target(std::string_view name) {
  const std::vector<const Target*> all = targets();
  const auto found = std::ranges::find(all, name, &Target::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::fuzz
