// All tensors that one path names: of a .npy, of a .safetensors, of a model's index, or of a folder as downloaded.
//
// A folder is read by its index (*.safetensors.index.json; of several the one called model); else by its only .safetensors;
// else by model-00001-of-0000N.safetensors and all its fellows. Only headers are read, so that a model of many gigabytes
// is listed at once; of one tensor that is named, one shard is opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/source.h"
#include "core/file/stored_array.h"
#include "core/file/tensor_path.h"
#include "core/tensor/complaint.h"

namespace orrery::file {

struct ListedTensor {
  std::string name, dtype;  ///< the type as the file calls it
  std::vector<tensor::Index> shape;
  std::uint64_t bytes = 0;
  std::string shard;  ///< the file's name; empty where there is but one file
};

struct TensorListing {
  std::vector<ListedTensor> tensors;  ///< shard by shard, in the order of their data
  std::vector<Phrase>
      remarks;  ///< what is odd and does no harm: tensors that the index does not place in that shard
};

/// Throws Failure, one line, for what cannot be read, naming a shard that is missing, a tensor that the index promises and
/// its shard lacks, and a name that two shards have.
TensorListing list_tensors(const std::filesystem::path&);

/// The tensor that the path names; else the only one, or the only one whose name ends so. None of its numbers is read yet.
/// Throws Failure as above, where none or several can be meant, and for a name that is not there (it names the nearest).
StoredArray open_tensor(const TensorPath&, std::string_view ending = {}, Accept = Accept::files);

/// Whether one of its tensors is to be named: a .safetensors, an index, any folder. Asks the disk.
bool holds_several(const std::filesystem::path&);

}  // namespace orrery::file
