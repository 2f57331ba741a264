// Where a formula may go on in a line below, if one line has no room for it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace orrery::gui {

/// Lines that each fit, as far as the formula can be broken: before a sign that binds two terms, before a product where that
/// is not enough; outside of braces and parentheses alone. `fits` is asked of a line and whether it is the first.
std::vector<std::string_view> formula_pieces(std::string_view tex,
                                             const std::function<bool(std::string_view, bool)>& fits);

}  // namespace orrery::gui
