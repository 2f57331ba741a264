#include "tests/app/cli/program.h"
#include "tests/support/source.h"

namespace orrery::cli_test::model_test {
namespace {

using Model = orrery::cli_test::Program;
using orrery::cli_test::keys;

TEST_F(Model, JsonHasThePromisedShape) {
  const auto result = run({"model", "llama-3.1-8b", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto said = result.json();
  for (const char* key : {"name",
                          "source",
                          "layers",
                          "width",
                          "heads",
                          "kv_heads",
                          "head_width",
                          "hidden_width",
                          "vocabulary",
                          "norm",
                          "positions",
                          "activation",
                          "gated",
                          "bias",
                          "tied",
                          "experts",
                          "kv_lora_rank",
                          "parameters",
                          "flops_per_token",
                          "kv_bytes_per_token"})
    EXPECT_TRUE(said.contains(key)) << key;
  EXPECT_EQ(said["parameters"]["total"], 8030261248);
  EXPECT_EQ(said["layers"], 32);
  EXPECT_EQ(said["kv_heads"], 8);
  EXPECT_EQ(said["norm"]["kind"], "rms_norm");
  EXPECT_EQ(said["norm"]["place"], "pre");
  EXPECT_EQ(said["norm"]["eps"], 1e-5);
  EXPECT_EQ(said["norm"]["weight_offset"], false);
  EXPECT_EQ(said["norm"]["final"], true);
  EXPECT_EQ(said["positions"], "rotary");
  EXPECT_EQ(said["activation"], "silu");
  EXPECT_EQ(said["tied"], false);
  EXPECT_EQ(said["kv_bytes_per_token"], 131072);
  EXPECT_TRUE(said["kv_lora_rank"].is_null());
  std::int64_t sum = 0;
  for (const char* part : {"embedding", "attention", "feed_forward", "norm", "head", "other"})
    sum += said["parameters"][part].get<std::int64_t>();
  EXPECT_EQ(sum, 8030261248);
}

TEST_F(Model, ADecodedTokenCostsTwoForEachWeightAndMoreWithTheLength) {
  const auto at = [&](const std::string& length) {
    return run({"model", "gpt2", "--length", length, "--json"}).json()["flops_per_token"];
  };
  // All but the table of positions, norms and biases; 4 L D for each key.
  const std::int64_t matrices = 2 * (50257 * 768 + 12 * 12 * 768 * 768);
  EXPECT_EQ(at("1")["decode"], matrices + 4 * 12 * 768);
  EXPECT_EQ(at("1000")["decode"], matrices + 4 * 12 * 768 * 1000);
  EXPECT_EQ(at("1000")["length"], 1000);
}

TEST_F(Model, SeveralStandSideBySide) {
  const auto all = run({"model", "gpt2", "deepseek-v3", "bert-base", "--json"}).json();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1]["kv_lora_rank"], 512);
  EXPECT_EQ(all[1]["experts"]["total"], 256);
  EXPECT_TRUE(all[2]["flops_per_token"]["decode"].is_null());
  const auto text = run({"model", "gpt2", "deepseek-v3"}).out;
  EXPECT_NE(text.find("124439808"), std::string::npos) << text;
  EXPECT_NE(text.find("671026419200"), std::string::npos) << text;
  EXPECT_NE(text.find("68.625 KiB"), std::string::npos) << text;
}

TEST_F(Model, AFileIsReadAndWhatItDoesNotSayIsUnknown) {
  const auto file =
      write("mine.json", R"({"model_type": "mine", "hidden_size": 64, "num_attention_heads": 4})");
  const auto said = run({"model", file, "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.json()["width"], 64);
  EXPECT_TRUE(said.json()["parameters"].is_null());
  EXPECT_EQ(said.json()["norm"]["kind"], "unknown");
  EXPECT_NE(run({"model", file}).out.find("unknown"), std::string::npos);
  EXPECT_EQ(run({"model", support::source("assets/models/") + "llama-3.1-8b.json", "--json"})
                .json()["parameters"]["total"],
            8030261248);
}

TEST_F(Model, WhatLayersDifferInIsInTheText) {
  const auto has = [&](const std::string& name, std::initializer_list<const char*> lines) {
    const auto text = run({"model", name}).out;
    for (const char* line : lines) EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  };
  has("gpt3", {"alternating dense and locally banded, width unknown", "≤ 3.68455e+11", "≤ 18 GiB"});
  has("gpt-oss-20b", {"SwiGLU, α 1.702, clamped at 7"});
  has("gemma-3-1b", {"base 1\u2009000\u2009000, 256 of 256", "base 10\u2009000, 256 of 256, default"});
  has("olmo-3-7b", {"yarn × 8", "base 500\u2009000, 128 of 128, default"});
  has("llama-4-scout", {"llama3 × 16", "in chunks", "no positions"});
  EXPECT_EQ(run({"model", "llama-7b"}).out.find("no positions"), std::string::npos);
  const auto gpt3 = run({"model", "gpt3", "--json"}).json();
  EXPECT_TRUE(gpt3["windows"][1].is_null());
  EXPECT_EQ(gpt3["windows"][0], 0);
  EXPECT_EQ(gpt3["flops_per_token"]["at_most"], true);
  EXPECT_EQ(run({"model", "gpt2", "--json"}).json()["flops_per_token"]["at_most"], false);
}

TEST_F(Model, ALengthThatIsTooLongIsSaid) {
  const auto warned = [&](const std::string& length) {
    return run({"model", "gpt2", "--length", length, "--json"}).json()["warnings"].size();
  };
  EXPECT_EQ(warned("1024"), 0u);
  EXPECT_EQ(warned("1025"), 1u);
  EXPECT_NE(
      run({"model", "gpt2", "--length", "1025"}).out.find("1025 tokens are more than its longest text, 1024"),
      std::string::npos);
}

TEST_F(Model, WhatIsNotFromTheFileIsSaid) {
  const auto file = write("silent.json", R"({"model_type": "mistral"})");
  EXPECT_NE(run({"model", file})
                .out.find("not from the file, but as its family has it: window, activation, epsilon, tied"),
            std::string::npos);
  EXPECT_EQ(run({"model", file, "--json"}).json()["by_family"].size(), 4u);
  EXPECT_EQ(run({"model", "llama-7b"}).out.find("as its family has it"), std::string::npos);
}

TEST_F(Model, AKeyThatStandsTwiceIsSaid) {
  const auto file = write("twice.json", R"({"model_type": "gpt2", "n_head": 12, "n_head": 16})");
  EXPECT_NE(run({"model", file}).out.find("n_head: stands there twice"), std::string::npos);
}

TEST_F(Model, AloneItListsTheNames) {
  const auto all = run({"model", "--json"}).json();
  EXPECT_GE(all.size(), 50u);
  EXPECT_NE(run({"model"}).out.find("llama-7b"), std::string::npos);
}

TEST_F(Model, WrongNamesAreAnsweredWithTheNearest) {
  const auto result = run({"model", "gpt-2"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("gpt2"), std::string::npos) << result.err;
  EXPECT_EQ(run({"model", "nowhere.json"}).code, 1);
  EXPECT_EQ(run({"model", "gpt2", "--format", "q4"}).code, 2);
  EXPECT_EQ(run({"model", "gpt2", "--length", "0"}).code, 2);
}

}  // namespace
}  // namespace orrery::cli_test::model_test
