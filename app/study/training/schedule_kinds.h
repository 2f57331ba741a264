// The schedules by name, as parameters, legends and tables have them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/training/schedule.h"

namespace orrery::study {

struct ScheduleKind {
  training::Schedule::Kind kind;
  std::string_view choice, name;
};

constexpr auto schedule_kinds = std::to_array<ScheduleKind>({
    {training::Schedule::Kind::cosine, "cosine", "cosine"},
    {training::Schedule::Kind::inverse_root, "inverse_root", "inverse square root"},
    {training::Schedule::Kind::linear, "linear", "linear"},
    {training::Schedule::Kind::stable, "stable", "stable, then linear"},
    {training::Schedule::Kind::constant, "constant", "constant"},
});

inline training::Schedule::Kind schedule_kind(std::string_view choice) {
  return std::ranges::find(schedule_kinds, choice, &ScheduleKind::choice)->kind;
}

}  // namespace orrery::study
