#include "core/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::training {
namespace {

/// From 1 down to `end` as p goes from 0 to 1.
double line_down(double p, double end) {
  return 1 - (1 - end) * p;
}

double share_of_highest(const Schedule& of, double step) {
  const double past = of.steps - of.warm_up;
  const double p = past > 0 ? std::clamp((step - of.warm_up) / past, 0.0, 1.0) : 1;
  switch (of.kind) {
    case Schedule::Kind::constant:
      return 1;
    case Schedule::Kind::inverse_root:
      return std::sqrt(std::max(1.0, of.warm_up) / std::max(1.0, step));
    case Schedule::Kind::cosine:
      return of.end + (1 - of.end) * (1 + std::cos(std::numbers::pi * p)) / 2;
    case Schedule::Kind::linear:
      return line_down(p, of.end);
    case Schedule::Kind::stable: {
      const double decay = of.decay_share * of.steps, from = std::max(of.warm_up, of.steps - decay);
      if (step <= from || of.steps <= from) return 1;
      return line_down(std::min(1.0, (step - from) / (of.steps - from)), of.end);
    }
  }
  return 1;
}

}  // namespace

double learning_rate(const Schedule& of, double step) {
  if (of.warm_up > 0 && step <= of.warm_up) return of.highest * (std::max(0.0, step) / of.warm_up);
  return of.highest * share_of_highest(of, step);
}

double highest_of_width(double width, double warm_up, double factor) {
  return factor / std::sqrt(width * std::max(1.0, warm_up));
}

}  // namespace orrery::training
