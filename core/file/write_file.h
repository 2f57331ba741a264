// A file that is either the old one or the new one, never half of each.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace orrery::file {

/// Writes beside the target, syncs, renames; a link stays a link, a device or a pipe is written through. Throws Failure
/// naming the path and the reason, and then the old file is whole; one that may not be written is not replaced. Several
/// that belong together: new_files.h.
void write_file(const std::filesystem::path&, std::string_view bytes);
/// One part after the other.
void write_file(const std::filesystem::path&, std::span<const std::string_view> parts);

}  // namespace orrery::file
