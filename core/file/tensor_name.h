// Names of tensors, out of files that anybody may have written, in errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/tensor/complaint.h"

namespace orrery::file {

/// In apostrophes; what is no printable character as ?, and only the beginning of a long one.
std::string shown_name(std::string_view);

/// Failure about a file.
[[noreturn]] void refuse_file(std::string_view origin, const Complaint&);

/// A name that can be shown on one line: not empty, without control characters, 4096 bytes at most. Empty: nothing is wrong.
Complaint fault_of_name(std::string_view);

/// About a name that none of them has: how many there are, and a few that contain the last part of it, else the first ones.
Complaint no_such_tensor(std::string_view wanted, std::span<const std::string_view> names);

}  // namespace orrery::file
