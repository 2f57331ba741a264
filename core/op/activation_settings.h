// The parameters kind, alpha and beta, which every op that holds an activation has.
#pragma once

#include "core/activation/gate.h"
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

inline constexpr Parameter limit_parameter{
    .name = "limit",
    .label = "Limit",
    .fallback = "0",
    .min = 0,
    .max = 1e6,
    .help = "cuts the activated half above and the other on both sides; 0: none; gpt-oss: 7"};
inline constexpr Parameter up_offset_parameter{
    .name = "up_offset",
    .label = "Offset",
    .fallback = "0",
    .min = -1e6,
    .max = 1e6,
    .help = "added to the half that is let through; gpt-oss: 1, with kind=gelu_quick"};
inline constexpr Parameter weights_parameter{
    .name = "weights",
    .label = "Weights",
    .kind = Kind::choice,
    .fallback = "in_out",
    .choices = "in_out|out_in",
    .help = "how the matrices lie: in × out, as in x W, or out × in, as PyTorch's Linear keeps them"};

/// By the names of activations, or `bilinear`, and with what the settings say of limit and offset.
activation::Gate gate_params(const parameter::Settings&, std::string_view kind);

activation::ActivationParams activation_params(const parameter::Settings&);

}  // namespace orrery::op
