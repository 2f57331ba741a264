// The float loops of the kinds beside the four that most models use.
#pragma once

#include "core/activation/activation.h"

namespace orrery::activation {

/// For every kind but relu, gelu, gelu_tanh and silu, whose loops stand in activation_cpu.cpp.
void variants_cpu(tensor::View<const float> x, const ActivationParams&, tensor::View<float> y);

}  // namespace orrery::activation
