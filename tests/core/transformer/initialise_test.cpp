#include "core/transformer/initialise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/core/transformer/models.h"

namespace orrery::transformer::initialise_test {
namespace {

Config wide() {
  Config c;
  c.vocabulary = 200;
  c.length = 50;
  c.width = 60;
  c.layers = 3;
  c.heads = 4;
  c.hidden = 150;
  return c;
}

struct Started {
  Started(const Config& config, const Initialisation& start, std::uint64_t seed = 1)
      : model(config), values(initial_values(model, start, seed)) {}

  std::span<const double> numbers(const std::string& name) const {
    return model.layout().find(name)->slot.numbers(Values<double>(values));
  }
  /// The root of the mean square.
  double deviation(const std::string& name) const {
    double sum = 0;
    for (const double v : numbers(name)) sum += v * v;
    return std::sqrt(sum / static_cast<double>(numbers(name).size()));
  }
  Transformer<double> model;
  std::vector<double> values;
};

const std::string layer = "decoder.layers.1.";

/// The deviation of n drawn numbers is off by its 1/√2n part in the mean; four times that, of 3600 to 12 000 numbers.
void expect_deviation(double found, double expected) {
  EXPECT_NEAR(found / expected, 1, 0.05);
}

TEST(Initialise, HasTheDeviationsOfItsRule) {
  const Started gpt2(wide(), {});
  expect_deviation(gpt2.deviation("token_embedding.weight"), 0.02);
  expect_deviation(gpt2.deviation("decoder.position_embedding.weight"), 0.02);
  expect_deviation(gpt2.deviation(layer + "self_attention.q.weight"), 0.02);
  expect_deviation(gpt2.deviation(layer + "self_attention.out.weight"), 0.02 / std::sqrt(6));
  expect_deviation(gpt2.deviation(layer + "feed_forward.up.weight"), 0.02);
  expect_deviation(gpt2.deviation(layer + "feed_forward.down.weight"), 0.02 / std::sqrt(6));
  for (const double v : gpt2.numbers(layer + "feed_forward.up.bias")) EXPECT_EQ(v, 0);
  for (const double v : gpt2.numbers("decoder.norm.weight")) EXPECT_EQ(v, 1);

  const auto up = [](Spread spread) {
    return Started(wide(), {.spread = spread, .into_stream = IntoStream::as_others})
        .deviation(layer + "feed_forward.up.weight");
  };
  expect_deviation(up(Spread::lecun_normal), std::sqrt(1.0 / 60));
  expect_deviation(up(Spread::he_normal), std::sqrt(2.0 / 60));
  expect_deviation(up(Spread::xavier_normal), std::sqrt(2.0 / 210));
  expect_deviation(up(Spread::xavier_uniform), std::sqrt(2.0 / 210));

  const Started uniform(wide(), {.spread = Spread::xavier_uniform});
  const auto [least, most] = std::ranges::minmax(uniform.numbers(layer + "feed_forward.up.weight"));
  EXPECT_GE(least, -std::sqrt(6.0 / 210));
  EXPECT_LE(most, std::sqrt(6.0 / 210));
  EXPECT_GT(most, 0.99 * std::sqrt(6.0 / 210));
}

TEST(Initialise, KnowsWhatGoesIntoTheStream) {
  Config c = wide();
  c.placement = Placement::sandwich;
  const Started zero(c, {.into_stream = IntoStream::zero, .inner_gain = 0});
  EXPECT_EQ(zero.deviation(layer + "self_attention.out.weight"), 0);
  EXPECT_EQ(zero.deviation(layer + "feed_forward.down.weight"), 0);
  EXPECT_EQ(zero.deviation(layer + "feed_forward.norm_inner.weight"), 0);
  EXPECT_EQ(zero.deviation(layer + "feed_forward.norm_before.weight"), 1);
  const Started quiet(c, {.before_gain = 0.25});
  EXPECT_EQ(quiet.deviation(layer + "self_attention.norm_before.weight"), 0.25);
  EXPECT_EQ(quiet.deviation(layer + "self_attention.norm_inner.weight"), 1);
  EXPECT_EQ(quiet.deviation("decoder.norm.weight"), 1);
  const auto* const out = quiet.model.layout().find(layer + "self_attention.out.weight");
  EXPECT_EQ(beginning_of(c, *out, {}).deviation, 0.02 / std::sqrt(6));
  EXPECT_EQ(beginning_of(c, *out, {.into_stream = IntoStream::zero}).deviation, 0);

  c.family = Family::encoder_decoder;
  c.encoder_layers = 2;
  const Started both(c, {});
  expect_deviation(both.deviation("encoder.layers.1.feed_forward.down.weight"), 0.02 / std::sqrt(4));
  expect_deviation(both.deviation(layer + "cross_attention.out.weight"), 0.02 / std::sqrt(9));
}

TEST(Initialise, ScalesDeepNormByBeta) {
  Config c = wide();
  c.placement = Placement::deep_norm;
  const Started started(c, {.spread = Spread::xavier_normal, .into_stream = IntoStream::as_others});
  const double beta = std::pow(8.0 * 3, -0.25), square = std::sqrt(1.0 / 60);
  expect_deviation(started.deviation(layer + "self_attention.q.weight"), square);
  expect_deviation(started.deviation(layer + "self_attention.k.weight"), square);
  expect_deviation(started.deviation(layer + "self_attention.v.weight"), beta * square);
  expect_deviation(started.deviation(layer + "self_attention.out.weight"), beta * square);
  expect_deviation(started.deviation(layer + "feed_forward.up.weight"), beta * std::sqrt(2.0 / 210));
  expect_deviation(started.deviation(layer + "feed_forward.down.weight"), beta * std::sqrt(2.0 / 210));
}

TEST(Initialise, GoesBySeedAndName) {
  Config c = wide();
  const Started one(c, {}, 7), again(c, {}, 7), other(c, {}, 8);
  EXPECT_EQ(one.values, again.values);
  EXPECT_NE(one.values, other.values);
  c.placement = Placement::post;
  c.tied = false;
  const Started post(c, {}, 7);
  EXPECT_TRUE(std::ranges::equal(one.numbers(layer + "self_attention.k.weight"),
                                 post.numbers(layer + "self_attention.k.weight")));
  EXPECT_FALSE(std::ranges::equal(one.numbers(layer + "self_attention.k.weight"),
                                  one.numbers(layer + "self_attention.q.weight")));
  const Transformer<float> floats(c);
  const auto rounded = initial_values(floats, {}, 7);
  EXPECT_TRUE(
      std::ranges::equal(rounded, post.values, {}, {}, [](double v) { return static_cast<float>(v); }));
}

/// What several models share is drawn once and scaled for each of them.
TEST(Initialise, ScalesDrawsOfDeviationOne) {
  for (const Spread spread : {Spread::xavier_uniform, Spread::he_normal}) {
    const Initialisation start{.spread = spread};
    const Started whole(wide(), start, 3);
    const NamedSlot& array = *whole.model.layout().find(layer + "self_attention.v.weight");
    const Beginning beginning = beginning_of(whole.model.config(), array, start);
    std::vector<double> draws(static_cast<std::size_t>(array.slot.size()));
    standard_draws(array.name, beginning.uniform, 3, draws);
    EXPECT_EQ(beginning.uniform, spread == Spread::xavier_uniform);
    EXPECT_TRUE(std::ranges::equal(whole.numbers(array.name), draws, {}, {},
                                   [&](double z) { return beginning.deviation * z; }));
  }
}

/// A model that knows nothing has a loss of ln V.
TEST(Initialise, StartsAtTheLossOfAGuess) {
  const Config c = wide();
  const Started started(c, {});
  Batch batch{.sequences = 1, .length = 40};
  for (Index n = 0; n < 40; ++n) {
    batch.tokens.push_back(n * 7 % 200);
    batch.targets.push_back((n * 11 + 3) % 200);
  }
  Tape<double> tape;
  started.model.forward(started.values, batch, tape);
  EXPECT_NEAR(started.model.loss(batch, tape), std::log(200.0), 0.05);
}

}  // namespace
}  // namespace orrery::transformer::initialise_test
