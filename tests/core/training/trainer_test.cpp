// A training: it learns, it is the same for any number of threads, and it goes on where it was.
#include "core/training/trainer.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "core/tensor/error.h"
#include "core/training/task.h"
#include "tests/support/temporary_folder.h"

namespace orrery::training {
namespace {

const CopyTask easy{.content = 6, .shortest = 2, .longest = 4, .tokens = 120};

TrainerSettings small(std::uint64_t seed = 1) {
  TrainerSettings s;
  s.model.vocabulary = easy.vocabulary();
  s.model.length = 16;
  s.model.width = 16;
  s.model.heads = 2;
  s.model.hidden = 32;
  s.model.layers = 2;
  s.model.norm = {.kind = transformer::NormKind::rms};
  s.model.tied = false;
  s.start = {.spread = transformer::Spread::lecun_normal, .embedding_deviation = 0.3};
  s.adam = {.beta2 = 0.98};
  s.schedule = {.kind = Schedule::Kind::cosine, .highest = 5e-3, .warm_up = 20, .steps = 600};
  s.seed = seed;
  return s;
}

/// A model as small as these has no work for several threads, and they would wait for each other where the machine is busy.
class OneThread {
 public:
  OneThread() { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = omp_get_max_threads();
};

TEST(Trainer, LearnsToCopy) {
  const OneThread one;
  Trainer trainer(small());
  double first = 0, last = 0;
  for (int s = 0; s < 600; ++s) (s == 0 ? first : last) = trainer.step(easy.training(1, std::uint64_t(s)));
  EXPECT_NEAR(first, std::log(8), 1.2);  // eight tokens, nothing known, logits of about 1
  transformer::Tape<float> tape;
  const Score score = score_of(trainer.model(), trainer.values(), easy.of_length(3, 50, 99), tape);
  EXPECT_GT(score.accuracy, 0.9) << last;
  EXPECT_TRUE(std::isnan(score.accuracy_by_place[3]));
  EXPECT_FALSE(std::isnan(score.accuracy_by_place[4]));
}

TEST(Trainer, IsTheSameForAnyNumberOfThreads) {
  std::vector<std::vector<float>> ends;
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    Trainer trainer(small());
    for (std::uint64_t s = 0; s < 10; ++s) trainer.step(easy.training(1, s));
    ends.emplace_back(trainer.values().begin(), trainer.values().end());
  }
  omp_set_num_threads(before);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(Trainer, GoesOnFromACheckpointAsIfNothingHadBeen) {
  const OneThread one;
  const support::TemporaryFolder folder;
  const auto path = folder.path() / "at-7.safetensors";
  Trainer whole(small());
  for (std::uint64_t s = 0; s < 7; ++s) whole.step(easy.training(1, s));
  whole.save(path);
  Trainer other(small(2));
  other.load(path);
  EXPECT_EQ(other.steps(), 7);
  for (std::uint64_t s = 7; s < 12; ++s)
    EXPECT_EQ(whole.step(easy.training(1, s)), other.step(easy.training(1, s)));
  EXPECT_TRUE(std::ranges::equal(whole.values(), other.values()));
}

TEST(Trainer, ACheckpointOfAnotherModelIsRefusedAndNothingChanges) {
  const support::TemporaryFolder folder;
  const auto path = folder.path() / "other.safetensors";
  Trainer(small()).save(path);
  TrainerSettings wider = small();
  wider.model.hidden = 48;
  Trainer trainer(wider);
  const std::vector<float> before(trainer.values().begin(), trainer.values().end());
  EXPECT_THROW(trainer.load(path), Failure);
  EXPECT_TRUE(std::ranges::equal(trainer.values(), before));
}

TEST(Trainer, AGradientThatIsNoNumberIsLeftOut) {
  TrainerSettings settings = small();
  settings.start.deviation = 1e30;
  settings.start.spread = transformer::Spread::normal;
  Trainer trainer(settings);
  const std::vector<float> before(trainer.values().begin(), trainer.values().end());
  trainer.step(easy.training(1, 0));
  EXPECT_EQ(trainer.left_out(), 1);
  EXPECT_EQ(trainer.steps(), 1);
  EXPECT_TRUE(std::ranges::equal(trainer.values(), before));
}

}  // namespace
}  // namespace orrery::training
