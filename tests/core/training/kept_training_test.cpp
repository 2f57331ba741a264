// Trainings that are kept: stopped, killed, damaged and asked for again, they end in the same bits as one that was left alone.
#include "core/training/kept_training.h"

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "core/training/task.h"
#include "tests/support/files.h"
#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"

namespace orrery::training {
namespace {

using support::short_words;

Plan small_plan() {
  Plan plan;
  plan.settings = support::small_training(40);
  plan.task = "easy";
  plan.steps = 40;
  plan.batch = [](std::uint64_t step) { return short_words.training(1, step); };
  plan.looks = {0, 10, 25};
  return plan;
}

void nothing(double /*share*/) {}

/// Models this small have no work for several threads, and a child of one that has threads could not make its own.
class KeptTraining : public testing::Test {
 protected:
  void SetUp() override { omp_set_num_threads(1); }
  void TearDown() override { omp_set_num_threads(before_); }
  support::TemporaryFolder folder_;
  const Trained alone_ = [] {
    omp_set_num_threads(1);
    return train(small_plan(), {}, nothing);
  }();

 private:
  int before_ = omp_get_max_threads();
};

void expect_same(const Trained& a, const Trained& b) {
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.moved, b.moved);
  EXPECT_EQ(a.looks, b.looks);
}

TEST_F(KeptTraining, IsThatOfATrainerStepByStep) {
  const Plan plan = small_plan();
  Trainer trainer(plan.settings);
  std::vector<std::vector<float>> looks;
  for (std::int64_t step = 0; step <= plan.steps; ++step) {
    if (std::ranges::find(plan.looks, step) != plan.looks.end())
      looks.emplace_back(trainer.values().begin(), trainer.values().end());
    if (step == plan.steps) break;
    EXPECT_EQ(trainer.step(plan.batch(static_cast<std::uint64_t>(step))),
              alone_.losses[static_cast<std::size_t>(step)]);
  }
  EXPECT_TRUE(std::ranges::equal(trainer.values(), alone_.values));
  EXPECT_EQ(looks, alone_.looks);
}

TEST_F(KeptTraining, GoesOnWhereItWasStopped) {
  int calls = 0;
  const auto stop = [&](double) {
    if (++calls == 50) throw Cancelled();  // in the middle of a step
  };
  EXPECT_THROW(train(small_plan(), folder_.path(), stop), Cancelled);
  double first = -1;
  const Trained resumed = train(small_plan(), folder_.path(), [&](double share) {
    if (first < 0 && share > 0) first = share;
  });
  EXPECT_EQ(first, 10.0 / 40);  // the last look before it was stopped
  expect_same(resumed, alone_);
}

TEST_F(KeptTraining, IsThereAtOnceTheSecondTime) {
  train(small_plan(), folder_.path(), nothing);
  Plan again = small_plan();
  again.batch = [](std::uint64_t) -> Batch { throw Failure("a step is taken"); };
  expect_same(train(again, folder_.path(), nothing), alone_);
}

TEST_F(KeptTraining, KilledAtAnyMomentItEndsInTheSameBits) {
  const tensor::Random random(20261125, 1);
  for (std::uint64_t round = 0; round < 5; ++round) {
    const support::TemporaryFolder folder;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      train(small_plan(), folder.path(), nothing);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(40000 * random.uniform(round))));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    expect_same(train(small_plan(), folder.path(), nothing), alone_);
  }
}

TEST_F(KeptTraining, WhatIsDamagedIsTrainedAgain) {
  for (const char* ending : {".safetensors", ".course", ".weights"}) {
    const support::TemporaryFolder folder;
    train(small_plan(), folder.path(), nothing);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().extension() == ending)
        std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 3);
    expect_same(train(small_plan(), folder.path(), nothing), alone_);
  }
}

// A figure is made where nothing can be kept, and where another training of the same hash is.
TEST_F(KeptTraining, WhereNothingCanBeKeptItIsTrainedAllTheSame) {
  expect_same(train(small_plan(), "/proc/nowhere", nothing), alone_);
  EXPECT_EQ(kept_line("/proc/nowhere", "a", [] { return std::string("made"); }), "made");
  train(small_plan(), folder_.path(), nothing);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".txt") std::ofstream(entry.path()) << "another plan\n";
    if (entry.path().extension() == ".course") std::ofstream(entry.path()) << "its numbers";
  }
  expect_same(train(small_plan(), folder_.path(), nothing), alone_);
}

// A disk that is full from the start, before the weights of the first look, or before the first checkpoint.
TEST_F(KeptTraining, AFullDiskEndsNoTraining) {
  for (const rlim_t room : std::initializer_list<rlim_t>{0, 4096, 32768}) {
    const support::TemporaryFolder folder;
    const support::FullDisk full(room);
    expect_same(train(small_plan(), folder.path(), nothing), alone_);
    EXPECT_EQ(kept_line(folder.path(), std::string(room, 'a'), [] { return std::string("made"); }), "made");
  }
}

TEST_F(KeptTraining, AnotherPlanIsAnotherTraining) {
  std::vector<Plan> others(8, small_plan());
  others[0].task = "hard";
  others[1].steps = 41;
  others[2].settings.seed = 2;
  others[3].settings.model.window = 3;
  others[4].settings.model.score_log_n = attention::LogN{.trained = 4};
  others[5].settings.schedule.highest = 6e-3;
  others[6].from = alone_.values;
  others[7].settings.start.before_gain = 0.5;
  for (const Plan& other : others) EXPECT_NE(description_of(other), description_of(small_plan()));
}

TEST_F(KeptTraining, BeginsFromGivenWeights) {
  Plan plan = small_plan();
  plan.from = alone_.values;
  const Trained on = train(plan, {}, nothing);
  EXPECT_EQ(on.looks.front(), alone_.values);
  EXPECT_LT(on.losses.front(), alone_.losses.front());
  plan.from.pop_back();
  EXPECT_THROW(train(plan, {}, nothing), std::logic_error);
}

TEST_F(KeptTraining, ALineIsMadeOnce) {
  int made = 0;
  const auto make = [&] { return "line " + std::to_string(++made); };
  EXPECT_EQ(kept_line(folder_.path(), "a", make), "line 1");
  EXPECT_EQ(kept_line(folder_.path(), "a", make), "line 1");
  EXPECT_EQ(kept_line(folder_.path(), "b", make), "line 2");
  EXPECT_EQ(kept_line({}, "a", make), "line 3");
}

}  // namespace
}  // namespace orrery::training
