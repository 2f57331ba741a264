// One tensor of a file, looked at: what it is, what its numbers amount to, and how they are spread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "core/file/tensor_statistics.h"

namespace orrery::study {

struct TensorFact {
  Phrase label;
  std::string value;
};

struct TensorLook {
  std::vector<TensorFact> facts;
  /// Below each other: how many numbers there are at each value, and at each power of two. No panel where none is finite.
  figure::Figure figure;
};

/// Of PATH#NAME, as core/file/tensor_path.h has it. `step(numbers read, numbers in all)` is called every fraction of a
/// millisecond; what it throws ends it. Throws Failure for what cannot be read.
TensorLook look_at_tensor(const std::string& path,
                          const std::function<void(std::uint64_t, std::uint64_t)>& step = {});

}  // namespace orrery::study
