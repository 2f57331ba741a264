// Long computations may be stopped, say how far they are, and show what they have so far. Time is not measured here, work is
// counted: tests/bench/study_clock measures the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "app/figure/layout.h"
#include "app/figure/theme.h"
#include "app/study/changes.h"
#include "app/study/study.h"
#include "core/tensor/error.h"
#include "tests/app/figure/support.h"

namespace orrery::study::long_studies_test {
namespace {

/// Settings at which a study is long, and how much work it is then, counted in what its innermost loops do.
struct Work {
  const char* study;
  const char* changes;
  double units;
  const char* unit;
};

/// No more than so many between two checks: at a few nanoseconds each some ten milliseconds, far from the hundred that a
/// person waits for, on a machine that is slow too.
constexpr double units_of_a_check = 1 << 21;

void PrintTo(const Work& w, std::ostream* out) {
  *out << w.study << " " << w.changes;
}

const Work works[] = {
    // Every pair of the default head of 128 at every position: once for the error, once at least for the table's row.
    {"rope/precision", "length=262144", 2.0 * 262144 * 64, "angles"},
    // Half of the 240 bases, those above the least one for this context, reach it; the search comes on top.
    {"extrapolation/base", "context=131072 base=1e9 ratio=1.1", 120.0 * 131072 * 64, "cosines"},
    // Each of the decoded tokens meets the prompt: for the right positions, the mistaken ones, and step by step.
    {"rope/cache-offset", "prompt=512 decoded=128 head_width=256", 3.0 * 128 * 512 * 256, "products"},
    // Lengths grow by 2^(1/4) to the longest, so that they are 6 times as long together; three remedies keep all keys.
    {"extrapolation/entropy", "longest=1048576", 3.0 * 6 * 1048576, "exponentials"},
    // Models of 48, 24, 12, 6 and 3 layers, forward and back, of seven placements and three seeds; a token's six matrices,
    // its scores and values. In vectors, of which a product takes a part of a nanosecond.
    {"block/placement", "layers=48", 93.0 * 21 * 3 * 32 * (6 * 64 * 64 + 2 * 64 * 32) / 2,
     "pairs of products"},
    // Three matrices for each of the rows.
    {"numerics/twins", "op=gated_feed_forward rows=32 width=512", 3.0 * 32 * 512 * 512, "products"},
};

class LongStudies : public testing::TestWithParam<Work> {
 protected:
  const Study& study() const { return find(GetParam().study); }
  parameter::Settings settings() const {
    return changed(parameter::Settings(study().parameters), GetParam().changes);
  }
};

INSTANTIATE_TEST_SUITE_P(Study, LongStudies, testing::ValuesIn(works), [](const auto& test) {
  std::string name = test.param.study;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
});

TEST_P(LongStudies, AskWhetherToStopEverySoManyUnitsOfWork) {
  int checks = 0, partials = 0;
  double said = -1;
  study::Run run;
  run.on_check = [&] { ++checks; };
  run.on_progress = [&](double fraction) {
    EXPECT_GE(fraction, said);
    EXPECT_LE(fraction, 1);
    said = fraction;
  };
  run.on_partial = [&](const StudyResult& partial) {
    ++partials;
    const figure::Scene scene =
        figure::layout(partial.figure, figure::page(500, 400), figure::light_theme(), figure::CountedText());
    EXPECT_FALSE(scene.primitives.empty());
  };
  study().compute(settings(), run);
  std::printf("%-20s %8.2g %s, %d checks, %d partial figures\n", GetParam().study, GetParam().units,
              GetParam().unit, checks, partials);
  EXPECT_GE(checks, GetParam().units / units_of_a_check);
  EXPECT_GE(partials, 1);
  EXPECT_GT(said, 0.4);
}

TEST_P(LongStudies, StopAtTheVeryCheckThatAsksThem) {
  std::stop_source source;
  study::Run run;
  run.stop = source.get_token();
  int checks = 0;
  run.on_check = [&] {
    if (++checks == 7) source.request_stop();
  };
  EXPECT_THROW(study().compute(settings(), run), Cancelled);
  EXPECT_EQ(checks, 7);  // nothing went on after that
}

}  // namespace
}  // namespace orrery::study::long_studies_test
