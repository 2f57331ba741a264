// The rows of the op table on activations: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr std::array activation_inputs{
    Input{.name = "x", .positional = true, .shape = "any", .help = "element by element"}};
inline constexpr std::array activation_parameters{
    Parameter{.name = "kind",
              .label = "Function",
              .kind = Kind::choice,
              .fallback = "gelu",
              .choices = "relu|gelu|gelu_tanh|silu",
              .help = "gelu is the exact one, by the error function"}};

inline constexpr std::array activation_rows{
    row<Activation>("activation", "activation", "a function of each element by itself",
                    R"(\mathrm{GELU}(x) = x\,\Phi(x),\; \mathrm{SiLU}(x) = x\,\sigma(x))", activation_inputs,
                    activation_parameters),
};

}  // namespace orrery::op
