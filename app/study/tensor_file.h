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

/// Throws Failure, one line, for a file that cannot be read.
std::vector<TensorEntry> tensors_of(const std::filesystem::path&);

}  // namespace orrery::study
