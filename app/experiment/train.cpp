#include "app/experiment/train.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/file/safetensors.h"
#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// Every so many steps a line of losses.csv.
std::int64_t stride_of(std::int64_t steps) {
  constexpr std::int64_t lines = 1000;
  return std::max<std::int64_t>(1, steps / lines);
}

/// Tokens, targets, logits and their softmax of a whole batch are there at once, whatever the model is: a batch of more
/// than the machine's memory would be made for minutes before that is noticed.
void check_batch(const Plan& plan) {
  const Index sequences = plan.task->sequences(), length = plan.task->trained();
  const double each = 2 * sizeof(Index) + 2 * sizeof(float) * static_cast<double>(plan.task->vocabulary()),
               least = static_cast<double>(sequences) * static_cast<double>(length) * each,
               memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  if (memory <= 0 || least <= memory) return;
  constexpr double gigabyte = 1e9;
  throw Failure(
      about(Subject::Kind::key, "task")
          .fault("a batch of {} sequences of {} tokens takes {} GB or more, and this machine has {}",
                 sequences, length, static_cast<std::int64_t>(least / gigabyte),
                 static_cast<std::int64_t>(memory / gigabyte))
          .allowed("fewer sequences or a smaller length"));
}

/// Learned positions that a checkpoint has beyond those that are read: trainings began with a row for every token that is
/// asked before a window that slides made them fewer, and go on with all of them.
Index rows_kept(const RunFolder& folder, const transformer::Config& model) {
  if (model.positions != transformer::Positions::learned || !folder.has_checkpoint()) return model.length;
  Index rows = model.length;
  for (const file::SafetensorsEntry& each : file::read_safetensors_header(folder.checkpoint()).entries)
    if (each.name.ends_with(".position_embedding.weight") && each.shape.size() == 2 &&
        each.shape[1] == model.width)
      rows = std::max(rows, each.shape[0]);
  return rows;
}

}  // namespace

training::Trainer trainer_of(const RunFolder& folder, const Plan& plan) {
  training::TrainerSettings settings = plan.trainer;
  settings.model.length = rows_kept(folder, settings.model);
  check_size(settings.model);  // rows that only the checkpoint has count too
  training::Trainer trainer(settings);
  if (folder.has_checkpoint()) trainer.load(folder.checkpoint());
  return trainer;
}

Trained train(const RunFolder& folder, const Plan& plan, const TrainOptions& options) {
  check_batch(plan);
  folder.check_free();
  make_folder(folder.path());
  const FolderLock lock(folder.path());
  folder.begin(plan);
  training::Trainer trainer = trainer_of(folder, plan);
  const std::int64_t steps = plan.steps(), stride = stride_of(steps);
  Trained ended{.begun_at = trainer.steps(), .step = trainer.steps(), .steps = steps, .loss = NAN};
  if (trainer.steps() > steps)
    throw Failure(about(Subject::Kind::file, folder.checkpoint().string())
                      .fault("{} steps were done, and the training has {}", trainer.steps(), steps));
  std::vector<LossLine> losses = folder.read_losses(trainer.steps());
  if (!losses.empty()) ended.loss = losses.back().loss;
  const Clock::time_point began = Clock::now();
  Clock::time_point saved = began;
  std::int64_t saved_at = folder.has_checkpoint() ? trainer.steps() : -1;
  const auto save = [&] {
    if (saved_at == trainer.steps()) return;
    folder.write_losses(losses);
    trainer.save(folder.checkpoint());
    saved = Clock::now();
    saved_at = trainer.steps();
  };
  const auto stopped = [&] { return options.stopped && options.stopped(); };
  while (trainer.steps() < steps && !stopped()) {
    const std::int64_t step = trainer.steps();
    try {
      ended.loss = trainer.step(plan.task->training(plan.seed(), static_cast<std::uint64_t>(step)), [&] {
        if (stopped()) throw Cancelled();
      });
    } catch (const Cancelled&) {
      break;
    }
    if ((step + 1) % stride == 0 || step + 1 == steps)
      losses.push_back(
          {.step = step + 1,
           .loss = ended.loss,
           .rate = training::learning_rate(plan.trainer.schedule, static_cast<double>(step + 1))});
    if (options.tell) {
      const double each = seconds_since(began) / static_cast<double>(trainer.steps() - ended.begun_at);
      options.tell({.step = trainer.steps(),
                    .steps = steps,
                    .loss = ended.loss,
                    .seconds_left = each * static_cast<double>(steps - trainer.steps())});
    }
    if (seconds_since(saved) >= options.checkpoint_seconds) save();
  }
  save();
  ended.step = trainer.steps();
  ended.left_out = trainer.left_out();
  ended.seconds = seconds_since(began);
  return ended;
}

}  // namespace orrery::experiment
