// How a tensor is named on the command line, in a recipe and in the window: PATH#NAME.
//
// PATH is a .npy (which holds one, without a name), a .safetensors, the index of a model in several of them
// (model.safetensors.index.json), or a folder as downloaded. A # may stand in the name of a folder or a file too: only one
// behind the ending of a file of tensors parts the two, or behind the "/" of a folder, "llama/#model.norm.weight", where no
// other "/" follows.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace orrery::file {

struct TensorPath {
  std::filesystem::path file;
  std::string tensor;  ///< empty: not said
};

/// By the letters alone: the disk is not asked.
TensorPath tensor_path(std::string_view text);
/// The same, and "llama#model.norm.weight" where llama is a folder and all of it is no file. Asks the disk.
TensorPath tensor_path_on_disk(std::string_view text);

/// Files of several tensors, by their names.
bool is_safetensors(const std::filesystem::path&);
bool is_safetensors_index(const std::filesystem::path&);

}  // namespace orrery::file
