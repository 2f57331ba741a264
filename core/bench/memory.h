// The references every op is measured against: moving as many bytes and doing nothing to them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace orrery::bench {

/// `count` floats from the start of a cache line on, so that they can be streamed.
class AlignedFloats {
 public:
  explicit AlignedFloats(std::ptrdiff_t count, float value = 0);
  float* data() const { return values_.get(); }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  std::unique_ptr<float[], Free> values_;
};

// All run on all threads, each on its own contiguous part, with the widest vectors the processor has. `count` floats;
// past the caches from cache lines to cache lines.

void copy(const float* from, float* to, std::ptrdiff_t count);
/// Past the caches: no line is read for ownership before it is overwritten.
void copy_non_temporal(const float* from, float* to, std::ptrdiff_t count);
/// For ops that only write.
void write_non_temporal(float* to, std::ptrdiff_t count);

}  // namespace orrery::bench
