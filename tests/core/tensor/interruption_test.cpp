// Long loops can be ended between their rows, by the thread that waits for them alone.
#include "core/tensor/interruption.h"

#include <gtest/gtest.h>

#include <thread>

namespace orrery::tensor::interruption_test {
namespace {

TEST(Interruption, TheNewestOneOfAThreadIsAsked) {
  int outer = 0, inner = 0;
  interruption_point();
  {
    const Interruptible one([&] { ++outer; });
    interruption_point();
    {
      const Interruptible other([&] { ++inner; });
      interruption_point();
      std::thread(interruption_point).join();
    }
    interruption_point();
  }
  interruption_point();
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 1);
}

TEST(Interruption, WhatIsThrownEndsTheLoopAndNobodyIsAskedAfterwards) {
  struct Stopped {};
  int rows = 0;
  const auto loop = [&] {
    for (int i = 0; i < 10; ++i, ++rows) interruption_point();
  };
  const auto stopped = [&] {
    const Interruptible one([&] {
      if (rows == 3) throw Stopped();
    });
    loop();
  };
  EXPECT_THROW(stopped(), Stopped);
  EXPECT_EQ(rows, 3);
  loop();
  EXPECT_EQ(rows, 13);
}

}  // namespace
}  // namespace orrery::tensor::interruption_test
