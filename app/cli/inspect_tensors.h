// What `orrery inspect` says of arrays in files.
#pragma once

#include <string>

#include "core/file/tensor_path.h"

namespace orrery::cli {

/// The statistics of the one that a .npy holds.
void inspect_npy(const std::string& path, bool json);
/// Of a .safetensors, an index or a folder: all tensors, by headers alone; or the statistics of the one that is named.
void inspect_tensors(const file::TensorPath&, bool json);

}  // namespace orrery::cli
