// TeX's lengths: 4pt, -0.5em, 3mu.
#pragma once

#include <optional>
#include <string_view>

namespace orrery::exporter::math {

/// In em of a 10 pt font; no longer than 50 of them. Nothing where there is no number or no unit of TeX's.
std::optional<double> dimension(std::string_view);

}  // namespace orrery::exporter::math
