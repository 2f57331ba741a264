// Arithmetic without subnormal numbers, where a bound does not see them.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace orrery::simd {

/// For as long as this lives, and in this thread, results below 2⁻¹²⁶ are zero, and so are such operands: an Intel processor
/// loses more than a hundred cycles over each. Where a processor has no such switch, nothing happens.
class SubnormalsFlushed {
 public:
#if defined(__SSE__)
  static constexpr bool has_switch = true;
  SubnormalsFlushed() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | results | operands);
  }
  ~SubnormalsFlushed() {
    _mm_setcsr(before_);
  }
#else
  static constexpr bool has_switch = false;
  SubnormalsFlushed() = default;
#endif
  SubnormalsFlushed(const SubnormalsFlushed&) = delete;
  SubnormalsFlushed& operator=(const SubnormalsFlushed&) = delete;

#if defined(__SSE__)
 private:
  static constexpr unsigned results = 0x8000, operands = 0x0040;
  unsigned before_;
#endif
};

}  // namespace orrery::simd
