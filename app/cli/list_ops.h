// orrery list --ops: the op table, for people, for programs and for the README.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace orrery::cli {

nlohmann::ordered_json ops_json();
/// A table in Markdown, as the README has it.
std::string ops_markdown();

}  // namespace orrery::cli
