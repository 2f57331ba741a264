// What a file of tensors holds, for choosing one of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::study {

struct TensorEntry {
  std::string name, dtype, shape;  ///< "model.norm.weight", "BF16", "32×128"
};

/// Whether a file of that name is asked which of its tensors is meant: PATH#NAME.
bool holds_tensors(std::string_view file_name);

/// The file of PATH#NAME; any other path as it is.
std::filesystem::path file_of(std::string_view path);

/// Throws Failure, one line, for a file that cannot be read.
std::vector<TensorEntry> tensors_of(const std::filesystem::path&);

}  // namespace orrery::study
