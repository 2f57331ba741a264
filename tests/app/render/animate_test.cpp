// An animation that nobody wants any longer.
#include "app/render/animate.h"

#include <gtest/gtest.h>

#include <stop_token>

#include "core/tensor/error.h"
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

TEST(Animate, AMomentSaysWhereOnTheWayItIs) {
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.settings.set("base", "31622.7766");
  recipe.animation =
      recipe::Animation{.parameter = "base", .from = 1e4, .to = 1e5, .log = true, .frames = 9, .frame = {}};
  const figure::Moment there = moment(recipe);
  EXPECT_TRUE(there.text.ends_with("620")) << there.text;
  EXPECT_TRUE(there.text.starts_with("Base = 31")) << there.text;
  EXPECT_NEAR(there.share, 0.5, 1e-6);
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
