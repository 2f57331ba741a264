// A training of a second, which tests of trainings, of what is asked of them and of sweeps have in common.
#pragma once

#include <functional>
#include <string>

#include "app/experiment/plan.h"
#include "core/tensor/error.h"

namespace orrery::experiment::tiny_training {

inline const std::string tiny =
    "orrery = 1\n[task]\nkind = \"markov\"\nlength = 12\nsequences = 2\n[model]\nwidth = 8\nheads = 2\nhidden = 16\npositions "
    "= \"rope\"\n[schedule]\nwarm_up = 5\n[evaluation]\nlengths = [12, 24]\nsequences = 3\n[training]\nsteps = 30\n";

inline Plan plan(const std::string& more = {}) {
  return plan_of(settings_from_toml(tiny + more, "s.toml"));
}

inline std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Failure& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace orrery::experiment::tiny_training
