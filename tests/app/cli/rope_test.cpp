#include "tests/app/cli/program.h"
#include "tests/support/source.h"

namespace orrery::cli_test::rope_test {
namespace {

using Rope = orrery::cli_test::Program;
using orrery::cli_test::expect_keys;
using orrery::cli_test::keys;

std::string model(const std::string& name) {
  return orrery::support::source("assets/models/") + name + ".json";
}

TEST_F(Rope, JsonHasThePromisedShapeForEveryModel) {
  for (const auto& entry : std::filesystem::directory_iterator(orrery::support::source("assets/models"))) {
    SCOPED_TRACE(entry.path());
    const auto result = run({"rope", entry.path(), "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto said = result.json();
    EXPECT_EQ(keys(said), (std::vector<std::string>{"layers", "model_type", "positions", "warnings"}));
    for (const auto& layer : said["layers"]) {
      expect_keys(layer, {"name", "rope_type", "base", "rotary_dim", "head_dim", "layout", "inv_freq",
                          "attention_factor", "softmax_factor", "sections"});
    }
    for (const auto& w : said["warnings"]) expect_keys(w, {"field", "message"});
    EXPECT_EQ(run({"rope", entry.path()}).code, 0);
  }
}

TEST_F(Rope, NumbersHaveAllTheirDigits) {
  const auto layer = run({"rope", model("llama-3.1-8b"), "--json"}).json()["layers"][0];
  EXPECT_EQ(layer["name"], "all");
  EXPECT_EQ(layer["inv_freq"].size(), 64u);
  EXPECT_NEAR(layer["inv_freq"][63].get<double>(), 3.068925988914511e-07,
              4e-15 * 3.07e-07);  // a few roundings
}

TEST_F(Rope, TextSaysWhatAPersonAsks) {
  const auto text = run({"rope", model("llama-3.1-8b")}).out;
  EXPECT_NE(text.find("29 kept, 6 blended, 29 divided by 8"), std::string::npos) << text;
  EXPECT_NE(text.find("3.068925988914511e-07"), std::string::npos) << text;
  EXPECT_NE(run({"rope", model("qwen2.5-7b-yarn4")}).out.find("warnings"), std::string::npos);
}

TEST_F(Rope, WhatDoesNotRotateIsNotCalledRotary) {
  const auto gpt2 = write("gpt2.json", R"({"model_type": "gpt2", "n_embd": 768, "n_head": 12})");
  const auto said = run({"rope", gpt2, "--json"}).json();
  EXPECT_EQ(said["positions"], "learned");
  EXPECT_TRUE(said["layers"].empty());
  EXPECT_NE(run({"rope", gpt2}).out.find("decoder: learned positions"), std::string::npos);
  const auto whisper = write("whisper.json", R"({"model_type": "whisper", "d_model": 768})");
  EXPECT_EQ(run({"rope", whisper, "--json"}).json()["positions"], "learned");  // the decoder's
  const auto text = run({"rope", whisper}).out;
  EXPECT_NE(text.find("encoder: sinusoidal positions"), std::string::npos) << text;
  EXPECT_NE(text.find("decoder: learned positions"), std::string::npos) << text;
  const auto unknown =
      write("mine.json", R"({"model_type": "mine", "hidden_size": 64, "num_attention_heads": 4})");
  const auto nobody = run({"rope", unknown, "--json"});
  EXPECT_EQ(nobody.code, 0) << nobody.err;
  EXPECT_EQ(nobody.json()["positions"], "unknown");
  EXPECT_NE(run({"rope", unknown}).out.find("positions are not known"), std::string::npos);
  EXPECT_EQ(run({"rope", model("llama-3.1-8b"), "--json"}).json()["positions"], "rotary");
}

TEST_F(Rope, TheTrainedLengthIsSaidWithItsSource) {
  EXPECT_NE(run({"rope", model("llama-3.1-8b")})
                .out.find("trained length: 8192 tokens, by original_max_position_embeddings"),
            std::string::npos);
  const auto gemma = run({"rope", model("gemma-3-4b-v5")}).out;
  EXPECT_NE(gemma.find("trained length: 32768 tokens, by what is known of the model"), std::string::npos)
      << gemma;
  EXPECT_NE(gemma.find("1024 tokens"), std::string::npos) << gemma;  // what its sliding layers see
}

TEST_F(Rope, TheLengthMatters) {
  const auto base = [&](const std::string& length) {
    return run({"rope", model("internvl2.5-llm-dynamic"), "--length", length, "--json"})
        .json()["layers"][0]["base"]
        .get<double>();
  };
  EXPECT_EQ(base("1000"), 1e6);
  EXPECT_NEAR(base("65536"), 3108223.6667, 5e-5);  // half of the last published digit
  expect_error(2, {"rope", model("phi-4-mini"), "--length", "0"}, {"--length", "'0'"});
  expect_error(2, {"rope", model("phi-4-mini"), "--length", "-5"}, {"--length", "'-5'"});
  expect_error(2, {"rope", model("phi-4-mini"), "--length", "long"}, {"--length", "'long'"});
}

TEST_F(Rope, AFileCannotCommandTheTerminal) {
  const auto result = run({"rope", write("a.json", R"({"model_type": "a\u001b[31m\nb", "head_dim": 64})")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("a\\u001B[31m\\nb\n")) << result.out;
}

TEST_F(Rope, BadFilesAreOneLine) {
  expect_error(1, {"rope", path("missing.json")}, {"missing.json", "No such file"});
  expect_error(1, {"rope", write("broken.json", "{\"head_dim\": 64,\n  \"rope_theta\": }")},
               {"broken.json:2:"});
  expect_error(1, {"rope", write("heads.json", "{\"hidden_size\": 64}")},
               {"heads.json", "head_dim", "num_attention_heads"});
  expect_error(1, {"rope", write("odd.json", "{\"head_dim\": 63, \"rope_theta\": 1e4}")},
               {"odd.json", "63", "even"});
  expect_error(1, {"rope", write("absurd.json", "{\"head_dim\": 1e18}")}, {"absurd.json", "head_dim"});
  expect_error(1,
               {"rope", write("type.json", R"({"head_dim":64,"rope_scaling":{"type":"wool","factor":2}})")},
               {"type.json", "'wool'", "llama3"});
}

}  // namespace
}  // namespace orrery::cli_test::rope_test
