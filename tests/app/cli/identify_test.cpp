// orrery identify over every published configuration, and the planted faults of configurations through orrery rope.

#include "core/file/npy.h"
#include "core/model/rope_config.h"
#include "core/tensor/format.h"
#include "tests/app/cli/program.h"
#include "tests/core/model/faults.h"
#include "tests/support/source.h"

namespace orrery::cli_test::identify_test {
namespace {

using Identify = orrery::cli_test::Program;
using orrery::cli_test::expect_keys;
using orrery::tensor::Format;

TEST_F(Identify, EveryPublishedModelInEveryFormat) {
  for (const auto& entry : std::filesystem::directory_iterator(orrery::support::source("assets/models"))) {
    const auto config = orrery::model::read_rope_config(entry.path());
    for (const auto& layer : config.layers) {
      if (layer.inv_freq.empty()) continue;
      for (const Format format : {Format::f64, Format::f32, Format::bf16}) {
        SCOPED_TRACE(entry.path().stem().string() + " " + layer.name + " " +
                     std::string(orrery::tensor::name(format)));
        std::vector<double> f = layer.inv_freq;
        orrery::tensor::round_to(format, std::span(f));
        const auto file = write("v.npy", orrery::file::npy_bytes({Format::f64, {std::ssize(f)}, f}));
        const auto result = run({"identify", file, "--json"});
        ASSERT_EQ(result.code, 0) << result.err;
        const auto said = result.json();
        ASSERT_FALSE(said.empty());
        for (const auto& fit : said) expect_keys(fit, {"rope_type", "parameters", "max_relative_residual"});
        const auto& best = said[0];
        EXPECT_TRUE(best["fits"].get<bool>());
        // A short text of a rule that changes with the length is an unchanged one, and is called so.
        const bool unchanged = layer.rope_type == "dynamic" || layer.rope_type == "longrope";
        EXPECT_EQ(best["rope_type"], unchanged ? "default" : layer.rope_type);
        EXPECT_EQ(best["parameters"]["rope_theta"].get<double>(), layer.rule.base);
        if (best["parameters"].contains("factor")) {
          EXPECT_EQ(best["parameters"]["factor"].get<double>(), layer.rule.factor);
        }
        if (best["parameters"].contains("original_max_position_embeddings")) {
          EXPECT_EQ(best["parameters"]["original_max_position_embeddings"].get<double>(),
                    layer.rule.original_length);
        }
        bool named = false;
        for (const auto& fit : said)
          for (const auto& name : fit["published"])
            named = named || name.get<std::string>().starts_with(entry.path().stem().string());
        EXPECT_TRUE(named);
      }
    }
  }
}

// Llama 3.1's slowest pairs are below the smallest normal number of f16.
TEST_F(Identify, SmallNumbersOfF16FitByTheirSteps) {
  std::vector<double> f =
      orrery::model::read_rope_config(orrery::support::source("assets/models/llama-3.1-8b.json"))
          .layers[0]
          .inv_freq;
  orrery::tensor::round_to(Format::f16, std::span(f));
  const auto file = write("v.npy", orrery::file::npy_bytes({Format::f64, {std::ssize(f)}, f}));
  const auto result = run({"identify", file});
  EXPECT_NE(result.out.find("within half a step"), std::string::npos) << result.out;
}

TEST_F(Identify, TheListOfALongText) {
  const auto layer =
      orrery::model::read_rope_config(orrery::support::source("assets/models/phi-4-mini.json"), 8192)
          .layers[0];
  const auto file =
      write("v.npy", orrery::file::npy_bytes({Format::f64, {std::ssize(layer.inv_freq)}, layer.inv_freq}));
  const auto best = run({"identify", file, "--json"}).json()[0];
  EXPECT_EQ(best["rope_type"], "longrope");
  EXPECT_EQ(best["parameters"]["long_factor"].size(), layer.inv_freq.size());
}

TEST_F(Identify, ReadsWhatRopePrints) {
  const auto printed = run({"rope", orrery::support::source("assets/models/llama-3.1-8b.json"), "--json"});
  const auto text = run({"identify", write("rope.json", printed.out)});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("llama3"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("as in llama-3.1-8b"), std::string::npos) << text.out;
}

// Of those that have a card alone, too.
TEST_F(Identify, NamesEveryPublishedModelOfThatRule) {
  const auto named = [&](double base) {
    std::vector<double> frequencies;
    for (int i = 0; i < 64; ++i) frequencies.push_back(std::pow(base, -i / 64.0));
    return run({"identify", write_array("v.npy", {64}, frequencies), "--json"}).json()[0]["published"].dump();
  };
  for (const char* model : {"\"llama-7b\"", "\"llama-2-70b\""})
    EXPECT_NE(named(10000).find(model), std::string::npos) << named(10000);
  EXPECT_NE(named(500000).find("\"llama-3-8b\""), std::string::npos) << named(500000);
  EXPECT_EQ(named(510000), "[]");
}

TEST_F(Identify, BadVectorsAreOneLine) {
  expect_error(2, {"identify"}, {"VECTOR", "missing"});
  expect_error(1, {"identify", path("none.npy")}, {"none.npy", "No such file"});
  expect_error(1, {"identify", write("one.csv", "1\n")}, {"one.csv", ": 1 number; ", "2 to 4096"});
  expect_error(1, {"identify", write_array("one.npy", {1}, {1})}, {"one.npy", ": 1 number; ", "2 to 4096"});
  expect_error(1, {"identify", write_array("none.0.npy", {0}, {})}, {"none.0.npy", "holds no numbers"});
  expect_error(1, {"identify", write_array("plane.npy", {2, 2}, {1, 1, 1, 1})},
               {"plane.npy", "shape 2×2", "one axis of frequencies"});
  expect_error(1, {"identify", write("zeros.csv", "0\n0\n")}, {"zeros.csv", "all are 0"});
  expect_error(1, {"identify", write("words.csv", "1\nfast\n")}, {"words.csv", "line 2", "'fast'"});
}

TEST_F(Identify, PlantedFaultsAreNamedByRope) {
  for (const auto& fault : orrery::model_test::faults) {
    SCOPED_TRACE(fault.name);
    const auto file = write("config.json", fault.json);
    if (fault.refused) {
      expect_error(1, {"rope", file}, {"config.json", fault.field});
      continue;
    }
    const auto result = run({"rope", file, "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto said = result.json();
    bool named = false;
    for (const auto& warning : said["warnings"])
      named = named || warning["field"].get<std::string>() == fault.field;
    EXPECT_TRUE(named) << result.out;
    EXPECT_NE(run({"rope", file}).out.find(fault.field), std::string::npos);
  }
}

}  // namespace
}  // namespace orrery::cli_test::identify_test
