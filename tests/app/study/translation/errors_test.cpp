// What a study, its parameters and its files complain about is said in every language: no two English words stand side
// by side but in what a person typed, and in names.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "app/language/error.h"
#include "app/recipe/recipe.h"
#include "app/study/changes.h"
#include "app/study/kit/declare.h"
#include "core/tensor/error.h"
#include "tests/app/study/draw.h"
#include "tests/app/study/name_in_tests.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study::errors_test {
namespace {

namespace fs = std::filesystem;
using parameter::Kind;

/// Every complaint once, numbers apart.
class Complaints {
 public:
  template <class Act>
  void of(const Act& act) {
    try {
      act();
    } catch (const Cancelled&) {
    } catch (const std::exception& error) {
      static const std::regex number("[0-9]+");
      if (seen_.insert(std::regex_replace(error.what(), number, "0")).second)
        all_.push_back(complaint_of(error));
    }
  }
  const std::vector<Complaint>& all() const { return all_; }

 private:
  std::set<std::string> seen_;
  std::vector<Complaint> all_;
};

/// What is left of English: two words of letters with a space between them, outside quotation marks.
std::string english_left(std::string_view said) {
  static const std::regex quoted("'[^']*'|\"[^\"]*\""), words("[A-Za-z]{2,}'?[,;:]? [A-Za-z]{2,}");
  // A list of choices, as they are typed; keys of a file.
  static const std::regex names("[a-z0-9_.:-]+(, [a-z0-9_.:/-]+)+|[a-z]+_[a-z_]+");
  std::string left = std::regex_replace(std::string(said), quoted, "q");
  left = std::regex_replace(left, names, "1");
  std::smatch found;
  return std::regex_search(left, found, words) ? found.str() : std::string();
}

void expect_said(const Complaints& complaints) {
  for (const language::Named& named : language::languages().subspan(1))
    for (const Complaint& complaint : complaints.all()) {
      const std::string said = language::say_error(named.language, complaint);
      EXPECT_EQ(english_left(said), "") << english(complaint) << "\n  " << said;
      EXPECT_NE(said, english(complaint));
    }
}

/// Each says what it is about, and what is wrong or what is allowed; what was found is seen in the fault.
void expect_parts(const Complaints& complaints) {
  for (const Complaint& complaint : complaints.all()) {
    const std::string line = english(complaint);
    EXPECT_FALSE(complaint.subject().empty()) << line;
    EXPECT_FALSE(complaint.fault().empty() && complaint.allowed().empty()) << line;
    EXPECT_NE(complaint.fault().kind, Phrase::Kind::foreign) << line << ": a sentence, not its parts";
    for (const Subject& subject : complaint.subject()) EXPECT_FALSE(subject.name.empty()) << line;
    for (const std::string& name : complaint.nearest()) EXPECT_NE(line.find(name), std::string::npos) << line;
  }
}

/// Slips of the fingers: none of them is right everywhere, each is wrong somewhere.
std::vector<std::string> slips(const parameter::Parameter& p) {
  std::vector<std::string> all{"",      "9#",    "0.5",    "-1", "nan",
                               "1e999", "1e300", "-1e300", ",",  "1,2,3,4,5,6,7"};
  if (std::isfinite(p.min)) all.push_back(parameter::shortest(p.min - 1));
  if (std::isfinite(p.max)) all.push_back(parameter::shortest(p.max + 1));
  if (p.multiple > 1) all.push_back(parameter::shortest(p.min + 1));
  for (const std::string_view choice : parameter::choices_of(p)) all.push_back(std::string(choice) + "x");
  return all;
}

/// Files that are not what they should be.
std::vector<std::string> bad_files(const fs::path& folder) {
  const std::pair<const char*, std::string> files[] = {
      {"empty.npy", ""},
      {"zeros.npy", std::string(100, '\0')},
      {"cut.npy", std::string("\x93NUMPY\x01\x00", 8)},
      {"complex.npy", std::string("\x93NUMPY\x01\x00\x46\x00", 10) +
                          "{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }            \n"},
      {"short.npy", std::string("\x93NUMPY\x01\x00\x46\x00", 10) +
                        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }            \n"},
      {"short.safetensors", "123"},
      {"cut.safetensors", std::string("\x40\0\0\0\0\0\0\0{", 9)},
      {"none.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10)},
      {"config.json", "{"},
      {"list.json", "[1, 2]"},
      {"words.json", "{\"head_dim\": \"many\"}"},
      {"empty.json", "{}"},
      {"odd.json", "{\"head_dim\": 7}"},
      {"factor.json", R"({"head_dim": 64, "rope_scaling": {"rope_type": "linear"}})"},
      {"type.json", R"({"head_dim": 64, "rope_scaling": {"rope_type": "spiral"}})"},
      {"negative.json", R"({"head_dim": 64, "rope_theta": -1})"},
      {"long.json", R"({"head_dim": 64, "rope_scaling": {"rope_type": "longrope", "short_factor": [1]}})"},
      {"words.txt", "one two three"},
      {"empty.txt", ""},
      {"negative.txt", "1 -2 3"},
      {"one.csv", "1"},
  };
  std::vector<std::string> all{"/0/1", folder.string()};
  for (const auto& [name, bytes] : files) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    all.push_back((folder / name).string());
  }
  return all;
}

class EveryError : public testing::TestWithParam<const Study*> {
 protected:
  const Study& study() { return *GetParam(); }
};

TEST_P(EveryError, OfAValueThatIsTypedIsSaid) {
  Complaints complaints;
  for (const parameter::Parameter& p : study().parameters)
    for (const std::string& slip : slips(p))
      complaints.of([&] { parameter::Settings(study().parameters).set(p.name, std::string_view(slip)); });
  complaints.of([&] { changed(parameter::Settings(study().parameters), "nothing"); });
  complaints.of([&] { parameter::Settings(study().parameters).set("9", std::string_view("1")); });
  EXPECT_GE(complaints.all().size(), 5u);
  expect_said(complaints);
}

TEST(KindErrors, OfATextAndOfAMatrixAreSaid) {
  constexpr auto declared = std::to_array<parameter::Parameter>({
      text("sentence", "Sentence", "a cat", {2, 9}, "words"),
      text("any", "Any", "", {0, std::numeric_limits<double>::infinity()}, "words"),
      matrix("turn", "Turn", "1,0;0,1", {-1, 1}, "a square", {.length = 2, .rows = 2}),
      matrix("rows", "Rows", "1,0", {-1, 1}, "rows", {.length = 2}),
      matrix("free", "Free", "1", {-1, 1}, "numbers"),
  });
  Complaints complaints;
  for (const parameter::Parameter& p : declared)
    for (const char* slip : {"", "a", "far too long", "two\nlines", "\xFF", "1,0;0", "1;;2", "1", "1;0",
                             "1,0", "5,5;5,5", "1,x", "1,0;0,1;1,1"})
      complaints.of([&] { parameter::Settings(declared).set(p.name, std::string_view(slip)); });
  EXPECT_GE(complaints.all().size(), 15u);
  expect_said(complaints);
}

TEST_P(EveryError, OfAValueIsAboutItsParameter) {
  for (const parameter::Parameter& p : study().parameters)
    for (const std::string& slip : slips(p)) try {
        parameter::Settings(study().parameters).set(p.name, std::string_view(slip));
      } catch (const InvalidArgument& error) {
        const Complaint& said = error.complaint();
        ASSERT_EQ(said.subject().size(), 1u) << error.what();
        EXPECT_TRUE(said.begins_with(Subject::Kind::parameter, p.name)) << error.what();
        EXPECT_EQ(said.found(), slip) << error.what();
        EXPECT_EQ(said.allowed(), parameter::allowed_phrase(p)) << error.what();
      }
}

TEST_P(EveryError, OfSettingsThatContradictEachOtherIsSaid) {
  Complaints complaints;
  for (std::uint64_t seed = 1; seed <= settings_of_chance * 3 / 2; ++seed)
    complaints.of([&] { within(quick / 10, DeviceChoice::cpu, study(), drawn(study(), seed)); });
  expect_said(complaints);
}

TEST_P(EveryError, OfAFileThatItReadsIsSaid) {
  Complaints complaints;
  const support::TemporaryFolder folder;
  int files = 0;
  for (const parameter::Parameter& p : study().parameters) {
    if (p.kind != Kind::file) continue;
    for (const std::string& file : bad_files(folder.path())) {
      parameter::Settings settings(study().parameters);
      settings.set(p.name, std::string_view(file));
      // Read where other choices ask for it: the first of those that do.
      static const std::regex alternatives("\\|[^ ]*");
      settings = changed(settings, std::regex_replace(std::string(p.only_when), alternatives, ""));
      complaints.of([&] { study().compute(settings, study::Run{}); });
      ++files;
    }
  }
  EXPECT_GE(complaints.all().size(), files > 0 ? 5u : 0u);
  expect_said(complaints);
  expect_parts(complaints);
}

TEST(Errors, OfRecipesAreSaid) {
  Complaints complaints;
  for (const char* text :
       {"", "orrery = 9", "orrery = 1", "orrery = 1\nstudy = 3", "orrery = 1\nstudy = \"rope/rotatoin\"",
        "orrery = 1\nstudy = \"rope/rotation\"\nthemes = 3", "orrery = 1\nstudy = \"rope/rotation\"\n[",
        "orrery = 1\nstudy = \"rope/rotation\"\nx",
        "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbse = 3",
        "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbase = -3",
        "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbase = \"much\"",
        "orrery = 1\nstudy = \"rope/rotation\"\n[page]\ntheme = \"drak\"",
        "orrery = 1\nstudy = \"rope/rotation\"\n[page]\nsize = \"1x\"",
        "orrery = 1\nstudy = \"rope/rotation\"\n[page]\nwidth = 3",
        "orrery = 1\nstudy = \"rope/rotation\"\n[page]\nlanguage = \"tlh\"",
        "orrery = 1\nstudy = \"rope/rotation\"\n[compare]\nx = 1", "orrery = 1\n[parameters]\nbase = 3"})
    complaints.of([&] { recipe::recipes_from_toml(text, "r.toml"); });
  EXPECT_GE(complaints.all().size(), 15u);
  expect_said(complaints);
  for (const Complaint& complaint : complaints.all()) {
    EXPECT_TRUE(complaint.begins_with(Subject::Kind::file, "r.toml")) << english(complaint);
    EXPECT_GT(complaint.subject().front().line, 0u) << english(complaint);
  }
}

INSTANTIATE_TEST_SUITE_P(Words, EveryError, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

}  // namespace
}  // namespace orrery::study::errors_test
