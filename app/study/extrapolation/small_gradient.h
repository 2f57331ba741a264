// That what is trained is the slope of what is measured: asked of a model so small that it takes no time.
#pragma once

#include "app/study/study.h"
#include "core/transformer/config.h"

namespace orrery::study {

/// The model made 8 wide, with two layers and two heads, on words of three tokens, in double: the difference of its losses a
/// little before and behind its first weights, along the gradient, against the gradient's length.
Check gradient_is_slope(transformer::Config);

}  // namespace orrery::study
