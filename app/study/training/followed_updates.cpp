#include "app/study/training/followed_updates.h"

#include <algorithm>
#include <cmath>

#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"
#include "core/tensor/random.h"
#include "core/training/clip.h"

namespace orrery::study {
namespace {

/// The usual length: the root of the mean square over many steps.
double usual_length(const FollowedAsked& asked) {
  return asked.size * std::sqrt(number(followed_parameters) * (1 + asked.mean * asked.mean));
}

std::vector<double> gradient_at(const FollowedAsked& asked, std::int64_t step, bool spike) {
  const tensor::Random random(asked.seed);
  std::vector<double> g(followed_parameters);
  const double size = asked.size * (spike ? *asked.spike : 1);
  for (std::size_t i = 0; i < g.size(); ++i)
    g[i] = size * (asked.mean + random.normal(static_cast<std::uint64_t>(step) * g.size() + i));
  if (asked.clip) training::clip(std::span(g), *asked.clip * usual_length(asked));
  return g;
}

/// m and v hold one gradient yet: (1 − β₁)g and (1 − β₂)g², or g and g² once corrected.
double first_direction(const training::AdamSettings& adam, double g) {
  if (adam.corrected) return g / (std::abs(g) + adam.eps);
  return (1 - adam.beta1) * g / (std::sqrt(1 - adam.beta2) * std::abs(g) + adam.eps);
}

}  // namespace

Followed follow(const FollowedAsked& asked) {
  training::AdamSettings adam = asked.adam;
  adam.decay = 0;
  training::AdamW<double> optimiser(adam, followed_parameters);
  Followed all;
  all.spike = asked.spike ? (asked.steps + 1) / 2 : 0;
  std::vector<double> moved(followed_parameters);
  Worst first;
  for (std::int64_t t = 1; t <= asked.steps; ++t) {
    const std::vector<double> g = gradient_at(asked, t, t == all.spike);
    std::ranges::fill(moved, 0.0);
    optimiser.step(moved, g, 1);  // from 0, at rate 1: minus the directions
    double squares = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      squares += moved[i] * moved[i];
      if (const double one = first_direction(adam, g[i]); t == 1)
        first.meet(one == 0 ? std::abs(moved[i]) : std::abs(moved[i] / one + 1));
    }
    all.root_mean_square.push_back(std::sqrt(squares / number(moved.size())));
    all.largest.push_back(largest(moved));
    all.allowed.push_back(training::largest_direction(adam, t));
  }
  all.first_off = first;
  return all;
}

}  // namespace orrery::study
