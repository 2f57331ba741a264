#include "core/parameter/takes.h"

#include <gtest/gtest.h>

namespace orrery::parameter::takes_test {
namespace {

TEST(Takes, AWholeNameFitsBetterThanAnEnding) {
  constexpr std::string_view takes = "config.json|.json";
  EXPECT_EQ(taken(takes, "config.json"), 2);
  EXPECT_EQ(taken(takes, "Config.JSON"), 2);
  EXPECT_EQ(taken(takes, "llama.json"), 1);
  EXPECT_EQ(taken(takes, "config.jsonl"), 0);
  EXPECT_EQ(taken(takes, ".json"), 0);  // a hidden file without an ending
}

TEST(Takes, APartOfAFileIsTakenAsTheFileIs) {
  EXPECT_EQ(taken(".npy|.safetensors", "model.safetensors#model.inv_freq"), 1);
  EXPECT_EQ(taken(".npy", "model.safetensors#x.npy"), 0);
  EXPECT_EQ(taken(".npy|.safetensors", "model.safetensors.index.json#model.norm.weight"), 1);
  EXPECT_EQ(taken("config.json|.json", "model.safetensors.index.json"), 0);
}

TEST(Takes, NothingListedTakesEverything) {
  EXPECT_EQ(taken("", "anything"), 1);
  EXPECT_EQ(takes_text("config.json|.json"), "config.json, .json");
}

}  // namespace
}  // namespace orrery::parameter::takes_test
