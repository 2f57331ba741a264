// The index of a model whose tensors lie in several .safetensors files, its shards: model.safetensors.index.json.
//
//   {"metadata": {"total_size": 16060522496},
//    "weight_map": {"model.norm.weight": "model-00004-of-00004.safetensors", …}}
//
// Only weight_map is read. A shard lies beside its index: a name that leads anywhere else is refused.
// Source     huggingface/transformers, utils/hub.py (get_checkpoint_shard_files); huggingface_hub, serialization.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::file {

struct SafetensorsIndex {
  struct Place {
    std::string tensor, shard;
  };
  std::vector<Place> places;  ///< by the names of tensors

  /// nullptr for a name that is not there.
  const Place* find(std::string_view tensor) const;
  /// Each shard once, in alphabetical order.
  std::vector<std::string> shards() const;
};

/// `origin` is what errors call it. Throws Failure, one line, for anything malformed.
SafetensorsIndex parse_safetensors_index(std::string_view text, std::string_view origin);

}  // namespace orrery::file
