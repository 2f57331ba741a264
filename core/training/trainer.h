// A training: a model, AdamW, a schedule and clipping, one batch at a time.
//
//   gradient of the mean loss  →  clip  →  AdamW at the step's rate
//
// The same bits for any number of threads on one processor: every sum has one order (transformer.h, adam_w.h, clip.h). A
// checkpoint has all that the next step needs, so that a training that was stopped goes on as if it had not been.
// What no loss can be had of (a gradient that is no finite number) is left out and counted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/training/adam_w.h"
#include "core/training/schedule.h"
#include "core/transformer/initialise.h"

namespace orrery::training {

struct TrainerSettings {
  transformer::Config model = {};
  transformer::Initialisation start = {};
  AdamSettings adam = {};
  Schedule schedule = {};
  double clip = 1;  ///< the longest gradient
  std::uint64_t seed = 1;
};

class Trainer {
 public:
  /// Throws InvalidArgument for a model that cannot be.
  explicit Trainer(const TrainerSettings&);

  /// One step on a batch; returns its loss from before. `between` is called before the way forward, before the way back and
  /// before the weights change; where it throws, they did not.
  double step(const transformer::Batch&, const std::function<void()>& between = {});
  /// Weights of another training of the same model, before the first step.
  void begin_from(std::span<const float> values);
  std::int64_t steps() const { return adam_.steps() + left_out_; }
  std::int64_t left_out() const { return left_out_; }

  const transformer::Transformer<float>& model() const { return model_; }
  std::span<const float> values() const { return values_; }

  /// As .safetensors: every array of the model by its name, both moments, and how far it is. Throws Failure.
  void save(const std::filesystem::path&);
  /// Throws Failure for a file that is none of this model's.
  void load(const std::filesystem::path&);

 private:
  TrainerSettings settings_;
  transformer::Transformer<float> model_;
  std::vector<float> values_, gradient_;
  AdamW<float> adam_;
  std::int64_t left_out_ = 0;
  transformer::Tape<float> tape_;
};

/// How well a model does on a batch: of all of its targets, and by their place in their sequence.
struct Score {
  double loss = 0, accuracy = 0;
  std::vector<double> loss_by_place, accuracy_by_place;  ///< NaN at places without a target
};

/// A target is met where its logit is the largest, the first of several, and none where a logit is no number. Of the row of a
/// tape whose loss was taken.
bool is_met(const transformer::Tape<float>&, std::size_t row, tensor::Index target);
Score score_of(const transformer::Transformer<float>&, std::span<const float> values,
               const transformer::Batch&, transformer::Tape<float>&);

}  // namespace orrery::training
