// Asked by position, with a window, and with rules for rotary positions.
#include "core/training/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/tensor/error.h"
#include "core/training/task.h"

namespace orrery::training {
namespace {

using transformer::Positions;

const MarkovTask chain{.states = 5, .length = 12, .sequences = 3};

TrainerSettings small(Positions positions) {
  TrainerSettings s;
  s.model = {.vocabulary = 5,
             .length = 64,
             .width = 16,
             .layers = 2,
             .heads = 2,
             .hidden = 32,
             .positions = positions,
             .tied = false};
  s.start = {.spread = transformer::Spread::lecun_normal, .embedding_deviation = 1};
  return s;
}

TEST(Evaluate, WholeIsWhatScoreOfSays) {
  const Trainer trainer(small(Positions::learned));
  const Batch batch = chain.of_length(20, 4, 3);
  const std::vector<double> floor = chain.floor_of(batch);
  transformer::Tape<float> tape;
  const Score one = score_of(trainer.model(), trainer.values(), batch, tape);
  Tally sums;
  tally(trainer.model(), trainer.values(), batch, floor, 0, tape, sums);
  const Score score = sums.score();
  EXPECT_NEAR(score.loss, one.loss, 1e-12);
  EXPECT_EQ(score.accuracy, one.accuracy);
  ASSERT_EQ(score.loss_by_place.size(), 20u);
  for (std::size_t t = 0; t < 20; ++t) EXPECT_NEAR(score.loss_by_place[t], one.loss_by_place[t], 1e-12);
  double mean = 0;
  for (const double x : floor) mean += x / 80;
  EXPECT_NEAR(sums.floor(), mean, 1e-12);
  EXPECT_EQ(sums.floor_by_place().size(), 20u);
}

/// What a model says of the token behind the last of these.
double loss_of_last(const Trainer& trainer, std::span<const Index> tokens, Index target) {
  Batch batch{.sequences = 1, .length = static_cast<Index>(tokens.size())};
  batch.tokens.assign(tokens.begin(), tokens.end());
  batch.targets.assign(tokens.size(), transformer::no_target);
  batch.targets.back() = target;
  transformer::Tape<float> tape;
  return score_of(trainer.model(), trainer.values(), batch, tape).loss;
}

// By the definition: one token at a time, with its own few tokens before it.
TEST(Evaluate, AWindowSlides) {
  for (const Positions positions : {Positions::learned, Positions::rope, Positions::alibi}) {
    const Trainer trainer(small(positions));
    const Batch batch = chain.of_length(17, 2, 5);
    transformer::Tape<float> tape;
    Tally sums;
    int passes = 0;
    tally(
        trainer.model(), trainer.values(), batch, chain.floor_of(batch), 6, tape, sums, [&] { ++passes; }, 4);
    EXPECT_EQ(passes, 1 + (2 * 11 + 3) / 4);
    const Score score = sums.score();
    for (std::size_t t = 0; t < 17; ++t) {
      double expected = 0;
      for (std::size_t b = 0; b < 2; ++b) {
        const std::size_t n = 17 * b + t, few = std::min<std::size_t>(t + 1, 6);
        expected +=
            loss_of_last(trainer, std::span(batch.tokens).subspan(n + 1 - few, few), batch.targets[n]) / 2;
      }
      // Batches of other shapes are summed in other orders: a few roundings of logits of about 4.
      EXPECT_NEAR(score.loss_by_place[t], expected, 1e-5) << t;
    }
  }
}

TEST(Evaluate, AWindowOfAllIsTheWhole) {
  const Trainer trainer(small(Positions::rope));
  const Batch batch = chain.of_length(9, 2, 5);
  transformer::Tape<float> tape;
  Tally whole, windowed;
  tally(trainer.model(), trainer.values(), batch, {}, 0, tape, whole);
  tally(trainer.model(), trainer.values(), batch, {}, 9, tape, windowed);
  EXPECT_EQ(whole.score().loss_by_place, windowed.score().loss_by_place);
}

TEST(Evaluate, PlacesWithoutTargetsAreNoNumbers) {
  const CopyTask copy{.content = 3};
  const Trainer trainer(small(Positions::none));
  transformer::Tape<float> tape;
  Tally sums;
  tally(trainer.model(), trainer.values(), copy.of_length(3, 2, 1), {}, 0, tape, sums);
  tally(trainer.model(), trainer.values(), copy.of_length(3, 4, 2), {}, 3, tape, sums);
  const Score score = sums.score();
  ASSERT_EQ(score.loss_by_place.size(), 7u);
  for (std::size_t t = 0; t < 7; ++t) EXPECT_EQ(std::isnan(score.loss_by_place[t]), t < 4) << t;
  EXPECT_FALSE(std::isnan(score.loss));
}

TEST(Evaluate, RulesSlowRotaryPositionsDown) {
  transformer::Config model = small(Positions::rope).model;
  const transformer::Config kept = extended(model, {.trained = 64}, 256);
  EXPECT_TRUE(kept.rope.frequencies.empty());
  const transformer::Config slower =
      extended(model, {.rule = position::RopeType::linear, .trained = 64}, 256);
  ASSERT_EQ(slower.rope.frequencies.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(slower.rope.frequencies[i], std::pow(10000, -double(i) / 4) / 4, 1e-15);
  const transformer::Config shorter =
      extended(model, {.rule = position::RopeType::linear, .trained = 64}, 16);
  EXPECT_EQ(shorter.rope.frequencies[0], 1) << "never below 1";
  const transformer::Config fixed =
      extended(model, {.rule = position::RopeType::linear, .trained = 64, .factor = 8}, 16);
  EXPECT_EQ(fixed.rope.frequencies[0], 1.0 / 8);
  const transformer::Config yarn = extended(model, {.rule = position::RopeType::yarn, .trained = 64}, 256);
  EXPECT_NEAR(yarn.rope.attention_factor, 0.1 * std::log(4) + 1, 1e-15);
  model.positions = Positions::alibi;
  EXPECT_TRUE(
      extended(model, {.rule = position::RopeType::linear, .trained = 64}, 256).rope.frequencies.empty());
}

}  // namespace
}  // namespace orrery::training
