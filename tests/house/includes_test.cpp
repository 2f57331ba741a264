// The arrows of the house are the only includes allowed. A folder may include itself and what stands in its
// list.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::house::includes_test {
namespace {

namespace fs = std::filesystem;
const fs::path root = orrery::support::source();

/// Room → rooms it may include. A room is a folder; core/gpu also holds the *_gpu.cpp twins that stand beside
/// their ops.
const std::map<std::string, std::set<std::string>>& arrows() {
  static const std::set<std::string> ops = {"core/norm", "core/position", "core/attention", "core/activation",
                                            "core/embedding"};
  static const std::map<std::string, std::set<std::string>> all = [] {
    std::map<std::string, std::set<std::string>> m;
    m["core/tensor"] = {};
    m["core/parameter"] = {"core/tensor"};
    m["core/simd"] = {"core/tensor"};
    for (const std::string& op : ops) m[op] = {"core/tensor", "core/simd"};
    m["core/transformer"] = {"core/tensor", "core/simd"};
    m["core/transformer"].insert(ops.begin(), ops.end());
    m["core/training"] = {"core/tensor", "core/simd", "core/file", "core/transformer", "core/position"};
    m["core/gpu"] = {"core/tensor"};
    m["core/gpu"].insert(ops.begin(), ops.end());
    m["core/file"] = {"core/tensor"};
    m["core/model"] = {"core/tensor", "core/position", "core/file"};
    m["core/op"] = {"core/tensor", "core/parameter", "core/gpu", "core/file", "core/model"};
    m["core/op"].insert(ops.begin(), ops.end());
    m["core/bench"] = m["core/op"];
    m["core/bench"].insert({"core/op", "core/simd"});

    std::set<std::string> core;
    for (const auto& [room, unused] : m) core.insert(room);
    m["app/language"] = {"core/tensor", "core/file"};
    m["app/figure"] = {"core/tensor"};
    m["app/export"] = {"app/figure", "core/tensor", "core/file", "core/parameter"};
    m["app/study"] = core;
    m["app/study"].insert({"app/figure", "app/language"});
    m["app/recipe"] = {"app/study",      "core/gpu",    "app/figure", "app/language",
                       "core/parameter", "core/tensor", "core/file"};
    m["app/render"] = {"app/recipe",   "app/study",      "app/export", "app/figure",
                       "app/language", "core/parameter", "core/tensor"};
    m["app/experiment"] = {"app/recipe",      "core/training",  "core/transformer", "core/position",
                           "core/activation", "core/parameter", "core/file",        "core/tensor"};
    m["app/cli"] = core;
    m["app/cli"].insert({"app/render", "app/recipe", "app/study", "app/export", "app/figure", "app/language",
                         "app/experiment"});
    // The window computes pixels, never numbers: it includes no op.
    m["app/gui"] = {"app/render",   "app/recipe",     "app/study", "app/export", "app/figure",
                    "app/language", "core/parameter", "core/file", "core/tensor"};
    return m;
  }();
  return all;
}

/// Libraries that are at home in a few rooms only: a piece of the header's name → the rooms.
const std::vector<std::pair<std::string, std::set<std::string>>> guarded = {
    {"imgui", {"app/gui"}},
    {"GLFW/", {"app/gui"}},
    {"epoxy/", {"core/gpu", "app/gui"}},
    {"GL/", {"core/gpu", "app/gui"}},
    {"cairo", {"app/export", "app/gui"}},
    {"pango", {"app/export"}},
    {"hb", {"app/export"}},
    {"qpdf", {"app/export"}},
};

std::string room_of(const fs::path& file) {
  const fs::path relative = fs::relative(file, root);
  auto part = relative.begin();
  const std::string top = *part++;
  if (file.filename().string().ends_with("_gpu.cpp")) return "core/gpu";
  return top + "/" + part->string();
}

struct Include {
  fs::path file;
  int line;
  std::string name;
};

std::vector<Include> includes() {
  std::vector<Include> found;
  for (const char* top : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".h" && file.extension() != ".cpp") continue;
      if (fs::relative(file, root) == "app/main.cpp") continue;  // the door: it may see every room
      std::ifstream in(file);
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.starts_with("#include")) continue;
        const auto open = line.find_first_of("<\""), close = line.find_last_of(">\"");
        found.push_back({file, number, line.substr(open + 1, close - open - 1)});
      }
    }
  return found;
}

TEST(House, FollowsItsArrows) {
  int ours = 0;
  for (const Include& include : includes()) {
    if (!include.name.starts_with("core/") && !include.name.starts_with("app/")) continue;
    ++ours;
    const std::string from = room_of(include.file), to = room_of(root / include.name);
    ASSERT_TRUE(arrows().contains(from)) << from << " has no place in the plan: add it to arrows()";
    EXPECT_TRUE(from == to || arrows().at(from).contains(to))
        << include.file.string() << ":" << include.line << ": " << from << " may not include " << to;
  }
  EXPECT_GT(ours, 50) << "the test no longer sees the sources";
}

TEST(House, KeepsLibrariesInTheirRooms) {
  for (const Include& include : includes()) {
    for (const auto& [library, rooms] : guarded) {
      if (!include.name.starts_with(library)) continue;
      EXPECT_TRUE(rooms.contains(room_of(include.file)))
          << include.file.string() << ":" << include.line << ": <" << include.name << "> is not at home here";
    }
  }
}

/// The sources that have this word, but for this one.
std::vector<std::string> sources_with(const char* word, const fs::path& but_for = {}) {
  std::vector<std::string> found;
  int files = 0;
  for (const char* top : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".h" && file.extension() != ".cpp") continue;
      ++files;
      if (file != root / but_for && support::contents(file).find(word) != std::string::npos)
        found.push_back(file.string());
    }
  EXPECT_GT(files, 50) << "the test no longer sees the sources";
  return found;
}

// libstdc++ takes memory within their steps, which it declares noexcept: without memory the program ends on the spot.
TEST(House, StepsThroughFoldersWhereMemoryMayFail) {
  EXPECT_EQ(sources_with("directory_iterator"), std::vector<std::string>()) << "see core/file/listing.h";
}

// They go on without the rest where there is no memory for it.
TEST(House, HasNoStreamOfTextThatSwallowsWhatIsThrown) {
  EXPECT_EQ(sources_with("stringstream", "core/tensor/text_stream.h"), std::vector<std::string>())
      << "see core/tensor/text_stream.h";
}

TEST(House, ReadsArgumentsInOneFile) {
  // It costs seconds wherever it is included; commands are data.
  int times = 0;
  for (const Include& include : includes()) {
    if (!include.name.starts_with("CLI/")) continue;
    ++times;
    EXPECT_EQ(fs::relative(include.file, root), "app/cli/parse.cpp") << include.name;
  }
  EXPECT_EQ(times, 1) << "the test no longer sees the parser";
}

}  // namespace
}  // namespace orrery::house::includes_test
