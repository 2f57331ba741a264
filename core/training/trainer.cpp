#include "core/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/training/clip.h"

namespace orrery::training {

Trainer::Trainer(const TrainerSettings& settings)
    : settings_(settings),
      model_(settings.model),
      values_(initial_values(model_, settings.start, settings.seed)),
      gradient_(values_.size()),
      adam_(settings.adam, values_.size()) {}

void Trainer::begin_from(std::span<const float> values) {
  if (values.size() != values_.size() || steps() != 0)
    throw std::logic_error("a training begins with as many weights as its model has");
  std::ranges::copy(values, values_.begin());
}

double Trainer::step(const transformer::Batch& batch, const std::function<void()>& between) {
  const auto pause = [&] {
    if (between) between();
  };
  pause();
  std::ranges::fill(gradient_, 0.0F);
  model_.forward(values_, batch, tape_);
  const double loss = model_.loss(batch, tape_);
  pause();
  model_.backward(values_, batch, tape_, gradient_);
  pause();
  const double rate = learning_rate(settings_.schedule, static_cast<double>(steps() + 1));
  if (std::isfinite(clip(std::span(gradient_), settings_.clip)))
    adam_.step(values_, gradient_, rate);
  else
    ++left_out_;
  return loss;
}

bool is_met(const transformer::Tape<float>& tape, std::size_t row, tensor::Index target) {
  if (std::isnan(tape.loss.by_token[row])) return false;
  Eigen::Index best = 0;
  tape.logits.row(static_cast<Eigen::Index>(row)).maxCoeff(&best);
  return best == target;
}

Score score_of(const transformer::Transformer<float>& model, std::span<const float> values,
               const transformer::Batch& batch, transformer::Tape<float>& tape) {
  model.forward(values, batch, tape);
  Score score;
  score.loss = model.loss(batch, tape);
  const auto length = static_cast<std::size_t>(batch.length);
  std::vector<double> losses(length), met(length), counted(length);
  double all = 0, all_met = 0;
  for (std::size_t n = 0; n < batch.targets.size(); ++n) {
    if (batch.targets[n] == transformer::no_target) continue;
    const double hit = is_met(tape, n, batch.targets[n]) ? 1 : 0;
    losses[n % length] += tape.loss.by_token[n];
    met[n % length] += hit;
    ++counted[n % length];
    all_met += hit;
    ++all;
  }
  score.accuracy = all > 0 ? all_met / all : NAN;
  for (std::size_t t = 0; t < length; ++t) {
    score.loss_by_place.push_back(counted[t] > 0 ? losses[t] / counted[t] : NAN);
    score.accuracy_by_place.push_back(counted[t] > 0 ? met[t] / counted[t] : NAN);
  }
  return score;
}

}  // namespace orrery::training
