#include "app/study/training/schedule_asked.h"

#include <algorithm>
#include <array>

#include "app/study/kit/numbers.h"
#include "app/study/training/schedule_kinds.h"

namespace orrery::study {
namespace {

double highest_of(const parameter::Settings& settings) {
  if (settings.choice("highest_from") == "typed") return settings.real("highest");
  return training::highest_of_width(number(settings.integer("width")), number(settings.integer("warm_up")));
}

}  // namespace

ScheduleAsked schedule_asked(const parameter::Settings& settings) {
  ScheduleAsked asked;
  asked.schedule = {.kind = schedule_kind(settings.choice("schedule")),
                    .highest = highest_of(settings),
                    .warm_up = number(settings.integer("warm_up")),
                    .steps = number(settings.integer("steps")),
                    .end = settings.real("end"),
                    .decay_share = settings.real("decay_share")};
  asked.first = settings.choice("first_step") == "zero" ? 0 : 1;
  asked.decay = settings.real("decay");
  FollowedAsked& followed = asked.followed;
  followed.adam = {.beta1 = settings.real("beta1"),
                   .beta2 = settings.real("beta2"),
                   .eps = settings.real("eps"),
                   .corrected = settings.toggle("bias_correction")};
  followed.steps = std::min(settings.integer("followed"), settings.integer("steps"));  // none behind the last
  followed.size = settings.real("gradient");
  followed.mean = settings.real("mean");
  if (settings.toggle("spike")) followed.spike = settings.real("spike_size");
  followed.clip = settings.number("clip");
  followed.seed = seed_of(settings);
  return asked;
}

}  // namespace orrery::study
