// A and B put together on a worker.
#include "app/recipe/composer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "app/recipe/comparison.h"

namespace orrery::recipe::composer_test {
namespace {

std::shared_ptr<const Outcome> outcome(const char* study, const char* base = nullptr) {
  parameter::Settings settings(study::find(study).parameters);
  if (base) settings.set("base", parameter::Value(std::stod(base)));
  study::Run run;
  Outcome made = compute_now(study::find(study), settings, run);
  made.digest = figure::digest(made.result.figure);
  return std::make_shared<const Outcome>(std::move(made));
}

Composer::Made wait_for(const Composer& composer, const Composer::Parts& parts) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!(composer.made().of == parts) && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return composer.made();
}

TEST(Composer, MakesWhatIsAskedForLast) {
  std::atomic<int> rung = 0;
  Composer composer([&] { ++rung; });
  EXPECT_FALSE(composer.busy());
  EXPECT_FALSE(composer.made().both);
  const auto a = outcome("rope/rotation"), b = outcome("rope/rotation", "10000");
  Composer::Parts last;
  for (const figure::CompareMode mode : {figure::CompareMode::overlay, figure::CompareMode::difference}) {
    last = {a, b, mode};
    composer.request(last);
    EXPECT_TRUE(composer.busy() || composer.made().of == last);
  }
  const Composer::Made made = wait_for(composer, last);
  ASSERT_TRUE(made.of == last && made.both);
  EXPECT_FALSE(composer.busy());
  EXPECT_GE(rung, 1);
  const Outcome here = compared(*a, *b, figure::CompareMode::difference);
  EXPECT_EQ(made.both->result.figure.panels.size(), here.result.figure.panels.size());
  EXPECT_EQ(made.both->remarks, here.remarks);
  EXPECT_TRUE(made.both->compare);
  // The same again: what is there stays.
  composer.request(last);
  EXPECT_EQ(composer.made().both, made.both);
  composer.forget();
  EXPECT_FALSE(composer.busy());
  EXPECT_FALSE(composer.made().both);
}

TEST(Composer, EndsWhileItWorks) {
  const auto a = outcome("rope/rotation");
  for (int i = 0; i < 20; ++i) {
    Composer composer;
    composer.request({a, a, figure::CompareMode::overlay});
  }
}

}  // namespace
}  // namespace orrery::recipe::composer_test
