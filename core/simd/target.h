#pragma once

#include <string>

namespace orrery::simd {

/// What the kernels are run as on this processor, as Highway calls it: "AVX3_ZEN4". The best of the kinds that they were
/// compiled for.
std::string target();

/// Highway's own: "1.0.3".
std::string library_version();

}  // namespace orrery::simd
