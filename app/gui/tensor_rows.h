// The rows of a list of tensors: those of one layer below its head, which folds them away.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/tensor_file.h"

namespace orrery::gui {

/// "model.layers.12" of "model.layers.12.mlp.up_proj.weight": all up to the first number in a name, where anything follows
/// it. Empty: the tensor is of no layer.
std::string layer_of(std::string_view tensor);

struct TensorRow {
  std::string layer{};  ///< of a head: whose; else the layer that it stands below, or empty
  bool head = false;
  bool folded = false;      ///< of a head
  std::size_t tensor = 0;   ///< which, where it is no head
  std::size_t tensors = 0;  ///< of a head: how many it has
  std::uint64_t bytes = 0;  ///< of a head: of all of them
};

/// Those whose name holds `part` (capitals are not told apart): first what is of no layer, in the order of the file, then
/// layer by layer, 2 before 10. A layer that is not in `unfolded` shows its head alone, unless a part is looked for.
std::vector<TensorRow> tensor_rows(const std::vector<study::TensorEntry>&, std::string_view part,
                                   const std::set<std::string>& unfolded);

}  // namespace orrery::gui
