// An error for other programs: its parts, in one line.
#pragma once

#include <string>

#include "core/tensor/complaint.h"

namespace orrery::cli {

/// {"error": {"subject": {"file": "r.toml", "line": 3, "column": 8, "parameter": "base"}, "found": "0",
///            "fault": "'0' is out of range", "allowed": "a number from 1 to 1e9", "nearest": [],
///            "text": "r.toml:3:8: base: …"}}
/// The subject's keys are the kinds of what the error is about, from the outermost; of two of a kind the inner one. What an
/// error does not say is null. English in every language.
std::string error_json(const Complaint&);

}  // namespace orrery::cli
