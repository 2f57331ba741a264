// Models in several files: their index, their folder, and how one of their tensors is named.
#include "core/file/tensor_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/file/npy.h"
#include "core/file/safetensors_index.h"
#include "core/file/tensor_folder.h"
#include "core/file/tensor_statistics.h"
#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/safetensors.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::tensor_files_test {
namespace {

namespace fs = std::filesystem;
using support::float_bytes;
using support::put;
using support::safetensors_bytes;

constexpr const char* index_name = "model.safetensors.index.json";

/// A model of two shards and their index.
class TensorFiles : public testing::Test {
 protected:
  TensorFiles() {
    fs::create_directories(model);
    put(first, safetensors_bytes({{"a.norm.weight", "F32", "[2]", float_bytes({1, 2})},
                                  {"b.norm.weight", "F32", "[2]", float_bytes({3, 4})}}));
    put(second, safetensors_bytes({{"lm_head.inv_freq", "F32", "[1,2]", float_bytes({5, 6})}}));
    put(model / index_name, index());
    put(model / "config.json", "{}");
  }
  static std::string index(const std::string& more = "") {
    return R"({"metadata":{"total_size":24},"weight_map":{
      "a.norm.weight":"model-00001-of-00002.safetensors",
      "b.norm.weight":"model-00001-of-00002.safetensors",
      "lm_head.inv_freq":"model-00002-of-00002.safetensors")" +
           more + "}}";
  }
  static std::vector<double> values(const TensorPath& path, std::string_view ending = {}) {
    return open_tensor(path, ending).read().values.to<double>();
  }
  /// One line, or nothing where all went well.
  template <class Do>
  static std::string refusal(Do act) {
    try {
      act();
    } catch (const Failure& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
    return "";
  }
  static std::string list_refusal(const fs::path& path) {
    return refusal([&] { list_tensors(path); });
  }
  static std::string open_refusal(const std::string& path) {
    return refusal([&] { open_tensor(tensor_path_on_disk(path)); });
  }

  const support::TemporaryFolder folder;
  const fs::path model = folder / "llama", first = model / "model-00001-of-00002.safetensors",
                 second = model / "model-00002-of-00002.safetensors";
};

TEST_F(TensorFiles, AnIndexListsTheTensorsOfItsShards) {
  for (const fs::path& path : {model / index_name, model}) {
    const TensorListing listing = list_tensors(path);
    ASSERT_EQ(listing.tensors.size(), 3u);
    EXPECT_EQ(listing.tensors[1].name, "b.norm.weight");
    EXPECT_EQ(listing.tensors[1].shard, "model-00001-of-00002.safetensors");
    EXPECT_EQ(listing.tensors[2].shape, (std::vector<tensor::Index>{1, 2}));
    EXPECT_EQ(listing.tensors[2].bytes, 8u);
    EXPECT_TRUE(listing.remarks.empty());
  }
}

TEST_F(TensorFiles, ATensorIsNamedThroughFileIndexAndFolder) {
  const std::string folder_path = model.string();
  for (const std::string& path :
       {(model / index_name).string() + "#b.norm.weight", folder_path + "/#b.norm.weight",
        folder_path + "#b.norm.weight", first.string() + "#b.norm.weight"})
    EXPECT_EQ(values(tensor_path_on_disk(path)), (std::vector<double>{3, 4})) << path;
  EXPECT_EQ(values({model, ""}, "inv_freq"), (std::vector<double>{5, 6})) << "the only one of that ending";
  EXPECT_EQ(values({second, ""}), (std::vector<double>{5, 6})) << "the file's only one";
  EXPECT_EQ(open_tensor({model / index_name, ""}, "inv_freq").tensor, "lm_head.inv_freq");
  EXPECT_NE(open_refusal(folder_path).find("holds 3 tensors; allowed: one of them as FILE#a.norm.weight"),
            std::string::npos);
  EXPECT_NE(
      open_refusal(folder_path + "/#c.norm.weight").find("no tensor 'c.norm.weight'; it holds 3, such as"),
      std::string::npos);
}

TEST_F(TensorFiles, OneTensorNeedsItsOwnShardAlone) {
  fs::remove(second);
  EXPECT_EQ(values({model, "a.norm.weight"}), (std::vector<double>{1, 2}));
  const std::string missing =
      "model-00002-of-00002.safetensors: is not there, though "
      "model.safetensors.index.json names it for 1 of its tensors";
  EXPECT_NE(open_refusal(model.string() + "/#lm_head.inv_freq").find(missing), std::string::npos);
  EXPECT_NE(list_refusal(model).find(missing), std::string::npos) << list_refusal(model);
}

TEST_F(TensorFiles, WhatIndexAndShardSayOfEachOtherIsCompared) {
  put(model / index_name, index(R"(,"c":"model-00002-of-00002.safetensors")"));
  const std::string lacks = "no tensor 'c', though model.safetensors.index.json says that it lies here";
  EXPECT_NE(list_refusal(model).find(lacks), std::string::npos) << list_refusal(model);
  EXPECT_NE(open_refusal(model.string() + "/#c").find(lacks), std::string::npos);
  put(model / index_name, R"({"weight_map":{"a.norm.weight":"model-00001-of-00002.safetensors"}})");
  const TensorListing listing = list_tensors(model);
  EXPECT_EQ(listing.tensors.size(), 1u);
  ASSERT_EQ(listing.remarks.size(), 1u);
  EXPECT_EQ(
      english(listing.remarks.front()),
      "model-00001-of-00002.safetensors holds 1 tensors that model.safetensors.index.json does not place there: "
      "they are left out");
  // It may name one for the other shard: both have it, and the index is right.
  put(second, safetensors_bytes({{"b.norm.weight", "F32", "[2]", float_bytes({9, 9})}}));
  put(model / index_name,
      R"({"weight_map":{"a.norm.weight":"model-00001-of-00002.safetensors","b.norm.weight":"model-00002-of-00002.safetensors"}})");
  EXPECT_EQ(values({model, "b.norm.weight"}), (std::vector<double>{9, 9}));
  EXPECT_EQ(list_tensors(model).remarks.size(), 1u);
}

TEST_F(TensorFiles, AFolderIsReadWithoutAnIndexToo) {
  fs::remove(model / index_name);
  EXPECT_EQ(list_tensors(model).tensors.size(), 3u);
  EXPECT_EQ(values({model, "b.norm.weight"}), (std::vector<double>{3, 4}));
  // A name in two of them is a guess.
  put(second, safetensors_bytes({{"a.norm.weight", "F32", "[1]", float_bytes({5})}}));
  EXPECT_NE(list_refusal(model).find("tensor 'a.norm.weight' is in model-00001-of-00002.safetensors and in"),
            std::string::npos);
  // More than the names say are no model.
  const fs::path third = model / "model-00003-of-00002.safetensors";
  put(third, safetensors_bytes({{"c", "F32", "[1]", float_bytes({5})}}));
  EXPECT_NE(list_refusal(model).find("holds 3 .safetensors files that are not shards of one model"),
            std::string::npos);
  fs::remove(third);
  fs::remove(second);
  EXPECT_NE(list_refusal(model).find("model-00002-of-00002.safetensors is not there: it holds 1 of 2 shards"),
            std::string::npos)
      << list_refusal(model);
  fs::rename(first, model / "model.safetensors");
  EXPECT_EQ(list_tensors(model).tensors.size(), 2u);
  EXPECT_EQ(list_tensors(model).tensors[0].shard, "") << "there is but one";
  put(model / "other.safetensors", safetensors_bytes({}));
  EXPECT_NE(list_refusal(model).find("holds 2 .safetensors files that are not shards of one model"),
            std::string::npos);
  put(model / "consolidated.safetensors.index.json", R"({"weight_map":{}})");
  EXPECT_TRUE(list_tensors(model).tensors.empty()) << "an index goes first";
  put(model / "more.safetensors.index.json", R"({"weight_map":{}})");
  EXPECT_NE(list_refusal(model).find("holds 2 indexes"), std::string::npos);
  fs::create_directory(folder / "empty");
  EXPECT_NE(list_refusal(folder / "empty").find("without a .safetensors"), std::string::npos);
  EXPECT_FALSE(holds_safetensors(folder / "empty"));
  EXPECT_TRUE(holds_safetensors(model));
}

TEST_F(TensorFiles, NoShardLiesElsewhere) {
  const auto refused = [](const std::string& shard) {
    return refusal([&] { parse_safetensors_index(R"({"weight_map":{"x":")" + shard + "\"}}", "i.json"); });
  };
  for (const char* shard : {"../secret.safetensors", "/etc/x.safetensors", "a/b.safetensors", "..", ".", "",
                            ".hidden.safetensors", "model.bin", "a\\\\b.safetensors", "a\\nb.safetensors",
                            "a\\u0000.safetensors"})
    EXPECT_NE(refused(shard).find("tensor 'x' is said to lie in"), std::string::npos)
        << shard << refused(shard);
  EXPECT_EQ(refused("a.safetensors"), "");
}

TEST_F(TensorFiles, AMalformedIndexIsSaidInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "no JSON object"},
      {"[]", "no JSON object"},
      {"{\"weight_map\":", "no JSON object"},
      {"{}", "has no weight_map"},
      {R"({"weight_map":[]})", "weight_map is no JSON object"},
      {R"({"weight_map":{"x":1}})", "no file for tensor 'x'"},
      {R"({"weight_map":{"x":null}})", "no file for tensor 'x'"},
      {R"({"weight_map":{"":"a.safetensors"}})", "has no name"},
      {R"({"weight_map":{"a\u0007":"a.safetensors"}})", "control characters"},
      {R"({"weight_map":{"x":"a.safetensors","x":"b.safetensors"}})", "'x' stands there twice"},
      {R"({"weight_map":{},"weight_map":{}})", "'weight_map' stands there twice"},
      {"{\"weight_map\":{\"\xff\":\"a.safetensors\"}}", "no JSON object"},
      {"{\"a\":[[[[[[[[[[1]]]]]]]]]],\"weight_map\":{}}", "no JSON object"}};
  for (const auto& [text, part] : cases) {
    const std::string said = refusal([&] { parse_safetensors_index(text, "i.json"); });
    EXPECT_NE(said.find(part), std::string::npos) << text << ": " << said;
    EXPECT_TRUE(said.starts_with("i.json: ")) << said;
  }
}

/// Every change of one character: what is left is read right, or refused in one line.
TEST_F(TensorFiles, EveryIndexWithOneWrongCharacterIsReadOrRefused) {
  const std::string whole = index();
  const SafetensorsIndex right = parse_safetensors_index(whole, "i.json");
  int read = 0, refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char c : {'\0', '"', '{', ',', '/', '.', '9', '\xff', '\n'}) {
      std::string text = whole;
      c == '\0' ? text.erase(at, 1) : text.replace(at, 1, 1, c);
      const std::string said = refusal([&] {
        const SafetensorsIndex index = parse_safetensors_index(text, "i.json");
        EXPECT_LE(index.places.size(), right.places.size());
        for (const auto& place : index.places)
          EXPECT_TRUE(place.shard.ends_with(".safetensors") && place.shard.find('/') == std::string::npos);
      });
      ++(said.empty() ? read : refused);
    }
  EXPECT_GT(read, 100);  // another letter in a name is another name
  EXPECT_GT(refused, 1000);
}

TEST_F(TensorFiles, ANumPyFileIsOneTensor) {
  const fs::path path = folder / "states.npy";
  write_npy(path, {tensor::Format::f32, {2, 3}, {}});
  EXPECT_NE(list_refusal(path).find("states.npy"), std::string::npos) << "its numbers are missing";
  tensor::Array array = tensor::Array::zeros(tensor::Format::f32, {2, 3});
  write_npy(path, array);
  const TensorListing listing = list_tensors(path);
  ASSERT_EQ(listing.tensors.size(), 1u);
  EXPECT_EQ(listing.tensors[0].name, "states");
  EXPECT_EQ(listing.tensors[0].dtype, "float32");
  EXPECT_EQ(listing.tensors[0].bytes, 24u);
  EXPECT_EQ(values({path, ""}).size(), 6u);
}

/// 20 GB that take no room: opened, listed, and one row of it looked at, without reading the rest.
TEST_F(TensorFiles, OnlyWhatIsLookedAtIsReadOfTwentyGigabytes) {
  const std::string header =
      R"({"big":{"dtype":"BF16","shape":[2500000,4000],"data_offsets":[0,20000000000]},)"
      R"("small":{"dtype":"F32","shape":[2],"data_offsets":[20000000000,20000000008]}})";
  const fs::path path = folder / "big.safetensors";
  put(path, support::safetensors_packed(header, ""));
  const auto size = 8 + header.size() + 20'000'000'000;
  std::error_code error;
  fs::resize_file(path, size, error);
  if (error) GTEST_SKIP() << "no sparse file of 20 GB here: " << error.message();
  std::ofstream(path, std::ios::binary | std::ios::app) << float_bytes({7, 8});
  EXPECT_EQ(list_tensors(path).tensors.size(), 2u);
  EXPECT_EQ(values({path, "small"}), (std::vector<double>{7, 8}));
  const StoredArray big = open_tensor({path, "big"});
  EXPECT_EQ(big.count, 10'000'000'000u);
  EXPECT_NE(refusal([&] { static_cast<void>(big.read()); }).find("10000000000 numbers"), std::string::npos);
  // The statistics of it would take a while: they can be left at any step.
  struct Enough {};
  std::uint64_t read = 0;
  EXPECT_THROW(statistics_of(big,
                             [&](std::uint64_t so_far) {
                               read = so_far;
                               if (so_far > 100000) throw Enough();
                             }),
               Enough);
  EXPECT_LT(read, 200000u);
}

TEST_F(TensorFiles, AFileThatShrinksWhileItIsOpenIsSaid) {
  const StoredArray array = open_tensor({first, "b.norm.weight"});
  fs::resize_file(first, fs::file_size(first) - 6);
  EXPECT_NE(refusal([&] { static_cast<void>(array.read()); }).find("cut short or damaged"),
            std::string::npos);
  EXPECT_NE(refusal([&] { statistics_of(array); }).find("cut short"), std::string::npos);
  const fs::path path = folder / "x.npy";
  write_npy(path, tensor::Array::zeros(tensor::Format::f64, {1000}));
  const StoredArray npy = open_npy(path);
  fs::resize_file(path, 1000);
  EXPECT_NE(refusal([&] { static_cast<void>(npy.read()); }).find("cut short or damaged"), std::string::npos);
}

TEST_F(TensorFiles, StatisticsSayWhereInTheArray) {
  const fs::path path = folder / "x.safetensors";
  put(path, safetensors_bytes({{"x", "F32", "[2,3,2]", float_bytes({1, 2, 3, 4, 5, 6, 7, 8, -9, 0, 1, 2})}}));
  const TensorStatistics all = statistics_of(open_tensor({path, "x"}));
  EXPECT_EQ(all.numbers.farthest(), -9);
  EXPECT_EQ(all.farthest_at, (std::vector<tensor::Index>{1, 1, 0}));
  ASSERT_EQ(all.rows.size(), 5u);
  EXPECT_EQ(all.rows[0].row, 3);  // 7, 8
  EXPECT_DOUBLE_EQ(all.rows[0].norm, std::sqrt(113.0));
  // Column by column, rows are not one after the other, and places are counted the other way.
  const std::string columns(
      "\x93NUMPY\x01\0\x36\0{'descr':'<f4','fortran_order':True,'shape':(2,3)}         \n", 64);
  put(folder / "f.npy", columns + float_bytes({1, 2, 3, -8, 5, 6}));
  const TensorStatistics fortran = statistics_of(open_tensor({folder / "f.npy", ""}));
  EXPECT_EQ(fortran.farthest_at, (std::vector<tensor::Index>{1, 1}));
  EXPECT_TRUE(fortran.rows.empty());
}

TEST(TensorPathTest, IsPartedBehindFilesIndexesAndFolders) {
  const auto both = [](const char* text) {
    const TensorPath path = tensor_path(text);
    return path.file.string() + "|" + path.tensor;
  };
  EXPECT_EQ(both("/m/model.safetensors.index.json#a.b"), "/m/model.safetensors.index.json|a.b");
  EXPECT_EQ(both("/m/model.safetensors#a/b"), "/m/model.safetensors|a/b");
  EXPECT_EQ(both("/m/#a.b"), "/m/|a.b");
  EXPECT_EQ(both("/m/#1/x.npy"), "/m/#1/x.npy|");
  EXPECT_EQ(both("/m#1/#a"), "/m#1/|a");
  EXPECT_EQ(both("/m#a"), "/m#a|");
  EXPECT_EQ(both("config.json"), "config.json|");
}

}  // namespace
}  // namespace orrery::file::tensor_files_test
