#include <sys/resource.h>
#include <sys/stat.h>

#include <cmath>
#include <limits>
#include <regex>

#include "tests/app/cli/program.h"
#include "tests/support/safetensors.h"
#include "tests/support/source.h"

namespace orrery::cli_test::inspect_test {
namespace {

using Inspect = orrery::cli_test::Program;
using orrery::cli_test::expect_keys;
using orrery::tensor::Format;

TEST_F(Inspect, Arrays) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto x = write_array("scores.npy", {2, 3},
                             {1, 2, 6, -1, std::numeric_limits<double>::quiet_NaN(), -inf}, Format::f16);
  const auto said = run({"inspect", x, "--json"}).json();
  ASSERT_TRUE(said.is_array());
  expect_keys(said[0], {"name", "dtype", "shape", "bytes", "min", "max", "mean"});
  EXPECT_EQ(said[0]["name"], "scores");
  EXPECT_EQ(said[0]["dtype"], "float16");
  EXPECT_EQ(said[0]["shape"], (std::vector<int>{2, 3}));
  EXPECT_EQ(said[0]["bytes"], 12);
  EXPECT_EQ(said[0]["min"], -1);
  EXPECT_EQ(said[0]["max"], 6);
  EXPECT_EQ(said[0]["mean"], 2);  // (1 + 2 + 6 − 1) / 4
  EXPECT_EQ(said[0]["nan"], 1);
  EXPECT_EQ(said[0]["infinite"], 1);
  EXPECT_NE(run({"inspect", x}).out.find("2×3"), std::string::npos);
}

TEST_F(Inspect, AnEmptyArrayHasNoMean) {
  const auto said = run({"inspect", write_array("empty.npy", {0}, {}), "--json"}).json();
  EXPECT_TRUE(said[0]["mean"].is_null());
}

TEST_F(Inspect, Figures) {
  for (const char* ending : {"pdf", "svg", "png"}) {
    const std::string file = path(std::string("figure.") + ending);
    ASSERT_EQ(run({"render", "rope/rotation", "--dpi", "50", "-o", file}).code, 0);
    const auto result = run({"inspect", file, "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.json()["format"], ending);
    EXPECT_NE(result.json()["recipe"].get<std::string>().find("study = \"rope/rotation\""),
              std::string::npos);
  }
}

TEST_F(Inspect, WhatItPrintsOfAFigureIsARecipe) {
  ASSERT_EQ(run({"render", "norm/compare", "--set", "mean=2", "-o", path("a.svg")}).code, 0);
  const std::string recipe = write("a.toml", run({"inspect", path("a.svg")}).out);
  const auto again = run({"render", recipe, "-o", path("b.svg")});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(orrery::cli_test::contents(path("b.svg")), orrery::cli_test::contents(path("a.svg")));
}

TEST_F(Inspect, ARecipeThatMakesNoFigureIsNone) {
  expect_error(
      1, {"inspect", write("bad.toml", "orrery = 1\nstudy = \"norm/compare\"\n[parameters]\nmaen = 1\n")},
      {"bad.toml:4:1", "'maen'", "mean"});
}

TEST_F(Inspect, Configurations) {
  const auto said =
      run({"inspect", orrery::support::source("assets/models/llama-3.1-8b.json"), "--json"}).json();
  expect_keys(said, {"model_type", "layers", "warnings"});
}

TEST_F(Inspect, NamesMayLie) {
  const auto x = write_array("array.dat", {2}, {1, 2});
  EXPECT_EQ(run({"inspect", x, "--json"}).json()[0]["dtype"], "float32");
}

TEST_F(Inspect, BadFilesAreOneLine) {
  expect_error(1, {"inspect", path("missing.npy")}, {"missing.npy", "No such file"});
  expect_error(1, {"inspect", path(".")}, {"directory"});
  expect_error(1, {"inspect", write("notes.txt", "nothing of the kind")}, {"notes.txt", ".npy"});
  expect_error(1, {"inspect", write("cut.png", "\x89PNG\r\n\x1a\n")}, {"cut.png"});
  expect_error(1, {"inspect", write("cut.pdf", "%PDF-1.4\n")}, {"cut.pdf"});
  expect_error(1, {"inspect", write("plain.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")},
               {"plain.svg"});
  expect_error(1, {"inspect", write("cut.npy", "\x93NUMPY")}, {"cut.npy"});
  expect_error(1, {"inspect", write("empty.json", "")}, {"empty.json"});
}

TEST_F(Inspect, TensorsOfASafetensorsFile) {
  const std::string header =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[3],"data_offsets":[8,11]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  const auto file = write("m.safetensors", bytes + header + std::string("\0\0\x80\x3f\0\0\0\x40\1\2\3", 11));
  const auto all = run({"inspect", file, "--json"}).json();
  ASSERT_EQ(all.size(), 2u);
  expect_keys(all[0], {"name", "dtype", "shape", "bytes", "min", "max", "mean"});
  EXPECT_EQ(all[1]["name"], "b");
  EXPECT_EQ(all[1]["bytes"], 3);
  EXPECT_TRUE(all[1]["mean"].is_null());  // not read: the file may be large
  const auto one = run({"inspect", file + "#a", "--json"}).json();
  EXPECT_EQ(one[0]["max"], 2);
  EXPECT_EQ(one[0]["mean"], 1.5);
  expect_error(1, {"inspect", file + "#c"}, {"no tensor 'c'", "2"});
  EXPECT_EQ(run({"apply", "softmax", file + "#a", "-o", path("p.npy")}).code, 0);
  expect_error(1, {"apply", "softmax", file, "-o", path("p.npy")}, {"no tensor ''", "such as 'a'"});
}

TEST_F(Inspect, TheStatisticsOfOneTensor) {
  const auto x = write_array("x.npy", {2, 2}, {3, -4, 0, 1}, Format::f32);
  const auto one = run({"inspect", x, "--json"}).json()[0];
  EXPECT_EQ(one["norm"], std::sqrt(26.0));
  EXPECT_EQ(one["deviation"], std::sqrt(26.0 / 4));  // the mean is 0
  EXPECT_EQ(one["zeros"], 1);
  EXPECT_EQ(one["farthest"]["value"], -4);
  EXPECT_EQ(one["farthest"]["at"], (std::vector<int>{0, 1}));
  EXPECT_EQ(one["largest_rows"][0], (nlohmann::json{{"row", 0}, {"norm", 5}}));
  EXPECT_EQ(one["magnitudes"][0], (nlohmann::json{{"exponent", 0}, {"negative", 0}, {"positive", 1}}));
  EXPECT_EQ(one["magnitudes"][2], (nlohmann::json{{"exponent", 2}, {"negative", 1}, {"positive", 0}}));
  EXPECT_EQ(one["histogram"]["low"], -4);
  EXPECT_EQ(one["histogram"]["counts"].size(), 225u);  // from −4 to 3 in steps of 1/32
  const std::string text = run({"inspect", x}).out;
  EXPECT_NE(text.find("largest absolute value"), std::string::npos);
  EXPECT_NE(text.find("[0, 1]"), std::string::npos);
  EXPECT_TRUE(std::regex_search(text, std::regex("largest absolute value +4 "))) << text;  // of −4
}

TEST_F(Inspect, AnIndexOfNothingSaysSo) {
  const auto index = write("model.safetensors.index.json", R"({"weight_map":{}})");
  EXPECT_EQ(run({"inspect", index}).out, index + ": holds no tensors\n");
  EXPECT_TRUE(run({"inspect", index, "--json"}).json().empty());
}

TEST_F(Inspect, TensorsOfAModelInSeveralFiles) {
  using support::float_bytes;
  std::filesystem::create_directories(path("llama"));
  write("llama/model-00001-of-00002.safetensors",
        support::safetensors_bytes({{"a.weight", "F32", "[2]", float_bytes({1, 2})}}));
  write("llama/model-00002-of-00002.safetensors",
        support::safetensors_bytes(
            {{"b.weight", "F32", "[2]", float_bytes({3, 5})}, {"more", "F32", "[1]", float_bytes({7})}}));
  const auto index = write(
      "llama/model.safetensors.index.json",
      R"({"weight_map":{"a.weight":"model-00001-of-00002.safetensors","b.weight":"model-00002-of-00002.safetensors"}})");
  const auto listed = run({"inspect", index, "--json"});
  ASSERT_EQ(listed.json().size(), 2u) << listed.err;
  EXPECT_EQ(listed.json()[1]["shard"], "model-00002-of-00002.safetensors");
  EXPECT_NE(listed.err.find("holds 1 tensors that"), std::string::npos);
  for (const std::string& each :
       {index + "#b.weight", path("llama/") + "#b.weight", path("llama") + "#b.weight"})
    EXPECT_EQ(run({"inspect", each, "--json"}).json()[0]["max"], 5) << each;
  EXPECT_EQ(run({"apply", "softmax", path("llama") + "#b.weight", "-o", path("p.npy")}).code, 0);
  expect_error(1, {"inspect", index + "#c"}, {"no tensor 'c'", "it holds 2"});
  std::filesystem::remove(path("llama/model-00001-of-00002.safetensors"));
  expect_error(1, {"inspect", path("llama")}, {"model-00001-of-00002.safetensors", "is not there"});
  EXPECT_EQ(
      run({"render", "norm/compare", "--set", "states=" + path("llama") + "#b.weight", "-o", path("n.svg")})
          .code,
      0);
}

#ifndef __SANITIZE_ADDRESS__  // which reserves more address space than any limit here
/// What the programs run from here on may have at most, in bytes.
class AddressSpace {
 public:
  explicit AddressSpace(rlim_t most) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = most;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressSpace() { ::setrlimit(RLIMIT_AS, &before_); }
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

 private:
  rlimit before_{};
};

TEST_F(Inspect, TakesLittleMemoryForALargeArray) {
  constexpr std::uint64_t count = 200'000'000;  // 1.6 GB as doubles
  std::string head = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  head.resize(117, ' ');
  const auto array = write("large.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + '\n');
  std::filesystem::resize_file(array, 128 + count);
  const AddressSpace limit(rlim_t{1200} << 20);
  const auto said = run({"inspect", array, "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.json()[0]["max"], 0);
  EXPECT_EQ(said.json()[0]["bytes"], count);
}
#endif

TEST_F(Inspect, APipeIsRefusedAtOnce) {
  const auto pipe = path("pipe.npy");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_error(1, {"inspect", pipe}, {"pipe.npy", "is a pipe", "allowed: a file"});
  const auto recipe =
      write("figure.toml", "orrery = 1\nstudy = \"rope/model\"\n[parameters]\nconfig = \"" + pipe + "\"\n");
  expect_error(1, {"render", recipe, "-o", path("figure.pdf")}, {"pipe.npy", "is a pipe", "allowed: a file"});
  EXPECT_EQ(run({"batch", recipe, "-o", path("figures")}).code, 1);
}

}  // namespace
}  // namespace orrery::cli_test::inspect_test
