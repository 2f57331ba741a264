// The panels of norm/precision.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/kit/series.h"
#include "core/tensor/precision.h"

namespace orrery::study::norm_precision {

/// A number on the way from a row to its norm, in double and as the formats have it.
struct Stage {
  std::string name;
  double exact, is;
};

/// The stages as lines of words; what is off by more than a twentieth in the colour of what fails.
figure::Panel stages_panel(const std::vector<Stage>&);
/// The sum of so many squares in double and as set; where all that is stored is 0, no sum grows.
figure::Panel sum_panel(const std::vector<Series>& in_double_and_as_set, std::size_t width,
                        const tensor::Precision&);
/// What rounded_stages.h's safe_sizes() gives, and the row of this size and width.
figure::Panel frontier_panel(const std::vector<Series>& safe_sizes, double size, double width);
/// Columns "llama" and "gemma" by component.
figure::Panel cast_panel(const Series& errors, tensor::Index width);
/// What variance_errors() gives.
figure::Panel estimators_panel(const std::vector<Series>& errors, const tensor::Precision&);

}  // namespace orrery::study::norm_precision
