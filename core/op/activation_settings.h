// The parameters kind, alpha and beta, which every op that holds an activation has.
#pragma once

#include "core/activation/activation.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr Parameter kind_parameter{
    .name = "kind",
    .label = "Function",
    .kind = Kind::choice,
    .fallback = "gelu",
    .choices =
        "relu|leaky_relu|elu|selu|gelu|gelu_tanh|gelu_quick|silu|swish|mish|softplus|relu2|hard_swish|"
        "sigmoid|tanh",
    .help = "gelu is the exact one, by the error function"};
inline constexpr Parameter alpha_parameter{
    .name = "alpha",
    .label = "Alpha",
    .fallback = "0",
    .min = 0,
    .max = 1e6,
    .help = "leaky_relu: slope on the left; elu: minus the limit there; 0 stands for 0.01 and 1"};
inline constexpr Parameter beta_parameter{.name = "beta",
                                          .label = "Beta",
                                          .fallback = "1",
                                          .min = 1e-6,
                                          .max = 1e6,
                                          .travel = Travel::log,
                                          .help = "swish, softplus: multiplies x before the sigmoid"};

activation::ActivationParams activation_params(const parameter::Settings&);

}  // namespace orrery::op
