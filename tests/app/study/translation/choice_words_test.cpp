// Words of choices in their place: each line that the tables have for one is used, and says something of its own.
#include "app/study/choice_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/language/dictionary.h"
#include "app/study/choice_name.h"

namespace orrery::study::choice_words_test {
namespace {

using language::Language;

const parameter::Parameter& parameter_of(const Study& study, std::string_view name) {
  const auto found = std::ranges::find(study.parameters, name, &parameter::Parameter::name);
  if (found == study.parameters.end()) throw std::out_of_range(std::string(name));
  return *found;
}

std::string in_chinese(std::string_view study, std::string_view name, std::string_view choice) {
  return choice_words(Language::zh, find(study), parameter_of(find(study), name), choice);
}

TEST(ChoiceWords, MeanWhatTheyDoInTheirPlace) {
  EXPECT_EQ(in_chinese("attention/masks", "filling", "left"), "左侧");
  EXPECT_EQ(in_chinese("attention/masks", "filling", "right"), "右侧");
  EXPECT_EQ(in_chinese("rope/cache-offset", "show", "right"), "正确");
  EXPECT_EQ(in_chinese("block/complexity", "feed_forward", "plain"), "普通");
  EXPECT_EQ(in_chinese("position/sum", "show", "plain"), "不乘 √d");
  EXPECT_EQ(in_chinese("norm/geometry", "moved", "scaled"), "缩放");
  EXPECT_EQ(in_chinese("norm/invariance", "show", "scaled"), "缩放");
  EXPECT_EQ(in_chinese("position/sum", "show", "scaled"), "乘 √d");
  EXPECT_EQ(in_chinese("training/schedule", "first_step", "one"), "一");
  EXPECT_EQ(in_chinese("attention/heads", "show", "one"), "单个");
  for (const char* study : {"rope/self-extend", "attention/map", "rope/precision"})
    EXPECT_EQ(in_chinese(study, "show", "map"), "图") << study;
  EXPECT_EQ(in_chinese("numerics/twins", "show", "map"), "误差图");
  EXPECT_EQ(in_chinese("extrapolation/train", "show", "lengths"), "长度");
  EXPECT_EQ(in_chinese("embedding/learned", "show", "lengths"), "模长比");
  EXPECT_EQ(in_chinese("extrapolation/train", "show", "back"), "回看");
  EXPECT_EQ(in_chinese("attention/permutation", "show", "back"), "放回");
}

TEST(ChoiceWords, AreNamesInEnglish) {
  const auto in_english = [](std::string_view study, std::string_view name, std::string_view choice) {
    return choice_words(Language::en, find(study), parameter_of(find(study), name), choice);
  };
  EXPECT_EQ(in_english("attention/masks", "filling", "right"), "right");
  EXPECT_EQ(in_english("norm/steps", "norm", "rms_norm"), "RMSNorm");
  EXPECT_EQ(in_english("norm/training", "norm", "layer"), "LayerNorm");
  EXPECT_EQ(in_english("activation/flow", "norm", "rms"), "RMSNorm");
  EXPECT_EQ(in_english("attention/cache", "mistake", "decoded_at_zero"), "decoded at zero");
  EXPECT_EQ(in_english("numerics/twins", "op", "rms_norm"), "rms_norm") << "as apply has it";
  EXPECT_EQ(in_chinese("norm/steps", "norm", "rms_norm"), "RMSNorm");
  EXPECT_EQ(in_chinese("block/training", "kind", "post_warm"), "post，预热");
}

TEST(ChoiceWords, NoTwoChoicesOfAParameterHaveOneName) {
  for (const Study* study : studies())
    for (const parameter::Parameter& p : study->parameters) {
      const std::vector<std::string_view> choices = parameter::choices_of(p);
      std::set<std::string> names;
      for (const std::string_view choice : choices) names.insert(choice_name(p, choice));
      EXPECT_EQ(names.size(), choices.size()) << study->id << " " << p.name;
      if (p.name == "op") continue;
      for (const std::string& name : names) EXPECT_EQ(name.find('_'), name.npos) << study->id << " " << name;
    }
}

TEST(ChoiceWords, EveryNameIsSaidInEveryLanguage) {
  const auto chinese = [](const std::string& name) {
    return language::dictionary(Language::zh).exact(name) != nullptr;
  };
  for (const Study* study : studies())
    for (const parameter::Parameter& p : study->parameters)
      for (const std::string_view choice : parameter::choices_of(p)) {
        const std::string name = choice_name(p, choice);
        EXPECT_TRUE(name == choice || chinese(name)) << study->id << ": " << name;
      }
}

/// Every line that a table may have for one choice.
std::set<std::string> lines_that_could_be() {
  std::set<std::string> all;
  for (const Study* study : studies())
    for (const parameter::Parameter& p : study->parameters)
      for (const std::string_view choice : parameter::choices_of(p)) {
        all.insert(std::string(p.label) + ": " + std::string(choice));
        all.insert(std::string(study->id) + "/" + std::string(p.name) + ": " + std::string(choice));
      }
  return all;
}

TEST(ChoiceWords, EveryLineOfTheTableIsOfAChoiceAndNeeded) {
  const std::set<std::string> could_be = lines_that_could_be();
  for (const language::Named& named : language::languages()) {
    const language::Dictionary& dictionary = language::dictionary(named.language);
    int lines = 0;
    for (const language::Entry& entry : dictionary.entries()) {
      if (entry.origin.find("/choices.toml") == std::string::npos) continue;
      ++lines;
      EXPECT_TRUE(could_be.contains(entry.english)) << entry.origin << ": nothing uses " << entry.english;
      const std::string choice = entry.english.substr(entry.english.rfind(": ") + 2);
      EXPECT_NE(dictionary.translate(choice), entry.said)
          << entry.origin << ": " << choice << " is said so everywhere";
    }
    EXPECT_TRUE(named.language == Language::en || lines > 10) << named.code;
  }
}

}  // namespace
}  // namespace orrery::study::choice_words_test
