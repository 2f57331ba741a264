#include "app/study/extrapolation/small_gradient.h"

#include <cmath>
#include <vector>

#include "core/training/task.h"
#include "core/transformer/initialise.h"

namespace orrery::study {

Check gradient_is_slope(transformer::Config config) {
  const training::CopyTask task{.content = 4};
  config.vocabulary = task.vocabulary();
  config.length = 16;
  config.width = config.hidden = 8;
  config.heads = 2;
  config.key_value_heads = config.head_width = 0;
  config.layers = 2;
  // Two pairs to a head: the fastest and the slowest.
  if (std::vector<double>& all = config.rope.frequencies; !all.empty()) all = {all.front(), all.back()};
  const transformer::Transformer<double> model(config);
  std::vector<double> values = transformer::initial_values(
                          model, {.spread = transformer::Spread::lecun_normal, .embedding_deviation = 0.5},
                          1),
                      gradient(values.size());
  const training::Batch batch = task.of_length(3, 2, 1);
  transformer::Tape<double> tape;
  model.forward(values, batch, tape);
  model.loss(batch, tape);
  model.backward(values, batch, tape, gradient);
  double square = 0;
  for (const double g : gradient) square += g * g;
  const double norm = std::sqrt(square);
  constexpr double step = 1e-4;
  const auto loss_at = [&](double t) {
    std::vector<double> moved = values;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += t * gradient[i] / norm;
    model.forward(moved, batch, tape);
    return model.loss(batch, tape);
  };
  const double slope = (loss_at(step) - loss_at(-step)) / (2 * step);
  // What a difference leaves out is step²/6 of the third derivative, about a hundred times the slope at most.
  return {"the gradient of a small model is the slope of its loss", std::abs(slope / norm - 1), 1e-6};
}

}  // namespace orrery::study
