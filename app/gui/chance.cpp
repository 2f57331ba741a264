#include "app/gui/chance.h"

#include <algorithm>
#include <vector>

#include "app/gui/slider_scale.h"
#include "core/parameter/only_when.h"
#include "core/tensor/random.h"

namespace orrery::gui {
namespace {

using parameter::Kind;
using parameter::Parameter;

bool decides(const Parameter& p) {
  return p.kind == Kind::choice || p.kind == Kind::toggle;
}

class Dice {
 public:
  explicit Dice(std::uint64_t number) : random_(number) {}

  parameter::Value value(const Parameter& p, const parameter::Value& now) {
    switch (p.kind) {
      case Kind::toggle:
        return uniform() < 0.5;
      case Kind::choice:
        return choice(p, now);
      case Kind::vector:
      case Kind::matrix: {
        std::vector<double> components = entries_of(now);
        for (double& x : components) x = slider_value(p, uniform());
        return with_entries(now, std::move(components));
      }
      case Kind::integer:
      case Kind::real:
        return nearest_allowed(p, slider_value(p, uniform()));
      case Kind::file:
      case Kind::text:
        break;
    }
    return now;
  }

 private:
  double uniform() { return random_.uniform(counter_++); }

  /// One that is a name as it stands: sliding:W asks for a number that only its study knows.
  parameter::Value choice(const Parameter& p, const parameter::Value& now) {
    std::vector<std::string_view> names = parameter::choices_of(p);
    std::erase_if(names, [](std::string_view name) { return name.ends_with(":W"); });
    if (names.empty()) return now;
    return std::string(names[std::min(
        names.size() - 1, static_cast<std::size_t>(uniform() * static_cast<double>(names.size())))]);
  }

  tensor::Random random_;
  std::uint64_t counter_ = 0;
};

}  // namespace

parameter::Settings by_chance(parameter::Settings settings, const std::set<std::string>& locked,
                              std::uint64_t number) {
  Dice dice(number);
  // Choices first: they say which numbers are read.
  for (const bool deciding : {true, false})
    for (const Parameter& p : settings.declared()) {
      if (decides(p) != deciding || p.presentation || p.measures || locked.contains(std::string(p.name)))
        continue;
      const parameter::Value drawn = dice.value(p, settings.value(p.name));
      if (!parameter::unmet(p, settings)) settings.set(p.name, drawn);
    }
  return settings;
}

}  // namespace orrery::gui
