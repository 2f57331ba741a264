// Another processor rounds otherwise, and a training is another one of the same kind: what comes of it lies within what other
// seeds make.
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <omp.h>

#include <set>

#include "app/experiment/report.h"
#include "app/experiment/train.h"
#include "tests/support/temporary_folder.h"

namespace orrery::experiment::kernels_test {
namespace {

double final_loss(int seed) {
  const Plan plan = plan_of(settings_from_toml(
      "orrery = 1\n[task]\nkind = \"markov\"\nlength = 16\nsequences = 8\n[model]\nwidth = 16\nheads = 2\nhidden = 32\npositions "
      "= \"rope\"\nnorm = \"rms\"\n[schedule]\nwarm_up = 20\nhighest = 1e-2\n[evaluation]\nsequences = 64\n[training]\nsteps = "
      "150\nseed = " +
          std::to_string(seed) + "\n",
      "s.toml"));
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  train(run, plan, {});
  return report_of(trainer_of(run, plan), plan).lengths[0].score.loss;
}

TEST(Kernels, NarrowerOnesEndWithinTheSpreadOverSeeds) {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  std::vector<double> seeds;
  for (const int seed : {1, 2, 3, 4}) seeds.push_back(final_loss(seed));
  const auto [least, most] = std::ranges::minmax(seeds);
  EXPECT_GT(most - least, 1e-4) << "seeds differ";
  std::set<double> losses;
  int others = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const double loss = final_loss(1);
    std::printf("%s: %.17g, seeds %.9g to %.9g\n", hwy::TargetName(target), loss, least, most);
    EXPECT_LE(std::abs(loss - seeds[0]), most - least) << hwy::TargetName(target);
    losses.insert(loss);
    ++others;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_EQ(final_loss(1), seeds[0]) << "on the same kernels to the bit";
  EXPECT_GE(others, 2);
  EXPECT_GE(losses.size(), 2u) << "every kernel rounds as every other: were they others at all?";
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace orrery::experiment::kernels_test
