// rope/model says everything of odd files too in every language: what they leave out, and positions that do not rotate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/study/translate.h"
#include "tests/app/study/translation/gaps.h"
#include "tests/core/model/faults.h"
#include "tests/support/source.h"

namespace orrery::study::model_files_test {
namespace {

/// A key of the file stands as it is written: "rope_scaling.factor".
bool is_key(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

/// The study's texts for a file with this text; none where the file is refused.
void look_at_file(const std::string& text, Gaps& gaps) {
  const auto file = std::filesystem::temp_directory_path() / "orrery-model-file" / "config.json";
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
  const Study& model = find("rope/model");
  parameter::Settings settings(model.parameters);
  settings.set("config", file.string());
  try {
    each_text(model.compute(settings, study::Run{}), [&](std::string_view said) {
      if (!is_key(said)) gaps.look_at(said);
    });
  } catch (const Failure&) {
  }
  std::filesystem::remove_all(file.parent_path());
}

TEST(ModelFiles, AreSpokenOfInEveryLanguage) {
  const auto published =
      nlohmann::json::parse(std::ifstream(support::source("tests/reference/published_positions.json")));
  for (const auto& named : language::languages().subspan(1)) {
    Gaps gaps(language::dictionary(named.language));
    for (const auto& each : published) look_at_file(each["config"].dump(), gaps);
    for (const auto& fault : model_test::faults) look_at_file(fault.json, gaps);
    EXPECT_TRUE(gaps.empty()) << gaps.toml();
  }
}

}  // namespace
}  // namespace orrery::study::model_files_test
