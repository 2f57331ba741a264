#include "app/study/block/placement_checks.h"

#include <algorithm>
#include <cmath>

#include "app/study/kit.h"

namespace orrery::study::block_placement {
namespace {

double largest_part_of_allowed(const Sweep& sweep) {
  Worst worst;
  for (const auto& [place, by_depth] : sweep)
    for (const auto& seeds : by_depth)
      for (const Measured& model : seeds) worst.meet(model.gradients.back() / model.allowed);
  return worst;
}

}  // namespace

Check gradient_is_slope(const Run& run, const Asked& asked) {
  Asked small = asked;
  small.width = small.hidden = 16;
  small.heads = 2;
  small.tokens = 6;
  transformer::Config config = small.config(*asked.followed, 2);
  config.vocabulary = 11;
  config.activation = activation::Kind::gelu;
  InitialPass<double> pass(config);
  InitialDraws draws = draws_of(small, 0);
  draws.fill(run, pass);
  pass.scale(transformer::Role::query, asked.score_gain);
  const transformer::Batch batch = initial_batch(config.vocabulary, 1, small.tokens, asked.seed);
  pass.forward(run, batch);
  pass.backward(run, batch);
  const std::vector<double> start = pass.values;
  double square = 0;
  for (const double g : pass.gradient) square += g * g;
  const double size = std::sqrt(square), loss = pass.loss;
  const auto slope = [&](double step) {
    const auto loss_at = [&](double t) {
      for (std::size_t i = 0; i < start.size(); ++i) pass.values[i] = start[i] + t * pass.gradient[i] / size;
      pass.forward(run, batch);
      return pass.loss;
    };
    return (loss_at(step) - loss_at(-step)) / (2 * step);
  };
  // The error of a central difference grows with the square of the step: between one and twice it, by three times the smaller
  // one. A loss is off by a rounding for each term of the sums on its way, some hundreds.
  constexpr double step = 1e-4, terms = 1024;
  const double near = slope(step), far = slope(2 * step);
  return {"the gradient of a small model is the slope of its loss", std::abs(near / size - 1),
          (std::abs(far - near) + terms * 0x1p-53 * loss / step) / size};
}

double deviations_outside(const Law& law, const std::vector<double>& squares) {
  Worst worst;
  for (std::size_t l = 0; l < squares.size(); ++l) {
    const double x = squares[l];
    // 2^-20: what float and double lose in so many layers, and eps.
    const double deviation = law.deviation[l] + 0x1p-20 * law.most[l];
    worst.meet(std::max({law.least[l] - x, x - law.most[l], 0.0}) / deviation);
  }
  return worst;
}

std::vector<Check> checks_of(const Run& run, const Asked& asked, const Sweep& sweep,
                             const std::vector<double>& normed_logits) {
  const double unit = twin::unit_roundoff(run),
               terms = number(asked.width + asked.hidden + asked.tokens + 64);
  const double allowed = largest_normed_logit(asked);
  const std::vector<Measured>& deepest = sweep.at(asked.followed).back();
  const Law law = law_of(asked, *asked.followed, std::ssize(deepest.front().gradients));
  Worst outside;
  for (const Measured& model : deepest) outside.meet(deviations_outside(law, model.squares));
  return {
      {"mean squares are outside of their law by so many deviations", outside, deviations_allowed},
      {"the last layer's gradient, as a part of what the norms let through", largest_part_of_allowed(sweep),
       1 + unit * terms},
      gradient_is_slope(run, asked),
      {"no logit of normed queries and keys is larger than vectors of their length allow",
       largest(normed_logits), allowed * (1 + unit * terms)},
  };
}

}  // namespace orrery::study::block_placement
