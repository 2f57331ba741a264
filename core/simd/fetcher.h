// What is read soon is asked for meanwhile. Included once for each kind of processor, like vector.h.
#if defined(ORRERY_CORE_SIMD_FETCHER_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_SIMD_FETCHER_H_
#undef ORRERY_CORE_SIMD_FETCHER_H_
#else
#define ORRERY_CORE_SIMD_FETCHER_H_
#endif

#include <cstdint>

#include "core/simd/ahead.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

/// Asks for memory line by line, a few at a time.
class Fetcher {
 public:
  HWY_INLINE Fetcher(const Ahead& a, std::int64_t turns) : a_(a) {
    const std::int64_t lines =
        (a.count + 2 * line - 2) / line * a.rows;  // a row may start anywhere in a line
    each_turn_ = (lines + turns - 1) / turns;
  }
  HWY_INLINE void go_on() {
    for (std::int64_t i = 0; i < each_turn_ && a_.rows > 0; ++i) {
      fetch(a_.data + at_);
      at_ += line;
      if (at_ < a_.count + line - 1) continue;
      at_ = 0;
      a_.data += a_.step;
      --a_.rows;
    }
  }

 private:
  static constexpr std::int64_t line = 16;  // floats
  Ahead a_;
  std::int64_t at_ = 0, each_turn_;
};

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
