// A training of core/training/length_trial.h with every number of it on disk, for tests/reference/race_steps.py, which does the
// same in PyTorch from the same weights and batches:
//
//   build/release/tests/race_steps FOLDER SCHEME SEED [STEPS]
//
// Chains of 64 tokens; the folder is there; STEPS, where fewer than the plan has, stop it early.
//
//   scheme.txt       the scheme, and of how many steps the plan is
//   layout.txt       name, offset, rows, columns of every array
//   batches.i8       of every step its sequences, each with the token that is asked last
//   steps.f64        of every step its loss and the length of the gradient before it is clipped
//   gradient.STEP.f32, weights.STEP.f32     at steps 1, 2, 3, 10, 30, 100, 300, 1000 (and weights at 0 and at the end)
//   test.i8          the 256 chains of 512 tokens that models are tested on
//   above.txt        how far above their floor the model's loss lies by part of place_edges: as it is, and for a RoPE the last
//                    part of 128, 256 and 512 tokens with no rule, PI, NTK and YaRN
//
// Its loop is Trainer::step's, whose weights it is compared with, bit by bit, over the first five steps.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/training/clip.h"
#include "core/training/rescue.h"

using namespace orrery;
using namespace orrery::training;

namespace {

std::string folder;

template <class T>
void write(const std::string& name, std::span<const T> numbers) {
  std::ofstream file(folder + "/" + name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(numbers.data()), std::streamsize(numbers.size_bytes()));
  if (!file) throw std::runtime_error("cannot write " + name);
}

void add(std::vector<std::int8_t>& all, const Batch& batch) {
  for (Index b = 0; b < batch.sequences; ++b) {
    for (Index t = 0; t < batch.length; ++t)
      all.push_back(std::int8_t(batch.tokens[std::size_t(b * batch.length + t)]));
    all.push_back(std::int8_t(batch.targets[std::size_t((b + 1) * batch.length - 1)]));
  }
}

bool is_looked_at(std::int64_t step) {
  for (const int s : {1, 2, 3, 10, 30, 100, 300, 1000})
    if (s == step) return true;
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  folder = arguments[1];
  const std::string_view key = arguments[2];
  const auto seed = std::uint64_t(std::atoi(arguments[3]));
  const Runner* runner = nullptr;
  for (const Runner& each : runners())
    if (each.key == key) runner = &each;
  if (runner == nullptr) return 2;
  const Plan plan = trial_plan(markov_trial, *runner, 3000, seed);
  const std::int64_t steps =
      count > 4 ? std::min<std::int64_t>(plan.steps, std::atoi(arguments[4])) : plan.steps;

  const transformer::Transformer<float> model(plan.settings.model);
  std::vector<float> values = transformer::initial_values(model, plan.settings.start, seed);
  Trainer trainer(plan.settings);
  if (!plan.from.empty()) {
    values = plan.from;
    trainer.begin_from(plan.from);
  }
  std::ofstream layout(folder + "/layout.txt");
  for (const auto& array : model.layout().arrays())
    layout << array.name << ' ' << array.slot.offset << ' ' << array.slot.rows << ' ' << array.slot.cols
           << '\n';
  layout.close();
  std::ofstream(folder + "/plan.txt") << description_of(plan) << '\n';
  std::ofstream(folder + "/scheme.txt") << key << ' ' << plan.steps << '\n';
  write<float>("weights.0.f32", values);

  transformer::Tape<float> tape;
  std::vector<float> gradient(values.size());
  AdamW<float> adam(plan.settings.adam, values.size());
  std::vector<std::int8_t> batches;
  std::vector<double> told;
  for (std::int64_t step = 1; step <= steps; ++step) {
    const Batch batch = plan.batch(std::uint64_t(step - 1));  // as kept_training.cpp counts
    add(batches, batch);
    std::ranges::fill(gradient, 0.0F);
    model.forward(values, batch, tape);
    told.push_back(model.loss(batch, tape));
    model.backward(values, batch, tape, gradient);
    if (is_looked_at(step)) write<float>("gradient." + std::to_string(step) + ".f32", gradient);
    told.push_back(clip(std::span(gradient), plan.settings.clip));
    adam.step(values, gradient, learning_rate(plan.settings.schedule, double(step)));
    if (step <= 5) {
      trainer.step(batch);
      if (!std::ranges::equal(values, trainer.values())) throw std::logic_error("not the trainer's step");
    }
    if (is_looked_at(step) || step == steps) write<float>("weights." + std::to_string(step) + ".f32", values);
  }
  write<std::int8_t>("batches.i8", batches);
  write<double>("steps.f64", told);

  std::vector<std::int8_t> test;
  for (Index first = 0; first < 256; first += 4)
    add(test, MarkovTask{}.of_length(512, 4, 777, std::uint32_t(first)));
  write<std::int8_t>("test.i8", test);
  const transformer::Config config = transformer::resolved(plan.settings.model);
  std::ofstream above(folder + "/above.txt");
  above << "parts";
  for (const double x : above_floor(config, values, 512, [] {})) above << ' ' << x;
  above << '\n';
  if (key == "rope")
    for (const Treatment& treatment : treatments()) {
      if (treatment.key != "none" && treatment.key != "pi" && treatment.key != "ntk" &&
          treatment.key != "yarn")
        continue;
      above << treatment.key;
      for (const Index tokens : rescue_chains)
        above
            << ' '
            << above_floor(treated(treatment, Task::markov, config, double(tokens) / 64), values, tokens, [] {
               }).back();
      above << '\n';
    }
}
