// What a thread of a parallel region throws. An exception that leaves a region ends the program; so it is kept, and thrown again
// where the region began.
#pragma once

#include <atomic>
#include <exception>

namespace orrery::simd {

class Thrown {
 public:
  /// f(), on any thread of the region.
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
  /// Behind the region.
  void pass_on() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> any_ = false;
  std::exception_ptr first_;
};

}  // namespace orrery::simd
