// The largest work that a study's declarations allow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/study/study.h"

namespace orrery::study {

/// Every number at the largest value that it may have; all else at its default.
inline parameter::Settings largest(const Study& study) {
  using parameter::Kind;
  parameter::Settings settings(study.parameters);
  for (const auto& p : study.parameters) {
    if (p.kind == Kind::integer) {
      const auto most = static_cast<std::int64_t>(p.max);
      settings.set(p.name, most - most % p.multiple);
    }
    if (p.kind == Kind::real) settings.set(p.name, p.max);
  }
  return settings;
}

/// The same with each choice and each toggle in turn at what is not its default: "layout=half".
inline std::vector<std::string> other_choices(const Study& study) {
  using parameter::Kind;
  std::vector<std::string> all;
  for (const auto& p : study.parameters) {
    if (p.presentation || p.measures) continue;
    if (p.kind == Kind::toggle) all.push_back(std::string(p.name) + (p.fallback == "on" ? "=off" : "=on"));
    if (p.kind != Kind::choice) continue;
    for (const std::string_view choice : parameter::choices_of(p))
      if (choice != p.fallback && !choice.ends_with(":W"))
        all.push_back(std::string(p.name) + "=" + std::string(choice));
  }
  return all;
}

}  // namespace orrery::study
