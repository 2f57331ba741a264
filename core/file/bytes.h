// A whole file in memory, with a limit, and with errors that a person can act on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/file/source.h"

namespace orrery::file {

/// Every byte of the file. Throws Failure naming the path and what is wrong: not there, a directory, no
/// permission, larger than `limit`. A file that shrinks or grows meanwhile is read as it is found.
std::string read_bytes(const std::filesystem::path&, std::uint64_t limit, Accept = Accept::files);

/// The first bytes, `count` at most: enough to know what a file is. Throws Failure as above, and for a pipe: who
/// reads on would miss them.
std::string read_head(const std::filesystem::path&, std::size_t count);

}  // namespace orrery::file
