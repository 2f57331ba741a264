// TeX's mathematics, the part of it that labels need, into a tree. Total: whatever the bytes, there is a
// tree, and what could not be understood stands in it as `unknown`.
#pragma once

#include <string_view>

#include "app/export/math/node.h"

namespace orrery::exporter::math {

inline constexpr std::size_t max_source_bytes = 4096;
inline constexpr int max_depth = 32;

/// Longer or deeper formulas come back as one `unknown` node.
Node parse(std::string_view tex);

}  // namespace orrery::exporter::math
