#include "core/file/json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/file/safetensors.h"

namespace orrery::file::json_test {
namespace {

using nlohmann::json;

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

TEST(ReadJson, GivesWhatTheLibraryGives) {
  for (const char* text :
       {"{}", "[]", "1", "-1.5e3", "\"x\"", "null", "true", R"({"a":[1,{"b":[]},"c"],"d":{"e":null}})",
        "[[],[[]],{}]", "18446744073709551615", R"({"a":{"b":1},"a":{"c":2}})"}) {
    EXPECT_EQ(read_json(text, {}), json::parse(text)) << text;
  }
  EXPECT_THROW(read_json("{\"a\":", {}), json::parse_error);
  EXPECT_THROW(read_json("[1e999]", {}), json::out_of_range);
}

TEST(ReadJson, DepthHasABound) {
  EXPECT_NO_THROW(read_json(nested(64), {}));
  EXPECT_THROW(read_json(nested(65), {}), TooDeep);
  EXPECT_THROW(read_json(std::string(100000, '['), {}), TooDeep);
}

TEST(ReadJson, RepeatedKeysAreToldInTheirOwnObjectOnly) {
  std::vector<std::string> repeated;
  const JsonReading reading{.on_repeated = [&](const std::string& key) { repeated.push_back(key); }};
  const json root = read_json(R"({"a":1,"b":{"a":2,"c":3,"c":4},"a":5})", reading);
  EXPECT_EQ(repeated, (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(root, json::parse(R"({"a":5,"b":{"a":2,"c":4}})"));
}

TEST(ReadJson, MembersAreHandedOutAndForgotten) {
  std::vector<std::pair<std::string, json>> members;
  const JsonReading reading{
      .on_member = [&](const std::string& key, json& value) { members.emplace_back(key, value); }};
  EXPECT_EQ(read_json(R"({"a":[1,2],"b":{"c":{}},"a":3})", reading), json::object());
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0], (std::pair<std::string, json>{"a", {1, 2}}));
  EXPECT_EQ(members[1], (std::pair<std::string, json>{"b", {{"c", json::object()}}}));
  EXPECT_EQ(members[2], (std::pair<std::string, json>{"a", 3}));
}

std::string little(std::uint64_t bits) {
  std::string out;
  for (int b = 0; b < 8; ++b) out += static_cast<char>(bits >> (8 * b) & 0xff);
  return out;
}

std::string tensors(int count) {
  std::string header = "{";
  for (int i = 0; i < count; ++i)
    header += (i == 0 ? "" : ",") + ("\"w" + std::to_string(i)) +
              R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  header += "}";
  return little(header.size()) + header;
}

// With a reader that looks at all that came before for every object, this would take hours.
TEST(SafetensorsHeaderTest, ManyTensorsAreAListLikeAnyOther) {
  const std::string bytes = tensors(300000);
  const auto entries = parse_safetensors_header(bytes, bytes.size(), "x").entries;
  ASSERT_EQ(entries.size(), 300000u);
  EXPECT_EQ(entries[0].name, "w0");
  EXPECT_EQ(entries[1].name, "w1");
  EXPECT_EQ(entries[2].name, "w10");
}

TEST(SafetensorsHeaderTest, ANameStandsThereOnce) {
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})";
  const std::string bytes = little(header.size()) + header;
  try {
    parse_safetensors_header(bytes, bytes.size(), "x");
    FAIL();
  } catch (const Failure& error) {
    EXPECT_EQ(std::string(error.what()), "x: tensor 'a' stands there twice");
  }
}

}  // namespace
}  // namespace orrery::file::json_test
