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

/// Reads `read` floats and writes `written`, mixed evenly: a copy where there are as many of both, a write where nothing is
/// read. Memory writes at another speed than it reads, so that a copy of as many bytes is no limit of what writes twice
/// what it reads. `fill` is what is written where nothing is copied: some memory takes lines of zeros three times as fast
/// as others. Past the caches no line is read for ownership before it is overwritten. On all threads, each on its own
/// contiguous part, with the widest vectors the processor has; past the caches `to` begins with a cache line.
void move_floats(const float* from, std::ptrdiff_t read, float* to, std::ptrdiff_t written, bool past_caches,
                 float fill = 1);

}  // namespace orrery::bench
