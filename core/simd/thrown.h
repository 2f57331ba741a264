// What a thread of a parallel region throws. An exception that leaves a region ends the program; so the first one is kept, and
// thrown again by the thread that began the region.
#pragma once

#include <atomic>
#include <exception>

namespace orrery::simd {

class Thrown {
 public:
  /// Calls f, on any thread of the region.
  template <class F>
  void keep(const F& f) {
    try {
      f();
    } catch (...) {
      if (!any_.exchange(true)) first_ = std::current_exception();
    }
  }
  /// Whether anything was: the rest of the work is in vain.
  bool any() const { return any_; }
  /// Throws what was kept, if anything was. To be called behind the region.
  void pass_on() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> any_ = false;
  std::exception_ptr first_;
};

}  // namespace orrery::simd
