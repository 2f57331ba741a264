// What is asked before a figure is written.
#include "app/render/spare.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stop_token>
#include <string>

#include "app/recipe/runner.h"
#include "app/render/make.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

namespace orrery::render::spare_test {
namespace {

TEST(Write, OfWhatWasStoppedLeavesNoFile) {
  const support::TemporaryFolder folder;
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  const recipe::Outcome outcome = recipe::compute_now(study, recipe.settings, study::Run{});
  std::stop_source stop;
  MakeOptions options;
  options.stop = stop.get_token();
  EXPECT_FALSE(write(recipe, outcome, folder / "kept.svg", options).files.empty());
  EXPECT_FALSE(write(recipe, outcome, folder / "kept.csv", options).files.empty());
  stop.request_stop();
  for (const char* ending : {"svg", "csv"}) {
    SCOPED_TRACE(ending);
    EXPECT_THROW(write(recipe, outcome, folder / (std::string("stopped.") + ending), options), Cancelled);
  }
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    EXPECT_TRUE(file.path().filename().string().starts_with("kept")) << file.path();
}

}  // namespace
}  // namespace orrery::render::spare_test
