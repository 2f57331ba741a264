// The published models that multiply their embeddings by √d.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::study {

struct ScaledModel {
  std::string title;  ///< as its makers write it
  tensor::Index width;
};

/// In the order of their widths.
const std::vector<ScaledModel>& scaled_models();
/// How many of the published cards are of models that do not.
tensor::Index count_of_unscaled_models();

}  // namespace orrery::study
