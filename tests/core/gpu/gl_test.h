// What tests that need a graphics device share.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "core/gpu/device.h"
#include "core/tensor/error.h"
#include "tests/support/compare.h"

namespace orrery::gpu {

/// Whether the sanitizers watch. They see nothing of a driver's own loops: what only makes these long is left to the other
/// build.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool watched = true;
#else
inline constexpr bool watched = false;
#endif

/// A test with a device; skipped aloud, with the reason, where there is none.
class GlTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      device = &Device::of_this_thread();
    } catch (const Failure& failure) {
      GTEST_SKIP() << failure.what();
    }
  }

  Device* device = nullptr;
};

/// A test whose time is the driver's, on a driver that is software: not where the sanitizers watch.
class LongGlTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped() && watched && device->info().software)
      GTEST_SKIP() << "long loops of a driver that the sanitizers see nothing of";
  }
};

/// An environment variable for as long as this lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

/// Rows, and widths around the sizes of a work group (256) and of a vector.
inline constexpr tensor::Index row_counts[] = {1, 2, 64};
inline constexpr tensor::Index widths[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000};

/// Expects each result within its bound, and prints the worst of all when it goes.
class Worst {
 public:
  explicit Worst(std::string op) : op_(std::move(op)) {}
  ~Worst() { std::printf("    %s, worst of %d: %s\n", op_.c_str(), count_, text_.c_str()); }
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;

  void expect(const support::GuardedMatrix<float>& y, tensor::View<const float> result,
              tensor::View<const double> reference, const tensor::Bound& bound, const std::string& what) {
    EXPECT_TRUE(y.intact()) << op_ << ", " << what << ": written outside of y";
    const support::Comparison seen = support::compare(result, reference, bound);
    EXPECT_TRUE(seen.within) << op_ << ", " << what << ": " << seen.text();
    ++count_;
    if (seen.used < used_) return;
    used_ = seen.used;
    text_ = what + ": " + seen.text();
  }

 private:
  std::string op_;
  int count_ = 0;
  double used_ = 0;
  std::string text_ = "nothing compared";
};

/// "normal 64×257"
inline std::string case_name(std::string_view set, tensor::Index rows, tensor::Index cols) {
  return std::string(set) + " " + std::to_string(rows) + "×" + std::to_string(cols);
}

}  // namespace orrery::gpu
