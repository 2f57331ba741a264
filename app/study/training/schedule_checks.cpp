#include "app/study/training/schedule_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/study/kit/numbers.h"

namespace orrery::study {
namespace {

using training::Schedule;

/// The sum over 1 … n of s, that is 1 + 2 + … + n.
double triangle(double n) {
  return n * (n + 1) / 2;
}

/// The rates of all steps, in closed form: a line's mean is that of its ends, and the cosines of a half period that is
/// counted without its first place add up to −1. Nothing for the inverse root, which has no such sum.
std::optional<double> sum_of_rates(const ScheduleAsked& asked) {
  const Schedule& s = asked.schedule;
  if (s.kind == Schedule::Kind::inverse_root) return {};
  const double last = s.steps - 1 + asked.first;
  // Steps up to w rise; the others go on.
  const double rising = s.warm_up > 0 ? std::min(last, s.warm_up) : asked.first - 1;
  double sum = rising >= 1 ? s.highest * triangle(rising) / s.warm_up : 0;
  const double from = rising + 1, count = last - rising;
  if (count <= 0) return sum;
  const double past = s.steps - s.warm_up;
  const auto cosines = [&](double first_p, double n) {  // Σ cos π(p + k/past), k = 0 … n − 1
    const double half = std::numbers::pi / (2 * past);
    return std::cos(std::numbers::pi * first_p + half * (n - 1)) * std::sin(half * n) / std::sin(half);
  };
  switch (s.kind) {
    case Schedule::Kind::constant:
      return sum + s.highest * count;
    case Schedule::Kind::cosine:
      if (past <= 0) return sum + s.highest * s.end * count;
      return sum + s.highest * (count * (1 + s.end) / 2 +
                                (1 - s.end) / 2 * cosines((from - s.warm_up) / past, count));
    case Schedule::Kind::linear:
      if (past <= 0) return sum + s.highest * s.end * count;
      return sum +
             s.highest *
                 (count - (1 - s.end) * (triangle(last - s.warm_up) - triangle(from - s.warm_up - 1)) / past);
    case Schedule::Kind::stable: {
      const double falls_from = std::max(s.warm_up, s.steps * (1 - s.decay_share)),
                   falls = s.steps - falls_from;
      if (falls <= 0) return sum + s.highest * count;
      // Whole steps behind the corner, the first of them k of `falls` down.
      const double first_down = std::max(from, std::floor(falls_from) + 1),
                   downs = std::max(0.0, last - first_down + 1);
      const double k = first_down - falls_from;
      return sum + s.highest * (count - (1 - s.end) * (downs * k + triangle(downs - 1)) / falls);
    }
    case Schedule::Kind::inverse_root:
      break;
  }
  return {};
}

/// A weight whose gradient is zero, taken through AdamW itself, beside the sum of logarithms.
Check decays_alone(const ScheduleAsked& asked) {
  training::AdamSettings adam = asked.followed.adam;
  adam.decay = asked.decay;
  training::AdamW<double> optimiser(adam, 1);
  std::vector<double> weight{1};
  const std::vector<double> gradient{0};
  double logs = 0;
  for (double step = 1; step <= number(asked.followed.steps); ++step) {
    optimiser.step(weight, gradient, asked.rate(step));
    logs += std::log1p(-asked.rate(step) * asked.decay);
  }
  // Three roundings a step in the product; a logarithm and the sum's in the other.
  const double roundings = 3 * number(asked.followed.steps) * (2 + std::abs(std::isfinite(logs) ? logs : 0));
  return {"AdamW leaves of a weight without gradient what the decay takes from it and nothing more",
          std::abs(weight[0] - std::exp(logs)), roundings * 0x1p-53};
}

}  // namespace

std::vector<Check> schedule_checks(const ScheduleAsked& asked, const Followed& followed,
                                   const RatesFound& found) {
  const Schedule& s = asked.schedule;
  const double last = s.steps - 1 + asked.first;
  const double reached = s.warm_up == 0     ? asked.rate(1)
                         : s.warm_up > last ? s.highest * last / s.warm_up
                                            : s.highest;
  const double at = std::clamp(s.warm_up + 1 - asked.first, 1.0, s.steps);
  Worst passed;
  for (std::size_t i = 0; i < followed.largest.size(); ++i)
    passed.meet(followed.largest[i] / followed.allowed[i]);
  std::vector<Check> checks{
      // Where the end is no lower than the highest, later steps are as high.
      {"the highest rate is that at the end of the warm-up, or the first where there is none",
       std::max(std::abs(found.highest / reached - 1), found.highest_step > at ? 1.0 : 0.0), 0x1p-51},
      {"no direction is longer than Cauchy and Schwarz allow: at most as long", passed, 1 + 0x1p-40},
      {"the first step has the directions that one gradient gives, in their own lengths", followed.first_off,
       0x1p-50},
      decays_alone(asked),
  };
  if (const auto sum = sum_of_rates(asked)) {
    // Each of N sums loses a rounding of what is there yet; half of them on average, and the closed form a few.
    checks.push_back({"the rates of all steps add up to what a closed sum says, in highest rates",
                      std::abs(found.sum - *sum) / s.highest, (s.steps + 64) * s.steps * 0x1p-53});
  }
  return checks;
}

}  // namespace orrery::study
