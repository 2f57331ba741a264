// What a file of tensors holds, for choosing one of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::study {

struct TensorEntry {
  std::string name, dtype, shape;  ///< "model.norm.weight", "BF16", "32×128"
  std::uint64_t bytes = 0;
  std::string shard{};  ///< which of several files it is in; empty: there is but one
};

/// Whether what has that name is asked which of its tensors is meant, PATH#NAME: a .safetensors, an index of several, a
/// folder that is written with a "/" at its end.
bool holds_tensors(std::string_view file_name);
/// A .npy, by its name: of one tensor.
bool is_numpy(std::string_view file_name);
/// A folder with .safetensors in it. Asks the disk.
bool is_tensor_folder(const std::filesystem::path&);

/// The file of PATH#NAME; any other path as it is.
std::filesystem::path file_of(std::string_view path);

struct TensorFile {
  std::vector<TensorEntry> tensors;
  std::vector<Phrase>
      remarks;  ///< what is odd and does no harm: tensors that an index does not place in that file
};

/// Throws Failure, one line, for a file that cannot be read.
TensorFile read_tensor_file(const std::filesystem::path&);

}  // namespace orrery::study
