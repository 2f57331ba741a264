// Where the papers are that a study names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::gui {

/// "Su et al. 2021, arXiv 2104.09864, eq. 34" → "https://arxiv.org/abs/2104.09864", in the order of the text.
std::vector<std::string> source_links(std::string_view source);

}  // namespace orrery::gui
