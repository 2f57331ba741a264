// Vectors of frequencies in the shapes that people have them in, and files that hold none.
#include "core/model/frequency_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/file/npy.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

namespace orrery::model::frequency_file_test {
namespace {

using Numbers = std::vector<double>;

TEST(FrequencyFile, ReadsWhatPeopleHave) {
  const Numbers f{1, 0.5, 0.25e-3};
  EXPECT_EQ(parse_frequencies("[1, 0.5, 2.5e-4]", "a.json"), f);
  EXPECT_EQ(parse_frequencies(R"({"inv_freq": [1.0, 0.5, 0.00025]})", "a.json"), f);
  EXPECT_EQ(parse_frequencies(R"({"model_type":"x","layers":[{"name":"all","inv_freq":[1,0.5,2.5e-4]}]})",
                              "a.json"),
            f);
  EXPECT_EQ(parse_frequencies(R"({"layers":[{"inv_freq":[]},{"inv_freq":[1,0.5,2.5e-4]}]})", "a.json"), f);
  EXPECT_EQ(parse_frequencies("1\n0.5\n2.5e-4\n", "a.csv"), f);
  EXPECT_EQ(parse_frequencies("1, 0.5, 0.00025", "a.txt"), f);
  EXPECT_EQ(parse_frequencies("inv_freq\r\n1\r\n0.5\r\n2.5e-4\r\n", "a.csv"), f);
  EXPECT_EQ(parse_frequencies("pair,inv_freq,wavelength\n0,1,6.28\n1,0.5,12.6\n2,2.5e-4,25133\n", "a.csv"),
            f);
  EXPECT_EQ(parse_frequencies("pair,theta\n0,1\n1,0.5\n2,2.5e-4\n", "a.csv"), f);
  EXPECT_EQ(parse_frequencies(file::npy_bytes({tensor::Format::f64, {3}, f}), "a.npy"), f);
  EXPECT_EQ(parse_frequencies(file::npy_bytes({tensor::Format::f64, {1, 3, 1}, f}), "a.npy"), f);
}

TEST(FrequencyFile, OneNumberHasOneAxis) {
  for (const std::vector<tensor::Index>& shape : {std::vector<tensor::Index>{1}, {1, 1}, {}})
    EXPECT_EQ(parse_frequencies(file::npy_bytes({tensor::Format::f64, shape, {0.5}}), "one.npy"),
              Numbers{0.5});
}

TEST(FrequencyFile, AFirstLineIsOneOfNamesOnlyWhereItLooksLikeIt) {
  const Numbers f{1, 0.5};
  EXPECT_EQ(parse_frequencies("\xEF\xBB\xBF"
                              "1\n0.5\n",
                              "bom.csv"),
            f);
  EXPECT_EQ(parse_frequencies("\xEF\xBB\xBFinv_freq\r\n1\r\n0.5\r\n", "bom.csv"), f);
  EXPECT_EQ(parse_frequencies("+1.0\n+.5\n", "plus.csv"), f);
  for (const char* names : {"\"inv_freq\"", "# inv_freq", "_freq", "\xCF\x89", "'pair';\"frequency\""})
    EXPECT_EQ(parse_frequencies(std::string(names) + "\n1\n0.5\n", "names.csv"), f) << names;
  for (const char* first : {"1e999", "1e-400", "1.0D0", "\"1.0\"", "1e0x", "+-1", "-x", "\xEF\xBC\x91.0",
                            "\xC2\xA0"
                            "1.0"}) {
    for (const bool second_line : {false, true}) {
      const std::string line = second_line ? "line 2: '" : "line 1: '";
      try {
        parse_frequencies((second_line ? "2\n" : "") + std::string(first) + "\n0.5\n0.25\n", "bad.csv");
        ADD_FAILURE() << "accepted: " << first;
      } catch (const Failure& e) {
        EXPECT_TRUE(std::string_view(e.what()).starts_with("bad.csv: " + line)) << e.what();
        EXPECT_TRUE(std::string_view(e.what()).ends_with("' is no number")) << e.what();
      }
    }
  }
}

TEST(FrequencyFile, AListInJsonIsRefusedWithItsPlace) {
  for (const auto& [text, said] : std::initializer_list<std::pair<const char*, const char*>>{
           {"[1,\n 0.5,]", "bad.json:2:6: not JSON: "},
           {"[1,\n 1e999]", "bad.json:2:6: not JSON that can be read: "},
           {"[1, 1e-999]", "bad.json: number 1e-999 is too small"},
           {"[1, -0.00e-999, 0.0]", nullptr}}) {
    try {
      EXPECT_EQ(parse_frequencies(text, "bad.json"), (Numbers{1, 0, 0}));
      EXPECT_EQ(said, nullptr) << "accepted: " << text;
    } catch (const Failure& e) {
      EXPECT_TRUE(said != nullptr && std::string_view(e.what()).starts_with(said)) << e.what();
    }
  }
}

TEST(FrequencyFile, RefusesInOneLineThatNamesTheFile) {
  for (const auto& [origin, text] : std::initializer_list<std::pair<const char*, std::string>>{
           {"bad.json", "{"},
           {"bad.json", "{}"},
           {"bad.json", "[1, \"x\"]"},
           {"bad.json", "[]"},
           {"bad.json", R"({"layers":[]})"},
           {"bad.csv", ""},
           {"bad.csv", "inv_freq\n"},
           {"bad.csv", "1\nzwei\n"},
           {"bad.csv", "1\n-0.5\n"},
           {"bad.csv", "1\ninf\n"},
           {"bad.npy", "nothing"},
           {"bad.npy", file::npy_bytes({tensor::Format::f64, {0}, {}})},
           {"bad.npy", file::npy_bytes({tensor::Format::f64, {2, 2}, {1, 2, 3, 4}})},
       }) {
    try {
      parse_frequencies(text, origin);
      ADD_FAILURE() << "accepted: " << text.substr(0, 40);
    } catch (const Failure& e) {
      EXPECT_TRUE(std::string_view(e.what()).starts_with(origin)) << e.what();
      EXPECT_EQ(std::string_view(e.what()).find('\n'), std::string_view::npos) << e.what();
    }
  }
}

/// A file of tensors with these names, each of the numbers 1 and 0.5.
std::string tensors(const std::vector<std::string>& names) {
  std::string header = "{";
  for (std::size_t i = 0; i < names.size(); ++i)
    header += (i == 0 ? "\"" : ",\"") + names[i] + R"(":{"dtype":"F32","shape":[2],"data_offsets":[)" +
              std::to_string(8 * i) + "," + std::to_string(8 * i + 8) + "]}";
  header += "}";
  std::string bytes;
  for (int b = 0; b < 8; ++b) bytes += static_cast<char>(header.size() >> (8 * b) & 0xff);
  bytes += header;
  for (std::size_t i = 0; i < names.size(); ++i) bytes += std::string("\0\0\x80\x3f\0\0\0\x3f", 8);
  return bytes;
}

TEST(FrequencyFile, OneTensorOfMany) {
  const support::TemporaryFolder folder;
  const std::string file = (folder / "f.safetensors").string();
  const auto write = [&](const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; };
  const Numbers f{1, 0.5};
  write(tensors({"w", "rotary.inv_freq"}));
  EXPECT_EQ(read_frequencies(file + "#w"), f);
  EXPECT_EQ(read_frequencies(file), f);  // the only one of that name
  write(tensors({"w"}));
  EXPECT_EQ(read_frequencies(file), f);  // the only one
  write(tensors({"a.inv_freq", "b.inv_freq"}));
  try {
    read_frequencies(file);
    FAIL();
  } catch (const Failure& e) {
    EXPECT_NE(std::string(e.what()).find("2 tensors; allowed: one of them as FILE#a.inv_freq"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace orrery::model::frequency_file_test
