// The invariances of the norms against the papers' table.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Zhang, Sennrich 2019, table 1: all three stay under a scale of all, of a single case the norms of a token alone; LayerNorm
/// alone of those two stays under a shift; BatchNorm stays under what happens to a feature in all tokens.
TEST(NormInvariance, IsThePapersTable) {
  const auto result = compute("norm/invariance", {});
  const auto stays = [&](const char* change) {
    std::string all;
    for (const double changed : column(result, "answers", change)) all += changed < 1e-3 ? 'y' : 'n';
    return all;  // LayerNorm, RMSNorm, GroupNorm, BatchNorm, ScaleNorm, DyT
  };
  EXPECT_EQ(stays("all scaled"), "yyyyyn");
  EXPECT_EQ(stays("all shifted"), "ynyynn");
  EXPECT_EQ(stays("one token scaled"), "yyynyn");
  EXPECT_EQ(stays("one feature scaled"), "nnnynn");
  EXPECT_EQ(stays("one feature shifted"), "nnnynn");
}

/// Words of a cell become smaller with it: two lines where numbers are told.
TEST(NormInvariance, AnswersStayInTheirCells) {
  for (const bool numbers : {false, true}) {
    const auto result = compute("norm/invariance", {{"show", numbers ? "table" : "all"}});
    int notes = 0;
    for (const figure::Mark& mark : result.figure.panels[0].marks)
      if (const auto* note = std::get_if<figure::Note>(&mark)) {
        ++notes;
        EXPECT_EQ(note->room, 1);
        EXPECT_EQ(note->room_y, numbers ? 0.5 : 1);
      }
    EXPECT_EQ(notes, numbers ? 60 : 30);
  }
}

/// A row of RMS r comes out as r/√(r² + ε): scaled by 3 from r = √ε it grows from 1/√2 to 3/√10, a relative change of
/// 3√2/√10 − 1 = 0.3416; of rows whose sizes differ a little it is about that.
TEST(NormInvariance, EpsilonBreaksItByASimpleLaw) {
  const auto result = compute("norm/invariance", {{"size", "0.01"}, {"eps", "1e-4"}, {"width", "128"}});
  EXPECT_NEAR(column(result, "answers", "all scaled")[1], 3 * std::sqrt(2.0) / std::sqrt(10.0) - 1, 0.02);
}

namespace norm_invariance_title {

bool four_changes(const titles::Said& said) {
  const auto part =
      said.as("Scaled by {}, LayerNorm changes by {}, RMSNorm by {}; shifted by {} σ, by {} and {}");
  if (!part) return false;
  const auto answer = [&](std::size_t place, const char* change, std::size_t norm) {
    return titles::says((*part)[place], said.column("answers", change)[norm], 2);
  };
  return titles::says((*part)[0], said.settings.real("factor"), 3) && answer(1, "all scaled", 0) &&
         answer(2, "all scaled", 1) && titles::says((*part)[3], said.settings.real("shift"), 3) &&
         answer(4, "all shifted", 0) && answer(5, "all shifted", 1);
}

const titles::Entries entries{{"norm/invariance", four_changes}};

}  // namespace norm_invariance_title

}  // namespace
}  // namespace orrery::study
