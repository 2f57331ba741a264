// Positions against PyTorch and published code: tests/reference/positions.json, made by
// tests/reference/make_torch_positions.py.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/op/op.h"
#include "core/position/alibi.h"
#include "core/position/t5_bias.h"
#include "tests/support/compare.h"
#include "tests/support/source.h"
#include "tests/support/within.h"

namespace orrery::op::torch_positions_test {
namespace {

using nlohmann::json;
using tensor::Array;
using tensor::Format;
using tensor::Index;

const json& reference() {
  static const json values =
      json::parse(std::ifstream(orrery::support::source("tests/reference/positions.json")));
  return values;
}

Array array_of(const json& j) {
  Array a{Format::f64, j.at("shape").get<std::vector<Index>>(), j.at("values").get<std::vector<double>>()};
  for (double& v : a.values.doubles()) {
    if (v == -1e300) v = -std::numeric_limits<double>::infinity();  // JSON has none
  }
  return a;
}

struct Case {
  const char *name, *op;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class TorchPositions : public testing::TestWithParam<Case> {
 protected:
  static Call call() {
    const json& j = reference().at(GetParam().name);
    Call c;
    c.compute = Format::f64;
    c.settings = parameter::Settings(find(GetParam().op).parameters);
    for (const auto& [key, value] : j.at("settings").items()) c.settings.set(key, value.get<std::string>());
    for (const auto& [key, value] : j.at("inputs").items()) c.inputs.emplace(key, array_of(value));
    if (std::string_view(GetParam().name).starts_with("mrope")) {
      c.inputs.emplace("positions", array_of(reference().at("mrope_positions")));
    }
    return c;
  }

  static void expect_near(const std::string& what, const Array& y, const json& expected) {
    const Array torch = array_of(expected);
    ASSERT_EQ(y.shape, torch.shape) << what;
    // Two double programs: nine roundings of 1.1e-16 of 1, of the result and of the row's largest, as in torch_test.
    const auto c = support::compare(y.matrix(), torch.matrix(),
                                    {.abs = 1e-15, .rel = 1e-15, .nmse = 1e-30, .row = 1e-15}, Format::f64);
    std::printf("  %-8s %5.1f %% of the bound\n", what.c_str(), 100 * c.used);
    EXPECT_TRUE(c.within) << what << ": " << c.text();
  }
};

INSTANTIATE_TEST_SUITE_P(Case, TorchPositions,
                         testing::Values(Case{"t5_bias", "t5_bias"}, Case{"t5_bias_bidirectional", "t5_bias"},
                                         Case{"fire", "fire"}, Case{"fire_deep", "fire"},
                                         Case{"mrope", "rope"}, Case{"mrope_interleaved", "rope"},
                                         Case{"xpos_query", "rope"}, Case{"xpos_key", "rope"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(TorchPositions, RefAndCpuInDouble) {
  const json& expected = reference().at(GetParam().name).at("y");
  expect_near("ref", find(GetParam().op).ref(call()), expected);
  expect_near("cpu", find(GetParam().op).cpu(call()), expected);
}

TEST_P(TorchPositions, DerivativesOfAutograd) {
  const json& j = reference().at(GetParam().name);
  const Gradients gradients = find(GetParam().op).vjp(call(), array_of(j.at("g")));
  ASSERT_EQ(gradients.size(), j.at("gradients").size());
  for (const auto& [name, expected] : j.at("gradients").items()) {
    expect_near("d" + name, gradients.at(name), expected);
  }
}

TEST(PublishedPositions, BucketsOfHuggingFace) {
  using position::Direction;
  using position::T5Buckets;
  const std::pair<const char*, T5Buckets> rules[] = {
      {"buckets_causal", {}},
      {"buckets_bidirectional", {.direction = Direction::bidirectional}},
      {"buckets_causal_64_1000", {.num_buckets = 64, .max_distance = 1000}}};
  for (const auto& [key, rule] : rules) {
    const json& steps = reference().at(key);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const int end = i + 1 < steps.size() ? steps[i + 1][0].get<int>() : 1101;
      for (int distance = steps[i][0]; distance < end; ++distance) {
        EXPECT_EQ(position::t5_bucket(distance, rule), steps[i][1].get<int>()) << key << " " << distance;
      }
    }
  }
}

TEST(PublishedPositions, SlopesOfThePublishedCode) {
  for (const auto& [heads, expected] : reference().at("alibi_slopes").items()) {
    const std::vector<double> slopes = position::alibi_slopes(std::stoi(heads));
    ASSERT_EQ(slopes.size(), expected.size());
    // It multiplies the first slope n times by itself: n roundings, up to 128 of them.
    for (std::size_t h = 0; h < slopes.size(); ++h) {
      EXPECT_TRUE(support::close(slopes[h], expected[h].get<double>(), 2e-14)) << heads << " heads, " << h;
    }
  }
}

}  // namespace
}  // namespace orrery::op::torch_positions_test
