#include "app/recipe/presets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/recipe/presets_folder.h"
#include "app/study/model_facts.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

namespace orrery::recipe::presets_test {
namespace {

namespace fs = std::filesystem;

/// As far as the first figure of a long computation.
void compute_until_shown(const study::Study& study, const parameter::Settings& settings) {
  std::stop_source source;
  study::Run run;
  run.stop = source.get_token();
  run.on_partial = [&](const study::StudyResult&) { source.request_stop(); };
  try {
    study.compute(settings, run);
  } catch (const Cancelled&) {
  }
}

/// A data folder of its own, for as long as a test runs.
class Presets : public testing::Test {
 protected:
  Presets() {
    if (const char* before = std::getenv("XDG_DATA_HOME")) before_ = before;
    ::setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
  }
  ~Presets() override {
    before_.empty() ? ::unsetenv("XDG_DATA_HOME") : ::setenv("XDG_DATA_HOME", before_.c_str(), 1);
  }
  void save(const study::Study& study, const parameter::Settings& settings, std::string_view name) {
    const fs::path file = preset_file(study, name);
    fs::create_directories(file.parent_path());
    std::ofstream(file) << preset_text(study, settings);
  }
  const study::Study& rotation = study::find("rope/rotation");

 private:
  const support::TemporaryFolder folder_;
  std::string before_;
};

TEST_F(Presets, LlamaIsWhatItsFileSays) {
  const parameter::Settings s =
      with_preset(parameter::Settings(rotation.parameters), find_preset(rotation, "llama-3.1-8b"));
  EXPECT_EQ(s.real("base"), 500000);
  EXPECT_EQ(s.integer("head_width"), 128);  // 4096 / 32
  EXPECT_EQ(s.choice("pairing"), "half");
  EXPECT_EQ(s.choice("frequencies"), "llama3");
  EXPECT_EQ(s.real("factor"), 8);
  EXPECT_EQ(s.integer("trained_length"), 8192);
  EXPECT_EQ(s.real("position"), 37);  // no model says where a query stands
}

TEST_F(Presets, EveryPublishedOneIsAccepted) {
  int some = 0;
  for (const study::Study* study : study::studies())
    for (const Preset& preset : published_presets(*study)) {
      SCOPED_TRACE(std::string(study->id) + " " + preset.name);
      const parameter::Settings settings = with_preset(parameter::Settings(study->parameters), preset);
      ++some;
      // What a study may refuse as it computes, by three that differ most: plain numbers, a rotated part, a list.
      const bool telling =
          preset.name == "llama-3.1-8b" || preset.name == "deepseek-v3" || preset.name == "phi-4-mini";
      if (telling) {
        EXPECT_NO_THROW(compute_until_shown(*study, settings));
      }
    }
  EXPECT_GE(some, 15 * 14);  // fifteen models, in the studies of rotary positions at least
}

/// Base 10 000 and 4096 tokens, in every study of rotary positions that has presets.
TEST_F(Presets, ACourseHasItsOwn) {
  int studies = 0;
  for (const study::Study* study : study::studies()) {
    const auto turns = [](const parameter::Parameter& p) { return p.model_fact == "rope_theta"; };
    if (std::ranges::none_of(study->parameters, turns)) continue;
    ++studies;
    for (const char* name : {"course-d4", "course-d64", "course-d128"}) {
      SCOPED_TRACE(std::string(study->id) + " " + name);
      const parameter::Settings s =
          with_preset(parameter::Settings(study->parameters), find_preset(*study, name));
      for (const parameter::Parameter& p : study->parameters) {
        if (p.model_fact == "rope_theta") {
          EXPECT_EQ(s.real(p.name), 10000);
        }
        if (p.model_fact == "trained_length") {
          EXPECT_EQ(s.text(p.name), "4096");
        }
      }
      EXPECT_NO_THROW(compute_until_shown(*study, s));
    }
  }
  EXPECT_GE(studies, 10);
  EXPECT_EQ(with_preset(parameter::Settings(rotation.parameters), find_preset(rotation, "course-d4"))
                .integer("head_width"),
            4);
  EXPECT_THROW(find_preset(study::find("norm/compare"), "course-d4"), InvalidArgument);
}

TEST_F(Presets, AllFactsThatStudiesAskForAreKnown) {
  for (const study::Study* study : study::studies())
    for (const parameter::Parameter& p : study->parameters)
      if (!p.model_fact.empty()) {
        EXPECT_NO_THROW(study::model_fact("llama-3.1-8b", p.model_fact)) << study->id << " " << p.name;
      }
  EXPECT_THROW(study::model_fact("llama-3.1-8b", "colour"), InvalidArgument);
  EXPECT_THROW(study::model_fact("llama-4-8b", "rope_theta"), InvalidArgument);
}

TEST_F(Presets, WhatAStudyCannotTakeIsSaid) {
  // LongRoPE is none of the rules of this study; the base is taken all the same.
  const Preset phi = find_preset(rotation, "phi-4-mini");
  ASSERT_EQ(phi.left_out.size(), 1u);
  EXPECT_EQ(phi.left_out.front(), "Frequencies: longrope");
  EXPECT_EQ(with_preset(parameter::Settings(rotation.parameters), phi).integer("head_width"), 96);
}

TEST_F(Presets, LockedParametersKeepTheirs) {
  const parameter::Settings s = with_preset(parameter::Settings(rotation.parameters),
                                            find_preset(rotation, "deepseek-v3"), {"head_width", "base"});
  EXPECT_EQ(s.integer("head_width"), 64);
  EXPECT_EQ(s.real("base"), 500000);
  EXPECT_EQ(s.choice("frequencies"), "yarn");
}

TEST_F(Presets, SavedOnesComeBackAndGoFirst) {
  parameter::Settings mine(rotation.parameters);
  mine.set("base", "1234.5");
  save(rotation, mine, "my own");
  save(rotation, mine, "llama-3.1-8b");
  save(study::find("rope/angles"), parameter::Settings(study::find("rope/angles").parameters), "elsewhere");
  const auto saved = saved_presets(rotation);
  ASSERT_EQ(saved.size(), 2u);
  EXPECT_EQ(saved[1].name, "my own");
  EXPECT_TRUE(saved[1].saved);
  const parameter::Settings defaults(rotation.parameters);
  EXPECT_EQ(with_preset(defaults, saved[1]), mine);
  EXPECT_EQ(with_preset(defaults, find_preset(rotation, "llama-3.1-8b")), mine);
}

TEST_F(Presets, BrokenFilesArePassedOver) {
  save(rotation, parameter::Settings(rotation.parameters), "good");
  std::ofstream(preset_file(rotation, "bad")) << "study = ";
  fs::create_directories(preset_file(rotation, "folder"));
  // A recipe of another study in this one's folder.
  std::ofstream(preset_file(rotation, "strange"))
      << preset_text(study::find("rope/angles"), parameter::Settings(study::find("rope/angles").parameters));
  const auto saved = saved_presets(rotation);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].name, "good");
}

TEST_F(Presets, ADamagedOneIsNamedWithItsPlace) {
  save(rotation, parameter::Settings(rotation.parameters), "good");
  const fs::path bad = preset_file(rotation, "bad"), strange = preset_file(rotation, "strange");
  std::ofstream(bad) << "study = ";
  std::ofstream(strange) << preset_text(study::find("rope/angles"),
                                        parameter::Settings(study::find("rope/angles").parameters));
  const auto said = [this](const char* name) -> std::string {
    try {
      find_preset(rotation, name);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_TRUE(said("bad").starts_with(bad.string() + ":1:")) << said("bad");
  EXPECT_EQ(said("strange"), strange.string() + ": is a recipe of rope/angles, not of rope/rotation");
}

TEST_F(Presets, WithoutAFolderOfAPersonThereAreNone) {
  const char* home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  ::setenv("XDG_DATA_HOME", "relative", 1);
  ::setenv("HOME", "", 1);
  EXPECT_EQ(presets_folder(), "");
  EXPECT_EQ(preset_file(rotation, "mine"), "");
  EXPECT_TRUE(saved_presets(rotation).empty());
  EXPECT_FALSE(find_preset(rotation, "llama-3.1-8b").saved);
  home != nullptr ? ::setenv("HOME", before.c_str(), 1) : ::unsetenv("HOME");
}

TEST_F(Presets, UnknownNamesTheNear) {
  try {
    find_preset(rotation, "lama-3.1-8b");
    FAIL();
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("--preset: 'lama-3.1-8b' is no preset of rope/rotation"));
    EXPECT_NE(text.find("did you mean 'llama-3.1-8b'?"), std::string::npos);
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
  EXPECT_THROW(find_preset(study::find("figure/marks"), "x"), InvalidArgument);
}

TEST_F(Presets, NamesThatAreNoFileNamesAreRefused) {
  for (const char* name : {"", "a/b", "..", ".hidden", "new\nline"})
    EXPECT_THROW(preset_file(rotation, name), InvalidArgument) << name;
  EXPECT_THROW(preset_file(rotation, std::string(81, 'x')), InvalidArgument);
  EXPECT_EQ(preset_file(rotation, "µ scaled").filename(), "µ scaled.toml");
}

}  // namespace
}  // namespace orrery::recipe::presets_test
