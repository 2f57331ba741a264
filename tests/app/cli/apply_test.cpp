#include <cmath>
#include <limits>

#include "app/cli/op_call.h"
#include "core/tensor/format.h"
#include "tests/app/cli/program.h"
#include "tests/support/kept.h"
#include "tests/support/source.h"

namespace orrery::cli_test::apply_test {
namespace {

using orrery::cli_test::contents;
using orrery::tensor::Array;
using orrery::tensor::Format;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Apply : public orrery::cli_test::Program {
 protected:
  Array result_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "apply");
    arguments.insert(arguments.end(), {"-o", path("out.npy")});
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.code == 0 ? orrery::file::read_npy(path("out.npy")) : Array{};
  }
};

/// LayerNorm of (1, 0, 0, 0): a published example, 1.7320046 and −0.5773349 with ε = 1e-5.
TEST_F(Apply, ComputesAPublishedExample) {
  const auto x = write_array("x.npy", {1, 4}, {1, 0, 0, 0}, Format::f64);
  for (const char* device : {"ref", "cpu"}) {
    const Array y = result_of({"layer_norm", x, "--device", device});
    EXPECT_EQ(y.format, Format::f64);
    EXPECT_EQ(y.shape, (std::vector<orrery::tensor::Index>{1, 4}));
    EXPECT_NEAR(y.values[0], 1.7320046, 5e-8);  // half of the last published digit
    EXPECT_NEAR(y.values[1], -0.5773349, 5e-8);
  }
}

TEST_F(Apply, F64IsComputedInDoubleAndF16InFloat) {
  // √2 needs more digits than a float has: rms_norm of (1, 1, 0, 0) without ε is (√2, √2, 0, 0).
  const auto x64 = write_array("x64.npy", {4}, {1, 1, 0, 0}, Format::f64);
  EXPECT_NEAR(result_of({"rms_norm", x64, "--set", "eps=0"}).values[0], std::sqrt(2.0),
              1e-15);  // a few 2^-53
  const auto x16 = write_array("x16.npy", {4}, {1, 1, 0, 0}, Format::f16);
  const Array y16 = result_of({"rms_norm", x16, "--set", "eps=0"});
  EXPECT_EQ(y16.format, Format::f16);
  EXPECT_EQ(y16.values[0], orrery::tensor::round_to(Format::f16, std::sqrt(2.0)));
}

TEST_F(Apply, ASettingBesideAConfigIsRefusedEvenWithItsOwnDefault) {
  const auto x = write_array("x.npy", {2, 64}, std::vector<double>(128, 1), Format::f64);
  const std::string config = "config=" + support::source("assets/models/llama-3.2-1b.json");
  const auto out = path("out.npy");
  EXPECT_EQ(run({"apply", "rope", x, config, "-o", out}).code, 0);
  expect_error(2, {"apply", "rope", x, config, "layout=interleaved", "-o", out},
               {"layout", "interleaved", "config"});
  expect_error(2, {"apply", "rope", x, config, "--set", "base=10000", "-o", out},
               {"base", "10000", "config"});
}

TEST_F(Apply, SaysWhichColumnsOfLatentAttentionWereTurned) {
  const std::string config = "config=" + support::source("assets/models/deepseek-v3.json");
  const auto whole = write_array("q.npy", {3, 192}, std::vector<double>(576, 1), Format::f64),
             part = write_array("part.npy", {3, 64}, std::vector<double>(192, 1), Format::f64);
  const auto out = path("out.npy");
  const auto said = run({"apply", "rope", whole, config, "-o", out});
  EXPECT_NE(said.out.find("columns 128 to 191 turn"), std::string::npos) << said.out << said.err;
  const Array y = orrery::file::read_npy(out);
  for (int j = 0; j < 192; ++j) EXPECT_EQ(y.values[384 + j] != 1, j >= 128) << j;
  EXPECT_EQ(run({"apply", "rope", part, config, "-o", out, "--json"}).json()["note"],
            "the rotary part alone: all 64 columns turn");
}

TEST_F(Apply, WarnsOfWhatSurprisesPeopleInARotaryRule) {
  const auto x = write_array("x.npy", {2, 64}, std::vector<double>(128, 1), Format::f64);
  const auto out = path("out.npy"), config = path("config.json");
  std::ofstream(config) << R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8,
    "max_position_embeddings": 8192, "rope_theta": 10000, "rope_scaling": {"rope_type": "yarn", "factor": 4,
    "original_max_position_embeddings": 2048, "beta_fast": 1, "beta_slow": 32}})";
  const std::vector<std::string> by_file{"config=" + config},
      by_hand{"rope_type=yarn", "factor=4", "original_max_position_embeddings=2048", "beta_fast=1",
              "beta_slow=32"};
  for (const auto& settings : {by_file, by_hand}) {
    std::vector<std::string> words{"apply", "rope", x};
    words.insert(words.end(), settings.begin(), settings.end());
    words.insert(words.end(), {"-o", out});
    const auto said = run(words);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_NE(said.err.find("warning: "), std::string::npos) << said.err;
    EXPECT_NE(said.err.find("beta_fast: 1 is below beta_slow"), std::string::npos) << said.err;
    words.emplace_back("--json");
    const auto in_json = run(words);
    EXPECT_EQ(in_json.err, "");
    EXPECT_NE(in_json.json()["warnings"].dump().find("below beta_slow"), std::string::npos);
  }
  EXPECT_EQ(run({"apply", "rope", x, "-o", out}).err, "");
  EXPECT_EQ(run({"apply", "rope", x, "-o", out, "--json"}).json()["warnings"].size(), 0u);
}

TEST_F(Apply, FilesOfFloatsAreNeverCarriedInDouble) {
  using orrery::support::in_float;
  for (const Format format : {Format::f32, Format::f16, Format::f64}) {
    const bool floats = format != Format::f64;
    const auto x = write_array("x.npy", {1, 4}, {1, 0.5, -2, 3}, format);
    const auto weight = write_array("weight.npy", {4}, {1, 2, 3, 4}, format);
    orrery::cli::OpCall call = orrery::cli::prepare_call(
        orrery::op::find("layer_norm"), {x}, {"weight=" + weight}, orrery::study::DeviceChoice::cpu, false);
    for (const auto& [name, input] : call.call.inputs) EXPECT_EQ(in_float(input.values), floats) << name;
    EXPECT_EQ(in_float(orrery::cli::carry_out(call).values), floats);
    for (const auto& [name, gradient] : orrery::cli::differentiate(call, x, false))
      EXPECT_EQ(in_float(gradient.values), floats) << name;
  }
}

TEST_F(Apply, StorageRoundsInputsAndResult) {
  const auto x = write_array("x.npy", {4}, {1.001, 1.001, 0, 0}, Format::f64);
  const Array y = result_of({"rms_norm", x, "--set", "storage=bf16", "--set", "eps=0"});
  EXPECT_EQ(y.format, Format::f32);  // .npy has no bf16; the values have
  for (const double v : y.values) EXPECT_EQ(v, orrery::tensor::round_to(Format::bf16, v));
  EXPECT_EQ(result_of({"rms_norm", x, "--set", "storage=f32"}).format, Format::f32);
  // 1.001 rounds to 1 in bf16 before the op sees it, so relu gives 1 and not 1.001 rounded afterwards: the
  // same here, and gelu tells the two apart.
  const Array gelu = result_of({"activation", x, "kind=gelu", "storage=bf16"});
  EXPECT_EQ(gelu.values[0], orrery::tensor::round_to(Format::bf16, 0.8413447460685429));  // Φ(1)
}

// Straight through: silu' at 1.0078125, which is what bf16 makes of 1.009, rounded to bf16 itself.
TEST_F(Apply, DerivativesOfRoundedStagesAreThoseOfTheFunctionAtTheRoundedInputs) {
  const auto x = write_array("x.npy", {1}, {1.009}, Format::f64),
             g = write_array("g.npy", {1}, {1}, Format::f64);
  result_of({"activation", x, "kind=silu", "storage=bf16", "--vjp", g});
  const double at = 1.0078125, s = 1 / (1 + std::exp(-at));
  EXPECT_EQ(orrery::file::read_npy(path("out.x.npy")).values[0],
            orrery::tensor::round_to(Format::bf16, s + at * s * (1 - s)));
  expect_error(1, {"apply", "activation", x, "--vjp", g, "--device", "gpu", "-o", path("z.npy")},
               {"--vjp", "--device cpu or ref"});
}

TEST_F(Apply, DtypeIsTheFormatOfTheFile) {
  const auto x = write_array("x.npy", {2}, {1.001, -2}, Format::f64);
  EXPECT_EQ(result_of({"activation", x, "kind=relu", "--dtype", "f16"}).format, Format::f16);
  const Array brain = result_of({"activation", x, "kind=relu", "--dtype", "bf16"});
  EXPECT_EQ(brain.format, Format::bf16);
  EXPECT_EQ(brain.values, (std::vector<double>{1, 0}));  // rounded, since f64 was not
  // Such a file goes in again, is said to be read as bf16, and is computed as bf16 is: stage by stage.
  const Array again = result_of({"activation", path("out.npy"), "kind=gelu", "--dtype", "bf16"});
  EXPECT_EQ(again.values[0], orrery::tensor::round_to(Format::bf16, 0.8413447460685429));  // Φ(1)
  expect_error(2, {"apply", "activation", x, "--dtype", "bf8", "-o", path("z.npy")},
               {"--dtype", "bf8", "f64, f32, f16, bf16"});
}

TEST_F(Apply, WhatAFormatCannotHoldIsSaid) {
  const auto x = write_array("x.npy", {4}, {1e6, 1e39, 1e300, -1e300}, Format::f64);
  const auto narrow = run({"apply", "activation", x, "kind=relu", "--dtype", "f32", "-o", path("o.npy")});
  EXPECT_EQ(narrow.code, 0);
  EXPECT_NE(narrow.err.find("o.npy: 2 numbers are too large for f32"), std::string::npos) << narrow.err;
  const auto one = write_array("one.npy", {2}, {1, 1e39}, Format::f64);
  const auto single = run({"apply", "activation", one, "kind=relu", "--dtype", "f32", "-o", path("o.npy")});
  EXPECT_NE(single.err.find("o.npy: 1 number is too large for f32"), std::string::npos) << single.err;
  EXPECT_EQ(run({"apply", "activation", x, "kind=relu", "-o", path("o.npy")}).err, "");
}

TEST_F(Apply, StorageLeavesPositionsAndIdsAlone) {
  // 257 is no bf16: rounded to 256 it would turn by another angle, or fetch another row.
  const auto x = write_array("x.npy", {1, 2}, {1, 0}, Format::f64);
  const auto m = write_array("m.npy", {1}, {257}, Format::f64);
  const Array y = result_of({"rope", x, "positions=" + m, "storage=bf16"});
  EXPECT_EQ(y.values[0], orrery::tensor::round_to(Format::bf16, std::cos(257.0)));
  const auto ids = write_array("ids.npy", {1}, {257}, Format::f64);
  std::vector<double> rows(258);
  rows[257] = 1;
  const auto table = write_array("table.npy", {258, 1}, rows, Format::f32);
  EXPECT_EQ(result_of({"embedding", ids, table, "storage=bf16"}).values, std::vector<double>{1});
  EXPECT_EQ(result_of({"embedding", ids, table}).format, Format::f32);  // the table's
}

TEST_F(Apply, AccumulateSaysTheArithmetic) {
  const auto x = write_array("x.npy", {4}, {1, 1, 0, 0}, Format::f64);
  const double in_float = result_of({"rms_norm", x, "--set", "eps=0", "--set", "accumulate=f32"}).values[0];
  EXPECT_NE(in_float, result_of({"rms_norm", x, "--set", "eps=0"}).values[0]);
  EXPECT_EQ(in_float, static_cast<double>(static_cast<float>(in_float)));
  expect_error(2,
               {"apply", "rms_norm", x, "--device", "ref", "--set", "accumulate=bf16", "-o", path("y.npy")},
               {"accumulate", "f64, f32", "--device cpu"});
}

TEST_F(Apply, NarrowFormatsAreRoundedStageByStage) {
  // Adding ones in bf16 stalls at 256, so the mean square of 4096 ones comes out as 256/4096 = 1/16 and each
  // result as 4: wrong by exactly 4.
  const auto x = write_array("ones.npy", {1, 4096}, std::vector<double>(4096, 1.0));
  const Array y = result_of({"rms_norm", x, "storage=bf16", "accumulate=bf16", "eps=0"});
  EXPECT_EQ(y.values, std::vector<double>(4096, 4.0));
}

TEST_F(Apply, WritesTheDerivativeOfEveryInput) {
  // Softmax of two equal logits: p = ½, and the derivative p ⊙ (g − Σ p g) of g = (1, 0) is (¼, −¼).
  const auto x = write_array("x.npy", {1, 2}, {3, 3}, Format::f64);
  const auto g = write_array("g.npy", {1, 2}, {1, 0}, Format::f64);
  result_of({"softmax", x, "--vjp", g});
  EXPECT_EQ(orrery::file::read_npy(path("out.x.npy")).values, (std::vector<double>{0.25, -0.25}));
  const auto wrong = write_array("wrong.npy", {1, 3}, {1, 0, 0}, Format::f64);
  expect_error(2, {"apply", "softmax", x, "--vjp", wrong, "-o", path("y.npy")}, {"1×3", "1×2"});
}

TEST_F(Apply, NamedInputsAndParameters) {
  const auto x = write_array("x.npy", {2, 2}, {1, 1, 1, 1});
  const auto w = write_array("w.npy", {2}, {2, 3});
  const Array y = result_of({"rms_norm", x, "--set", "weight=" + w, "--set", "eps=0"});
  EXPECT_EQ(y.values, (std::vector<double>{2, 3, 2, 3}));
  EXPECT_EQ(result_of({"rms_norm", x, "weight=" + w, "eps=0"}).values, y.values);
  // A position of 0 turns nothing; RoPE of (1, 0) at position 1 is (cos 1, sin 1).
  const auto one = write_array("one.npy", {2, 2}, {1, 0, 1, 0}, Format::f64);
  const auto p = write_array("p.npy", {2}, {0, 1}, Format::f64);
  const Array turned = result_of({"rope", one, "--set", "positions=" + p});
  EXPECT_EQ(turned.values[0], 1);
  EXPECT_NEAR(turned.values[2], std::cos(1.0), 1e-15);
  EXPECT_NEAR(turned.values[3], std::sin(1.0), 1e-15);
}

TEST_F(Apply, AnOpWithoutInputs) {
  const Array y = result_of({"sinusoidal", "length=2", "dim=4"});
  EXPECT_EQ(y.shape, (std::vector<orrery::tensor::Index>{2, 4}));
  EXPECT_NEAR(y.values[4], std::sin(1.0), 1e-15);
  EXPECT_NEAR(y.values[5], std::cos(1.0), 1e-15);
}

TEST_F(Apply, JsonSaysWhatWasDone) {
  const auto x = write_array("x.npy", {2, 2}, {1, 2, 3, 4});
  const auto result = run({"apply", "softmax", x, "-o", path("y.npy"), "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  orrery::cli_test::expect_keys(result.json(),
                                {"file", "op", "shape", "storage", "compute", "device", "seconds"});
  EXPECT_EQ(result.json()["shape"], (std::vector<int>{2, 2}));
  EXPECT_EQ(result.json()["compute"], "f32");
}

TEST_F(Apply, NanIsRefusedUnlessAllowedAndStaysInItsRow) {
  const auto x = write_array("x.npy", {2, 3}, {1, 2, 3, 4, nan, nan});
  expect_error(2, {"apply", "softmax", x, "-o", path("y.npy")}, {"x.npy", "2 NaN", "[1, 1]", "--allow-nan"});
  EXPECT_FALSE(std::filesystem::exists(path("y.npy")));
  const Array y = result_of({"softmax", x, "--allow-nan"});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::isfinite(y.values[static_cast<std::size_t>(i)]));
    EXPECT_TRUE(std::isnan(y.values[static_cast<std::size_t>(3 + i)]));
  }
  const auto good = write_array("good.npy", {1, 3}, {1, 2, 3});
  const auto w = write_array("w.npy", {3}, {1, nan, 1});
  expect_error(2, {"apply", "rms_norm", good, "--set", "weight=" + w, "-o", path("y.npy")},
               {"weight", "1 NaN", "[1]"});
}

TEST_F(Apply, WrongArguments) {
  const auto x = write_array("x.npy", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto w = write_array("w.npy", {3}, {1, 2, 3});
  const auto odd = write_array("odd.npy", {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto empty = write_array("empty.npy", {0, 4}, {});
  const std::string out = write("old.npy", "the old array");
  expect_error(2, {"apply", "rmsnorm", x, "-o", out}, {"'rmsnorm'", "did you mean 'rms_norm'"});
  expect_error(2, {"apply", "softmax", "-o", out}, {"softmax", "0 input files", "1 (x)"});
  expect_error(2, {"apply", "softmax", x, x, "-o", out}, {"2 input files", "1 (x)"});
  expect_error(2, {"apply", "scores", x, "-o", out}, {"1 input file;", "2 (q, k)"});
  expect_error(2, {"apply", "scores", x, odd, "-o", out}, {"k", "3"});
  expect_error(2, {"apply", "rms_norm", x, "--set", "weight=" + w, "-o", out}, {"weight", "3", "4"});
  expect_error(2, {"apply", "rms_norm", x, "weight=", "-o", out}, {"weight", "no file name"});
  expect_error(2, {"apply", "rms_norm", "", "-o", out}, {"x", "no file name"});
  expect_error(2, {"apply", "rope", odd, "-o", out}, {"rotary_dim", "3", "even"});
  expect_error(2, {"apply", "rope", x, "--set", "rotary_dim=3", "-o", out}, {"rotary_dim", "multiple of 2"});
  expect_error(2, {"apply", "rope", x, "--set", "rotary_dim=6", "-o", out}, {"rotary_dim", "6", "4"});
  expect_error(2, {"apply", "softmax", empty, "-o", out}, {"empty.npy", "empty", "0×4"});
  expect_error(2, {"apply", "softmax", x, "--set", "temprature=2", "-o", out},
               {"temprature", "did you mean 'temperature'"});
  expect_error(2, {"apply", "softmax", x, "--set", "temperature=0", "-o", out}, {"temperature", "'0'"});
  expect_error(2, {"apply", "softmax", x, "--set", "temperature=", "-o", out}, {"temperature"});
  expect_error(2, {"apply", "softmax", x, "--set", "storage=f8", "-o", out},
               {"storage", "'f8'", "f64, f32, f16, bf16"});
  expect_error(2, {"apply", "softmax", x, "--device", "tpu", "-o", out}, {"--device", "'tpu'"});
  expect_error(2, {"apply", "softmax", x, "-o", path("y.txt")}, {"-o", ".txt", ".npy"});
  EXPECT_EQ(contents(out), "the old array");
}

TEST_F(Apply, WhatCannotBeDone) {
  const auto x = write_array("x.npy", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::string out = write("old.npy", "the old array");
  expect_error(1, {"apply", "softmax", path("missing.npy"), "-o", out}, {"missing.npy", "No such file"});
  expect_error(1, {"apply", "softmax", path("."), "-o", out}, {"directory"});
  expect_error(1, {"apply", "softmax", write("text.npy", "no array"), "-o", out}, {"text.npy", "NUMPY"});
  const std::string whole = contents(x);
  expect_error(1, {"apply", "softmax", write("cut.npy", whole.substr(0, whole.size() - 1)), "-o", out},
               {"cut.npy", "cut short"});
  expect_error(1, {"apply", "softmax", x, "-o", path("no/such/place.npy")}, {"no/such/place.npy"});
  const auto x64 = write_array("x64.npy", {2, 2}, {1, 2, 3, 4}, Format::f64);
  expect_error(1, {"apply", "softmax", x64, "--device", "gpu", "-o", out}, {"gpu", "f64", "accumulate=f32"});
  EXPECT_EQ(contents(out), "the old array");
}

TEST_F(Apply, WithoutAGraphicsDriverOnlyTheGpuFails) {
  set_environment("LIBGL_DRIVERS_PATH=/nonexistent");
  set_environment("__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent");
  const auto x = write_array("x.npy", {2, 2}, {1, 2, 3, 4});
  expect_error(1, {"apply", "softmax", x, "--device", "gpu", "-o", path("y.npy")},
               {"no graphics device", "OpenGL 4.3"});
  EXPECT_EQ(run({"apply", "softmax", x, "-o", path("y.npy")}).code, 0);
}

TEST_F(Apply, AnArrayMayBeReplacedByItsResult) {
  const auto x = write_array("x.npy", {2}, {-1, 1});
  ASSERT_EQ(run({"apply", "activation", x, "--set", "kind=relu", "-o", x}).code, 0);
  EXPECT_EQ(orrery::file::read_npy(x).values, (std::vector<double>{0, 1}));
}

TEST_F(Apply, ADerivativeNeverReplacesAnInput) {
  const auto x = write_array("a.x.npy", {1, 2}, {1, 2}), g = write_array("g.npy", {1, 2}, {1, 0});
  const std::string before = contents(x);
  expect_error(2, {"apply", "rms_norm", x, "--vjp", g, "-o", path("a.npy")}, {"-o", "a.x.npy", "inputs"});
  const auto other = write_array("x.npy", {1, 2}, {1, 2}), gradient = write_array("b.x.npy", {1, 2}, {1, 0});
  expect_error(2, {"apply", "rms_norm", other, "--vjp", gradient, "-o", path("b.npy")}, {"-o", "b.x.npy"});
  EXPECT_EQ(contents(x), before);
  EXPECT_FALSE(std::filesystem::exists(path("a.npy")));
}

TEST_F(Apply, NamesEveryFileAndWritesAllOrNone) {
  const auto x = write_array("x.npy", {1, 2}, {1, 2}), g = write_array("g.npy", {1, 2}, {1, 0});
  const auto said = run({"apply", "rms_norm", x, "--vjp", g, "-o", path("y.npy")});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* file : {"y.npy", "y.x.npy"})
    EXPECT_NE(said.out.find(path(file) + "  1×2"), std::string::npos) << said.out;
  const std::string out = write("old.npy", "the old array");
  std::filesystem::create_directory(path("old.x.npy"));
  expect_error(1, {"apply", "rms_norm", x, "--vjp", g, "-o", out}, {"old.x.npy", "Is a directory"});
  EXPECT_EQ(contents(out), "the old array");
}

}  // namespace
}  // namespace orrery::cli_test::apply_test
