// What norm/eps says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "app/study/kit/expects.h"
#include "app/study/model/cards.h"
#include "app/study/norm/published_eps.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

using norm::EpsPlace;

/// mpmath: r/√(r² + ε) and r/(r + ε), 12 digits. A row in float is of its size to 2⁻²⁴, and what is measured is off by the
/// contract of the op: 2⁻²¹ in all.
TEST(NormEps, KeepsWhatTheFormulaSays) {
  const auto result = compute("norm/eps", {});
  for (const auto& [size, inside, outside] : {std::tuple{1e-3, 0.301511344578, 0.990099009901},
                                              {1e-5, 0.00316226184874, 0.5},
                                              {1e-8, 3.16227766015e-6, 9.99000999001e-4},
                                              {1, 0.999995000037, 0.9999900001}}) {
    EXPECT_NEAR(at(result, "kept", "inside", size) / inside, 1, 0x1p-21) << size;
    EXPECT_NEAR(at(result, "kept", "outside", size) / outside, 1, 0x1p-21) << size;
  }
  // ‖x‖ = r √64: at r = 10⁻⁶ the norm is 8·10⁻⁶, and 10⁻⁵ is the least.
  EXPECT_NEAR(at(result, "kept", "at least", 1e-6), 0.8, 1e-6);
  EXPECT_NEAR(at(result, "kept", "at least", 1e-5), 1, 1e-6);
  EXPECT_TRUE(all_hold(result));
}

/// mpmath: 1 − r/√(r² + ε) at r = 10⁴, ε = 10⁻⁵ is 5·10⁻¹⁴, which a double next to 1 has no three digits of.
TEST(NormEps, LittleIsMissingToTheLastDigit) {
  const auto result = compute("norm/eps", {});
  EXPECT_NEAR(at(result, "missing", "inside", 1e4) / 5e-14, 1, 1e-12);
  EXPECT_NEAR(at(result, "missing", "outside", 1e4) / 9.99999999e-10, 1, 1e-12);
}

/// NumPy, float16 step by step: 10⁻⁸ rounds to 0, squares below 2⁻²⁵ too, and 1/0 is infinite. 64 squares of a row of size 42
/// are past 65 504. In bf16 nothing of this happens.
TEST(NormEps, FormatsFailWhereTheyDo) {
  const auto result = compute("norm/eps", {{"eps", "1e-8"}});
  // The mean square is not 0 from 2^-25 on, less what small squares have lost: an eighth of a decade or two above its root.
  EXPECT_GT(column(result, "in_f16", "size")[0], 1.7263e-4);
  EXPECT_LT(column(result, "in_f16", "size")[0], 1.78 * 1.7263e-4);
  EXPECT_EQ(column(result, "in_bf16", "size")[0], 1e-8);
  EXPECT_NEAR(at(result, "in_bf16", "kept", 1e-6), 0.01, 1e-4);
  EXPECT_EQ(at(result, "in_f16", "kept", 1e2), 0);
  EXPECT_NEAR(at(result, "in_bf16", "kept", 1e2), 1, 0.02);
}

TEST(NormEps, TheCardsStandByTheirNumberOfModels) {
  double models = 0, silent = 0;
  for (const PublishedEps& each : published_eps()) models += each.models;
  for (const std::string_view name : card_names()) silent += published_card(name).norm.eps ? 0 : 1;
  EXPECT_EQ(models + silent, static_cast<double>(card_names().size()));
  for (const PublishedEps& each : published_eps()) {
    EXPECT_NEAR(size_kept(size_that_keeps(0.99, each.eps, each.place), each.eps, each.place), 0.99, 1e-15);
    EXPECT_NEAR(size_kept(size_that_keeps(0.5, each.eps, each.place), each.eps, each.place), 0.5, 1e-15);
  }
  // 2 of BERT's cards: half of a row is left at 10⁻⁶/√3.
  EXPECT_DOUBLE_EQ(size_that_keeps(0.5, 1e-12, EpsPlace::inside), 1e-6 / std::sqrt(3.0));
}

namespace norm_eps_title {

bool says_what_is_left(const titles::Said& said) {
  const auto part = said.as("Of a row of size {} an epsilon of {} leaves {} inside the root, {} outside");
  const double size = said.settings.real("size"), eps = said.settings.real("eps");
  return part && titles::says((*part)[0], size, 3) && titles::says((*part)[1], eps, 3) &&
         titles::says((*part)[2], size / std::sqrt(size * size + eps), 3) &&
         titles::says((*part)[3], size / (size + eps), 3);
}

const titles::Entries entries{{"norm/eps", says_what_is_left}};

}  // namespace norm_eps_title

}  // namespace
}  // namespace orrery::study
