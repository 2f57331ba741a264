// The bytes below are written out by hand from the format's description.
#include "core/file/safetensors.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/file/tensor_files.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "tests/support/safetensors.h"
#include "tests/support/temporary_folder.h"

namespace orrery::file::safetensors_test {
namespace {

namespace fs = std::filesystem;

std::string little(std::uint64_t bits, int bytes) {
  std::string out;
  for (int b = 0; b < bytes; ++b) out += static_cast<char>(bits >> (8 * b) & 0xff);
  return out;
}

constexpr auto packed = &support::safetensors_packed;

/// A file of its own for each test.
class Safetensors : public testing::Test {
 protected:
  ~Safetensors() override { fs::remove(path_); }
  fs::path write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }
  std::string complaint(const std::string& bytes) const {
    try {
      parse_safetensors_header(bytes, bytes.size(), "x.safetensors");
    } catch (const Failure& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
    return "";
  }

 private:
  const support::TemporaryFolder folder_;
  const fs::path path_ = folder_ / "x.safetensors";
};

TEST_F(Safetensors, EveryTypeIsReadExactly) {
  struct Case {
    const char* dtype;
    std::string data;
    std::vector<double> values;
    tensor::Format format;
  };
  using tensor::Format;
  const Case cases[] = {
      {"F64", little(std::bit_cast<std::uint64_t>(0.1), 8), {0.1}, Format::f64},
      {"F32",
       little(std::bit_cast<std::uint32_t>(-1.5f), 4) + little(0x7f800000, 4),
       {-1.5, INFINITY},
       Format::f32},
      {"F16", little(0x3c00, 2) + little(0xc000, 2) + little(1, 2), {1, -2, 0x1p-24}, Format::f16},
      {"BF16", little(0x3f80, 2) + little(0xc049, 2), {1, -3.140625}, Format::bf16},
      {"I64", little(static_cast<std::uint64_t>(-3), 8), {-3}, Format::f64},
      {"I32", little(0x80000000, 4), {-2147483648.0}, Format::f64},
      {"I16", little(0xffff, 2), {-1}, Format::f64},
      {"I8", little(0x80, 1), {-128}, Format::f64},
      {"U64", little(std::uint64_t{1} << 53, 8), {0x1p53}, Format::f64},
      {"U32", little(0xffffffff, 4), {4294967295.0}, Format::f64},
      {"U16", little(0xffff, 2), {65535}, Format::f64},
      {"U8", little(200, 1), {200}, Format::f64},
      {"BOOL", little(0, 1) + little(1, 1), {0, 1}, Format::f64}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.dtype);
    const std::string header = R"({"x":{"dtype":")" + std::string(c.dtype) + R"(","shape":[)" +
                               std::to_string(c.values.size()) + R"(],"data_offsets":[0,)" +
                               std::to_string(c.data.size()) + "]}}";
    const tensor::Array array = read_safetensors(write(packed(header, c.data)), "x");
    EXPECT_EQ(array.values, c.values);
    EXPECT_EQ(array.format, c.format);
  }
}

TEST_F(Safetensors, TensorsAreInTheOrderOfTheirDataAndMetadataIsNone) {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]},)"
      R"("a":{"dtype":"U8","shape":[],"data_offsets":[6,7]}})";
  const fs::path file = write(packed(header, std::string("\1\2\3\4\5\6\7")));
  const auto entries = read_safetensors_header(file).entries;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "b");
  EXPECT_EQ(entries[0].shape, (std::vector<tensor::Index>{2, 3}));
  EXPECT_EQ(read_safetensors(file, "b").values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_safetensors(file, "a").values, std::vector<double>{7});
}

// A training renames a new checkpoint over the old one while somebody reads: all tensors are of the file that was opened.
TEST_F(Safetensors, AnOpenFileStaysWhatItWas) {
  const auto with = [](std::uint64_t number) {
    return packed(
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"b\":{\"dtype\":\"U8\",\"shape\":[1],"
        "\"data_offsets\":[1,2]}}",
        little(number, 1) + little(number, 1));
  };
  const fs::path path = write(with(3)), other = path.string() + ".new";
  const SafetensorsFile file(path);
  EXPECT_EQ(file.open("a").read().values[0], 3);
  std::ofstream(other, std::ios::binary) << with(4);
  fs::rename(other, path);
  EXPECT_EQ(file.open("b").read().values[0], 3);
  EXPECT_EQ(SafetensorsFile(path).open("b").read().values[0], 4);
}

TEST_F(Safetensors, AnUnknownTypeIsListedAndRefused) {
  const fs::path file = write(packed(R"({"q":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", "ab"));
  EXPECT_EQ(read_safetensors_header(file).entries[0].dtype, "F8_E4M3");
  try {
    read_safetensors(file, "q");
    FAIL();
  } catch (const Failure& error) {
    EXPECT_NE(std::string(error.what()).find("F8_E4M3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("allowed: F64"), std::string::npos);
  }
}

TEST_F(Safetensors, AMissingTensorNamesThoseThatAreNear) {
  const fs::path file = write(packed(
      R"({"model.inv_freq":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"U8","shape":[0],"data_offsets":[1,1]}})",
      "a"));
  try {
    read_safetensors(file, "inv_freq");
    FAIL();
  } catch (const Failure& error) {
    EXPECT_NE(std::string(error.what()).find("such as 'model.inv_freq'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_safetensors(file, "w").values.size(), 0u);
}

TEST_F(Safetensors, TheOnlyTensorThatCanBeMeantNeedsNoName) {
  const auto file_of = [&](const std::string& names) {
    return TensorPath{write(packed("{" + names + "}", "ab")), {}};
  };
  const auto refusal = [](const TensorPath& path, const char* ending) -> std::string {
    try {
      return "took " + open_tensor(path, ending).tensor;
    } catch (const Failure& error) {
      return error.what();
    }
  };
  const std::string of_w = R"("w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})",
                    of_inv_freq = R"("a.inv_freq":{"dtype":"U8","shape":[1],"data_offsets":[1,2]})";
  EXPECT_EQ(open_tensor({file_of(of_w + "," + of_inv_freq).file, "w"}, "inv_freq").tensor, "w");
  EXPECT_EQ(open_tensor(file_of(of_w + "," + of_inv_freq), "inv_freq").tensor, "a.inv_freq");
  EXPECT_TRUE(refusal(file_of(of_w + "," + of_inv_freq), "")
                  .ends_with("holds 2 tensors; allowed: one of them as FILE#w"))
      << refusal(file_of(of_w + "," + of_inv_freq), "");
  EXPECT_EQ(open_tensor({write(packed(R"({"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "ab")), {}})
                .tensor,
            "w");
}

TEST_F(Safetensors, WhatIsMalformedIsSaidInOneLine) {
  const auto with = [](const std::string& about) { return packed(R"({"x":)" + about + "}", "1234"); };
  const std::pair<std::string, const char*> cases[] = {
      {"", "ends before its header"},
      {"short", "ends before its header"},
      {little(1000, 8) + "{}", "cut short"},
      {little(~std::uint64_t{0}, 8) + "{}", "cut short"},
      {packed("[]", ""), "no JSON object"},
      {packed("{\"x\":", ""), "no JSON object"},
      {packed(std::string(5000, '['), ""), "no JSON object"},
      {with("1"), "lacks dtype"},
      {with(R"({"dtype":"U8","shape":[4]})"), "lacks dtype"},
      {with(R"({"dtype":"U8","shape":[-4],"data_offsets":[0,4]})"), "no whole number"},
      {with(R"({"dtype":"U8","shape":[4.5],"data_offsets":[0,4]})"), "no whole number"},
      {with(R"({"dtype":"U8","shape":[4],"data_offsets":[0,5]})"), "damaged"},
      {with(R"({"dtype":"U8","shape":[4],"data_offsets":[3,1]})"), "damaged"},
      {with(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"), "does not take"},
      {with(R"({"dtype":"F32","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,4]})"),
       "more elements"},
      {with(R"({"dtype":"F32","shape":[0,4611686018427387904,4],"data_offsets":[0,0]})"), "more elements"},
      {with(R"({"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]})"), "9 axes"},
      // As the reference implementation has it: no holes, nothing over each other, nothing behind the last one.
      {with(R"({"dtype":"U8","shape":[3],"data_offsets":[0,3]})"),
       "bytes 3 to 4 of the data belong to no tensor"},
      {with(R"({"dtype":"U8","shape":[3],"data_offsets":[1,4]})"),
       "bytes 0 to 1 of the data belong to no tensor"},
      {packed(
           R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
           "1234"),
       "tensors 'a' and 'b' lie over each other"},
      {packed(
           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
           "1234"),
       "bytes 1 to 2 of the data belong to no tensor"},
      {packed(
           R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
           "1234"),
       "tensor 'a' stands there twice"},
      {with(R"({"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]})"),
       "key 'dtype' stands there twice"},
      {with(R"({"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,4]})"), "does not take"},
      {with(R"({"dtype":"F4","shape":[7],"data_offsets":[0,4]})"), "does not take"},
      {with(R"({"dtype":"u 8","shape":[4],"data_offsets":[0,4]})"), "no name of a type"},
      {with(R"({"dtype":"U8","shape":[[4]],"data_offsets":[0,4]})"), "no whole number"},
      {with(R"({"dtype":"U8","shape":[[[4]]],"data_offsets":[0,4]})"), "no JSON object"},
      {with(R"({"dtype":"U8","shape":[4],"data_offsets":[0,4.0]})"), "no whole number"},
      {with(R"({"dtype":"U8","shape":[4],"data_offsets":[0,18446744073709551616]})"), "no whole number"},
      {packed(R"({"a\nb":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", ""), "control characters"},
      {packed(R"({"":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", ""), "has no name"},
      {packed(R"({"__metadata__":{"a":1}})", ""), "no object of texts"},
      {packed(R"({"__metadata__":{},"__metadata__":{}})", ""), "twice"},
      {packed("{\"\xff\":1}", ""), "no JSON object"}};
  for (const auto& [bytes, part] : cases)
    EXPECT_NE(complaint(bytes).find(part), std::string::npos) << part << ": " << complaint(bytes);
}

TEST_F(Safetensors, IntegersBeyondADoubleAreRefused) {
  const fs::path file = write(packed(R"({"x":{"dtype":"U64","shape":[1],"data_offsets":[0,8]}})",
                                     little((std::uint64_t{1} << 53) + 1, 8)));
  EXPECT_THROW(read_safetensors(file, "x"), Failure);
}

TEST_F(Safetensors, BytesTurnedByChanceAreReadOrRefused) {
  const std::string whole = packed(
      R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"BF16","shape":[3],"data_offsets":[16,22]}})",
      std::string(22, 'x'));
  const tensor::Random random(5);
  std::uint64_t at = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole;
    const int turns = 1 + static_cast<int>(random.uniform(at++) * 3);
    for (int k = 0; k < turns; ++k) {
      const double place = random.uniform(at++) * static_cast<double>(bytes.size());
      bytes[static_cast<std::size_t>(place)] = static_cast<char>(random.uniform(at++) * 256);
    }
    try {
      for (const SafetensorsEntry& entry : parse_safetensors_header(bytes, bytes.size(), "x").entries) {
        EXPECT_LE(entry.begin, entry.end);
        EXPECT_LE(entry.end, bytes.size());
      }
    } catch (const Failure&) {
      continue;
    }
  }
}

/// Every change of one character of a header: what is left lies within the file, or is refused in one line.
TEST_F(Safetensors, EveryHeaderWithOneWrongCharacterIsReadOrRefused) {
  const std::string header =
      R"({"a.w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"BF16","shape":[3],"data_offsets":[16,22]}})";
  int read = 0, refused = 0;
  for (std::size_t at = 0; at < header.size(); ++at)
    for (const char c : {'\0', '"', '{', ',', '-', '.', '9', 'x', '\xff', '\n'}) {
      std::string text = header;
      c == '\0' ? text.erase(at, 1) : text.replace(at, 1, 1, c);
      const std::string bytes = packed(text, std::string(22, 'x')), said = complaint(bytes);
      ++(said.empty() ? read : refused);
      if (!said.empty()) {
        EXPECT_TRUE(said.starts_with("x.safetensors: ")) << said;
        continue;
      }
      std::uint64_t end = bytes.size() - 22;
      for (const SafetensorsEntry& entry : parse_safetensors_header(bytes, bytes.size(), "x").entries) {
        EXPECT_EQ(entry.begin, end);
        end = entry.end;
      }
      EXPECT_EQ(end, bytes.size());
    }
  EXPECT_GT(read, 20);  // another name, another type of the same size
  EXPECT_GT(refused, 700);
}

TEST_F(Safetensors, FoldersAndMissingFilesAreSaid) {
  EXPECT_THROW(read_safetensors_header(fs::temp_directory_path()), Failure);
  EXPECT_THROW(read_safetensors_header("/nowhere/x.safetensors"), Failure);
}

TEST(TensorPath, IsPartedBehindTheEnding) {
  EXPECT_EQ(tensor_path("/a/b.safetensors#c.d").file, "/a/b.safetensors");
  EXPECT_EQ(tensor_path("/a/b.safetensors#c.d").tensor, "c.d");
  EXPECT_EQ(tensor_path("/a#b/c.npy").file, "/a#b/c.npy");
  EXPECT_EQ(tensor_path("/a#b/c.safetensors").tensor, "");
}

}  // namespace
}  // namespace orrery::file::safetensors_test
