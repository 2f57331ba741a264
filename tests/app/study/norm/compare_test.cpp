// A batch through the norms and their kin: a model's own numbers out of files, and vectors wider than a page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "app/study/kit/expects.h"
#include "app/study/norm/hidden_states.h"
#include "core/file/npy.h"
#include "core/tensor/array.h"
#include "tests/app/study/ask.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study {
namespace {

std::string npy(const support::TemporaryFolder& folder, const char* name, const twin::Matrix& x) {
  const auto path = folder.path() / name;
  file::write_npy(path, tensor::Array::from(tensor::View<const double>(x), tensor::Format::f64));
  return path.string();
}

/// Of equal components the deviation is 0, and nothing can be so many deviations: the axis counts the mean itself.
TEST(NormCompare, EqualComponentsHaveAMeanAndNoDeviation) {
  const auto axis = [](const char* vector) {
    const auto result =
        compute("norm/compare", {{"components", "typed"}, {"vector", vector}, {"show", "distance"}});
    return result.figure.panels.at(0).x.label;
  };
  EXPECT_EQ(axis("5"), "common mean");
  EXPECT_EQ(axis("5,5"), "common mean");
  EXPECT_EQ(axis("5,4"), "common mean / deviation");
  // Their squares are 0: floats have no such numbers either.
  EXPECT_EQ(axis("1e-200,2e-200"), "common mean");
  for (const double apart :
       column(compute("norm/compare", {{"components", "typed"}, {"vector", "1e-200,2e-200"}}),
              "distance_by_mean", "RMS distance"))
    EXPECT_TRUE(std::isfinite(apart));
}

/// Of components far below the root of epsilon RMSNorm leaves no sign, and right angles are no √2 apart.
TEST(NormCompare, EpsilonIsNotForgottenInWords) {
  const auto title = [](const char* vector, const char* eps) {
    return compute("norm/compare", {{"components", "typed"}, {"vector", vector}, {"eps", eps}}).figure.title;
  };
  EXPECT_EQ(title("0.5,0.5", "1"), "Of equal components LayerNorm leaves nothing, RMSNorm 0.447");
  EXPECT_EQ(title("0,0", "1e-5"), "LayerNorm and RMSNorm leave nothing of this row");
  EXPECT_EQ(title("3,3", "1e-5"), "Of equal components LayerNorm leaves nothing, RMSNorm their sign");
  const auto rules = [](const StudyResult& result) {
    return std::ranges::count_if(result.figure.panels.at(0).marks, [](const figure::Mark& mark) {
      return std::holds_alternative<figure::Rule>(mark);
    });
  };
  EXPECT_EQ(rules(compute("norm/compare", {{"show", "distance"}})), 1);
  EXPECT_EQ(rules(compute("norm/compare", {{"show", "distance"}, {"scale", "0.001"}, {"mean", "5"}})), 0);
}

/// torch: x = [[1., 2., 3., 4.], [2., 0., -1., 5.]]; F.layer_norm, x * rsqrt(mean(x²) + 1e-5) * w, F.batch_norm(training=True),
/// with w = [1, .5, 2, 1.5] and b = [.1, 0, 0, -.1], in float64.
TEST(NormCompare, AModelsOwnNumbersAreReadFromFiles) {
  const support::TemporaryFolder folder;
  twin::Matrix x(2, 4), w(1, 4), b(1, 4);
  x << 1, 2, 3, 4, 2, 0, -1, 5;
  w << 1, 0.5, 2, 1.5;
  b << 0.1, 0, 0, -0.1;
  const auto result = compute("norm/compare", {{"show", "kin"},
                                               {"states", npy(folder, "x.npy", x).c_str()},
                                               {"gains", npy(folder, "w.npy", w).c_str()},
                                               {"biases", npy(folder, "b.npy", b).c_str()}});
  EXPECT_TRUE(all_hold(result));
  EXPECT_EQ(column(result, "components", "$x$"), (std::vector<double>{1, 2, 3, 4}));
  const auto& rms = column(result, "kin", "RMS");
  EXPECT_NEAR(rms[0], 1.40628777263, 1e-7);
  EXPECT_NEAR(rms[1], 1.51794716458, 1e-7);
  EXPECT_NEAR(rms[4], 1.3711179294, 1e-7);
}

TEST(NormCompare, TheTokenIsARowOfTheFile) {
  const support::TemporaryFolder folder;
  twin::Matrix x(3, 2);
  x << 1, 2, 3, 4, 5, 7;
  const std::string path = npy(folder, "x.npy", x);
  const auto result = compute("norm/compare", {{"states", path.c_str()}, {"token", "2"}});
  EXPECT_EQ(column(result, "components", "$x$"), (std::vector<double>{5, 7}));
  EXPECT_THROW(compute("norm/compare", {{"states", path.c_str()}, {"token", "3"}}), InvalidArgument);
  // All of a batch that the file has: one token, whose BatchNorm is the bias.
  const auto last =
      compute("norm/compare", {{"states", path.c_str()}, {"token", "2"}, {"show", "kin"}, {"bias", "0.5"}});
  EXPECT_EQ(column(last, "kin", "largest")[4], 0.5);
}

TEST(NormCompare, WhatIsNoTokensIsRefusedInOneLine) {
  const support::TemporaryFolder folder;
  twin::Matrix bad = twin::Matrix::Ones(1, 4);
  bad(0, 2) = std::nan("");
  const std::string nan = npy(folder, "nan.npy", bad),
                    wide = npy(folder, "wide.npy", twin::Matrix::Ones(1, 16385)),
                    none = npy(folder, "none.npy", twin::Matrix::Ones(0, 4)),
                    three = npy(folder, "three.npy", twin::Matrix::Ones(1, 3));
  for (const std::string& path : {nan, wide, none}) {
    try {
      read_rows(path);
      ADD_FAILURE() << path;
    } catch (const Failure& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_THROW(compute("norm/compare", {{"show", "kin"}, {"gains", three.c_str()}}), InvalidArgument);
}

/// Blocks keep the least and the largest of all components: an outlier among 16384 is drawn at its height.
TEST(NormCompare, BlocksLoseNoOutlier) {
  const auto result = compute("norm/compare", {{"width", "16384"}, {"outlier", "60"}, {"show", "vector"}});
  const auto& x = column(result, "components", "$x$");
  ASSERT_EQ(x.size(), 16384u);
  const auto& line = std::get<figure::Line>(result.figure.panels.at(0).marks.at(0));
  double drawn = 0;
  for (const double y : line.y)
    if (y > drawn) drawn = y;
  EXPECT_EQ(drawn, most(x));
  EXPECT_GT(drawn, 40);
}

TEST(NormCompare, MapsOfTheBatchLoseNoOutlier) {
  const auto result = compute("norm/compare", {{"width", "16384"}, {"outlier", "60"}, {"show", "kin"}});
  const auto& map = std::get<figure::Heatmap>(result.figure.panels.at(2).marks.at(0));
  ASSERT_TRUE(map.grid);
  const float drawn = *std::ranges::max_element(map.grid->values);
  EXPECT_FLOAT_EQ(drawn, static_cast<float>(column(result, "kin", "largest")[1]));
}

/// What a recipe of before files and batches meant, it means still (NumPy's numbers of the same vector are in its table).
TEST(NormCompare, TheFirstTokenIsTheVectorOfOld) {
  const auto alone = compute("norm/compare", {}),
             batch = compute("norm/compare", {{"show", "kin"}, {"tokens", "5"}});
  EXPECT_EQ(column(alone, "components", "$x$"), column(batch, "components", "$x$"));
  EXPECT_NEAR(column(alone, "components", "$x$")[0], 2.43274, 5e-6);
}

TEST(NormCompare, ThePlaneSaysWhoseMeanItHas) {
  const auto result = compute("norm/compare", {});
  const auto& deviations = column(result, "plane", "deviation");
  EXPECT_EQ(at(result, "plane", "deviation", "$x$"), deviations[0]);
  EXPECT_EQ(at(result, "plane", "deviation", "LayerNorm"), deviations[1]);
  EXPECT_EQ(at(result, "plane", "deviation", "RMSNorm"), deviations[2]);
}

}  // namespace
}  // namespace orrery::study
