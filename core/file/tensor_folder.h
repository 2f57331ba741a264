// Which files of a folder are those of one model.
#pragma once

#include <filesystem>
#include <vector>

namespace orrery::file {

/// Either is there.
struct FolderOfTensors {
  std::filesystem::path index;                ///< *.safetensors.index.json
  std::vector<std::filesystem::path> shards;  ///< in the order of their names
};

/// Throws Failure, one line: no .safetensors, several models, one of N shards missing.
FolderOfTensors read_tensor_folder(const std::filesystem::path&);
/// Any .safetensors, or an index.
bool holds_safetensors(const std::filesystem::path& folder);

}  // namespace orrery::file
