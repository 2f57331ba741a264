// A training: it learns, it is the same for any number of threads, and it goes on where it was.
#include "core/training/trainer.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/tensor/error.h"
#include "core/training/task.h"
#include "tests/support/small_training.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/threads.h"

namespace orrery::training {
namespace {

const CopyTask easy = [] {
  CopyTask task = support::short_words;
  task.tokens = 120;
  return task;
}();

TrainerSettings small(std::uint64_t seed = 1) {
  TrainerSettings s = support::small_training(600);
  s.model.norm = {.kind = transformer::NormKind::rms};
  s.start = {.spread = transformer::Spread::lecun_normal, .embedding_deviation = 0.3};
  s.adam = {.beta2 = 0.98};
  s.schedule.kind = Schedule::Kind::cosine;
  s.schedule.warm_up = 20;
  s.seed = seed;
  return s;
}

/// A model as small as these has no work for several threads, and they would wait for each other where the machine is busy.
struct OneThread : support::Threads {
  OneThread() : Threads(1) {}
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

// What a file says of its steps is believed only where it can be: nothing is read past what there is, nothing counted from −5.
TEST(Trainer, ACheckpointsCountsAreCounts) {
  const support::TemporaryFolder folder;
  const auto path = folder.path() / "c.safetensors";
  Trainer(small()).save(path);
  std::ifstream in(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const std::string said = R"("training/steps":{"dtype":"I64","shape":[2],"data_offsets":[0,16]})";
  ASSERT_NE(whole.find(said), whole.npos);
  // Of as many letters, so that the rest of the file stays where it is.
  for (const std::string other : {R"("training/steps":{"dtype":"F32","shape":[4],"data_offsets":[0,16]})",
                                  R"("training/steps":{"dtype":"U64","shape":[1],"data_offsets":[0, 8]})",
                                  R"("training/stepz":{"dtype":"I64","shape":[2],"data_offsets":[0,16]})"}) {
    std::string changed = whole;
    changed.replace(changed.find(said), said.size(), other);
    std::ofstream(path, std::ios::binary) << changed;
    Trainer trainer(small(2));
    const std::vector<float> before(trainer.values().begin(), trainer.values().end());
    EXPECT_THROW(trainer.load(path), Failure) << other;
    EXPECT_TRUE(std::ranges::equal(trainer.values(), before));
  }
  const std::size_t data =
      8 + static_cast<unsigned char>(whole[0]) + 256 * static_cast<unsigned char>(whole[1]);
  for (const std::int64_t wrong : {std::int64_t{-5}, std::int64_t{1} << 60}) {
    std::string changed = whole;
    std::memcpy(&changed[data], &wrong, sizeof wrong);
    std::ofstream(path, std::ios::binary) << changed;
    EXPECT_THROW(Trainer(small()).load(path), Failure) << wrong;
  }
}

TEST(Trainer, ACheckpointOfAnotherShapeIsRefused) {
  const support::TemporaryFolder folder;
  const auto path = folder.path() / "c.safetensors";
  Trainer(small()).save(path);
  std::ifstream in(path, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = whole.find("\"shape\":[16,32]");
  ASSERT_NE(at, whole.npos);
  whole.replace(at, 15, "\"shape\":[32,16]");
  std::ofstream(path, std::ios::binary) << whole;
  EXPECT_THROW(Trainer(small()).load(path), Failure);
}

// Logits that are no numbers meet no target: not even the first word.
TEST(Trainer, NothingIsMetByWhatIsNoNumber) {
  const Trainer trainer(small());
  std::vector<float> values(trainer.values().begin(), trainer.values().end());
  std::ranges::fill(values, NAN);
  transformer::Tape<float> tape;
  transformer::Batch batch{.sequences = 1, .length = 3, .tokens = {0, 1, 2}, .targets = {0, 0, 0}};
  const Score score = score_of(trainer.model(), values, batch, tape);
  EXPECT_TRUE(std::isnan(score.loss));
  EXPECT_EQ(score.accuracy, 0);
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
