#include "core/tensor/remembered.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace orrery::tensor::remembered_test {
namespace {

struct Measures {
  double height = 0, depth = 0;
};

double refused() {
  throw std::runtime_error("no memory");
}

// What could not be made is not there the next time: zeros would be taken for measures.
TEST(Remembered, NothingStaysOfWhatWasNotMade) {
  std::map<int, Measures> known;
  EXPECT_THROW(remembered(known, 1, [] { return Measures{refused(), 1}; }), std::runtime_error);
  EXPECT_TRUE(known.empty());
  EXPECT_EQ(remembered(known, 1, [] { return Measures{2, 1}; }).height, 2);
}

TEST(Remembered, MakesOnceAndGivesThePlace) {
  std::map<int, int> known;
  int made = 0;
  const auto make = [&] { return ++made; };
  remembered(known, 7, make) = 9;
  EXPECT_EQ(remembered(known, 7, make), 9);
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace orrery::tensor::remembered_test
