#include "app/study/tensor_look.h"

#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/safetensors.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study::tensor_look_test {
namespace {

std::string facts_text(const TensorLook& look) {
  std::string text;
  for (const TensorFact& each : look.facts) text += english(each.label) + "=" + each.value + ";";
  return text;
}

TEST(TensorLookTest, SaysWhatItsNumbersAmountTo) {
  const support::TemporaryFolder folder;
  const auto path = folder / "x.safetensors";
  support::put(path,
               support::safetensors_bytes({{"x", "F32", "[2,2]", support::float_bytes({3, -4, 0, INFINITY})},
                                           {"none", "F32", "[0]", ""}}));
  std::uint64_t read = 0;
  const TensorLook look =
      look_at_tensor(path.string() + "#x", [&](std::uint64_t now, std::uint64_t) { read = now; });
  EXPECT_EQ(facts_text(look),
            "minimum=−4;maximum=3;mean=−0.333333;standard deviation=2.86744;Euclidean norm=5;"
            "largest absolute value=4 [0, 1];norm of row 0=5;zeros=1;infinite=1;");
  EXPECT_EQ(read, 4u);
  ASSERT_EQ(look.figure.panels.size(), 2u);
  const auto& values = std::get<figure::Histogram>(look.figure.panels[0].marks[0]);
  EXPECT_EQ(values.edges.front(), -4);
  EXPECT_EQ(values.heights.front(), 1);
  EXPECT_EQ(values.heights.back(), 1);
  const auto& magnitudes = std::get<figure::Histogram>(look.figure.panels[1].marks[0]);
  EXPECT_EQ(magnitudes.edges, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(magnitudes.heights, (std::vector<double>{1, 1}));
  EXPECT_TRUE(look_at_tensor(path.string() + "#none").figure.panels.empty());
}

}  // namespace
}  // namespace orrery::study::tensor_look_test
