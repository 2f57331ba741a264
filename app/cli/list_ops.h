// orrery list --ops: the op table, for people, for programs and for the README.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/op/op.h"

namespace orrery::cli {

nlohmann::ordered_json ops_json();
/// "ref, cpu, gpu, staged, vjp": what computes it, and its derivative where it has one.
std::string twins_text(const op::Op&);
/// A table in Markdown, as the README has it.
std::string ops_markdown();

}  // namespace orrery::cli
