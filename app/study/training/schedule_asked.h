// What training/schedule is asked for.
#pragma once

#include "app/study/training/followed_updates.h"
#include "core/parameter/settings.h"
#include "core/training/schedule.h"

namespace orrery::study {

struct ScheduleAsked {
  training::Schedule schedule;
  double first =
      1;  ///< the number of the first step: programs that count from zero begin with a rate of zero
  double decay = 0;  ///< λ
  FollowedAsked followed;

  double rate(double step) const { return training::learning_rate(schedule, step - 1 + first); }
};

ScheduleAsked schedule_asked(const parameter::Settings&);

}  // namespace orrery::study
