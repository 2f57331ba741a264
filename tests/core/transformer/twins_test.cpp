// The float model beside the double one, and both under different numbers of threads.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "tests/core/transformer/models.h"

namespace orrery::transformer::twins_test {
namespace {

/// Large enough for threads to share it, odd enough to leave remainders.
Config medium(Positions positions) {
  Config c;
  c.vocabulary = 37;
  c.length = 70;
  c.width = 36;
  c.heads = 3;
  c.head_width = 12;
  c.hidden = 70;
  c.positions = positions;
  c.t5_buckets = 8;
  c.t5_distance = 20;
  return c;
}

Batch batch(Index sequences, Index length, Index vocabulary) {
  Batch b{.sequences = sequences, .length = length};
  for (Index n = 0; n < sequences * length; ++n) {
    b.tokens.push_back((n * n + 3 * n) % vocabulary);
    b.targets.push_back(n % 11 == 4 ? no_target : (n * n + 5 * n + 4) % vocabulary);
  }
  return b;
}

template <class T>
struct Step {
  double loss;
  std::vector<T> gradient;
};

template <class T>
Step<T> step(const Config& config, const Batch& b) {
  const Transformer<T> model(config);
  const std::vector<double> doubles = scattered_values(model.layout(), 0.4);
  const std::vector<T> values(doubles.begin(), doubles.end());
  Step<T> result{.loss = 0, .gradient = std::vector<T>(values.size(), T(0))};
  Tape<T> tape;
  model.forward(values, b, tape);
  result.loss = model.loss(b, tape);
  model.backward(values, b, tape, result.gradient);
  return result;
}

class Twins : public testing::TestWithParam<Positions> {};

INSTANTIATE_TEST_SUITE_P(Positions, Twins,
                         testing::Values(Positions::learned, Positions::rope, Positions::alibi,
                                         Positions::t5));

/// Float rounds every number to 6e-8 of itself; a dozen operations a layer, each amplified little by norms, leave up to 1e-6
/// of the largest number of each array, or of what is a hundredth of the whole gradient's where an array's own cancels.
TEST_P(Twins, FloatFollowsDouble) {
  const Config config = medium(GetParam());
  const Batch b = batch(2, 70, config.vocabulary);
  const Step<float> fast = step<float>(config, b);
  const Step<double> reference = step<double>(config, b);
  EXPECT_NEAR(fast.loss, reference.loss, 1e-6 * reference.loss);
  double worst = 0, largest = 0;
  for (const double g : reference.gradient) largest = std::max(largest, std::abs(g));
  std::string where;
  const Transformer<double> model(config);
  for (const NamedSlot& array : model.layout().arrays()) {
    const auto own = array.slot.matrix(Values<float>(fast.gradient)).eigen().cast<double>().eval();
    const auto exact = array.slot.matrix(Values<double>(reference.gradient)).eigen();
    const double scale = std::max(exact.cwiseAbs().maxCoeff(), 1e-2 * largest);
    if (const double error = (own - exact).cwiseAbs().maxCoeff() / scale; error > worst) {
      worst = error;
      where = array.name;
    }
  }
  std::printf("  loss off by %.2g; gradient by %.2g at %s\n", std::abs(fast.loss / reference.loss - 1), worst,
              where.c_str());
  EXPECT_LE(worst, 4e-6) << where;
}

/// By one thread and by so many others.
template <class T>
void expect_one_result(const Config& config, std::initializer_list<int> others) {
  const Batch b = batch(2, 70, config.vocabulary);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Step<T> alone = step<T>(config, b);
  for (const int many : others) {
    omp_set_num_threads(many);
    const Step<T> shared = step<T>(config, b);
    EXPECT_EQ(alone.loss, shared.loss) << many << " threads";
    EXPECT_EQ(alone.gradient, shared.gradient) << many << " threads";
  }
  omp_set_num_threads(threads);
}

Config one_layer(Positions positions) {
  Config c = medium(positions);
  c.layers = 1;
  return c;
}

TEST(TwinsKin, FloatIsBitEqualForAnyThreads) {
  expect_one_result<float>(one_layer(Positions::learned), {2, 3});
  // Sequences add to one table of biases.
  expect_one_result<float>(one_layer(Positions::t5), {2});
  // Widths of whole vectors go another way.
  Config whole = one_layer(Positions::none);
  whole.width = whole.hidden = 64;
  whole.heads = 2;
  whole.head_width = 32;
  expect_one_result<float>(whole, {3});
}

TEST(TwinsKin, DoubleIsBitEqualForAnyThreads) {
  expect_one_result<double>(one_layer(Positions::t5), {2});
}

TEST(TwinsKin, GroupedHeadsAndGatesAreBitEqualForAnyThreads) {
  Config c = one_layer(Positions::rope);
  c.heads = 6;
  c.key_value_heads = 2;
  c.gated = true;
  c.norm.kind = NormKind::rms;
  c.activation = activation::Kind::silu;
  c.placement = Placement::sandwich;
  c.qk_norm = QkNorm::heads;
  expect_one_result<float>(c, {2});
}

}  // namespace
}  // namespace orrery::transformer::twins_test
