// An animation that nobody wants any longer.
#include "app/render/animate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <stop_token>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::render::animate_test {
namespace {

TEST(Animate, StopsBeforeTheFirstPageWhileItChoosesTheirLayout) {
  const support::TemporaryFolder folder;
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.animation = recipe::Animation{.parameter = "position", .from = 0, .to = 6, .frames = 6, .frame = {}};
  std::stop_source stop;
  int heard = 0;
  MakeOptions options;
  options.stop = stop.get_token();
  options.on_frame = [&](int done, int all) {
    ++heard;
    if (2 * done == all) stop.request_stop();  // all are computed, none is laid out
  };
  EXPECT_THROW(make(recipe, folder / "%04d.png", options), Cancelled);
  EXPECT_EQ(heard, recipe.animation->frames);
  EXPECT_EQ(folder.files(), 0u);
}

recipe::Recipe turning(int frames) {
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.dpi = 20;
  recipe.animation = recipe::Animation{
      .parameter = "position", .from = 0, .to = frames - 1.0, .frames = frames, .frame = {}};
  return recipe;
}

// Whether it is another figure's file, a folder in the way, or called off at the last one: none is new.
TEST(Animate, NumberedPicturesAreAllNewOrNone) {
  const recipe::Recipe recipe = turning(3);
  for (const bool in_the_way : {false, true}) {
    const support::TemporaryFolder folder;
    support::put(folder / "0.png", "old");
    if (in_the_way) std::filesystem::create_directory(folder / "2.png");
    std::stop_source stop;
    MakeOptions options;
    options.stop = stop.get_token();
    options.on_frame = [&](int done, int all) {
      if (done + 1 == all) stop.request_stop();  // two of three are painted
    };
    if (in_the_way)
      EXPECT_THROW(make(recipe, folder / "%d.png"), Failure);
    else
      EXPECT_THROW(make(recipe, folder / "%d.png", options), Cancelled);
    EXPECT_EQ(support::contents(folder / "0.png"), "old");
    EXPECT_EQ(folder.files(), in_the_way ? 2u : 1u);
  }
}

TEST(Animate, EveryFileIsHeardOfBeforeTheFirstIsWritten) {
  const support::TemporaryFolder folder;
  for (const auto& [name, files] : {std::pair("%d.png", 3u), {"a.webp", 1u}}) {
    std::vector<std::filesystem::path> heard;
    MakeOptions options;
    options.before_writing = [&](std::span<const std::filesystem::path> some) {
      heard.assign(some.begin(), some.end());
      throw Failure("theirs");
    };
    EXPECT_THROW(make(turning(3), folder / name, options), Failure);
    EXPECT_EQ(heard.size(), files) << name;
    EXPECT_EQ(heard, animation_files(*turning(3).animation, folder / name));
    EXPECT_EQ(folder.files(), 0u);
  }
}

TEST(Animate, AMomentSaysWhereOnTheWayItIs) {
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.settings.set("base", "31622.7766");
  recipe.animation =
      recipe::Animation{.parameter = "base", .from = 1e4, .to = 1e5, .log = true, .frames = 9, .frame = {}};
  const figure::Moment there = moment(recipe);
  EXPECT_TRUE(there.text.ends_with("623")) << there.text;
  EXPECT_TRUE(there.text.starts_with("Base = 31")) << there.text;
  EXPECT_NEAR(there.share, 0.5, 1e-6);
}

// Its ends are what was set, and no number that no parameter has.
TEST(Animate, AMomentSaysWholeNumbersWhole) {
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.animation =
      recipe::Animation{.parameter = "position", .from = 0, .to = 131072, .frames = 3, .frame = {}};
  for (const auto& [position, said] : {std::pair("131072", "131\u2009072"),
                                       {"65536", "65\u2009536"},
                                       {"43690.67", "43\u2009691"},
                                       {"12.34567", "12.35"}}) {
    recipe.settings.set("position", std::string_view(position));
    EXPECT_NE(moment(recipe).text.find(said), std::string::npos) << moment(recipe).text;
  }
}

TEST(Animate, AMomentOfOneIsSingular) {
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.animation =
      recipe::Animation{.parameter = "position", .from = 0, .to = 8, .log = false, .frames = 9, .frame = {}};
  for (const auto& [position, said] : {std::pair("1", "Position = 1 token"), {"2", "Position = 2 tokens"}}) {
    recipe.settings.set("position", std::string_view(position));
    EXPECT_EQ(moment(recipe).text, said);
  }
}

}  // namespace
}  // namespace orrery::render::animate_test
