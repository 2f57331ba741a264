// The recipe inside a figure file that a person named for just this.
#pragma once

#include <filesystem>
#include <string>

#include "core/file/source.h"

namespace orrery::exporter {

/// As read_recipe() in export.h, and from pipes too where they are accepted.
std::string read_recipe(const std::filesystem::path&, file::Accept);

}  // namespace orrery::exporter
