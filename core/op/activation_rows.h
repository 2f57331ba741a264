// The rows of the op table on activations: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/activation_settings.h"
#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr std::array activation_inputs{
    Input{.name = "x", .positional = true, .shape = "any", .help = "element by element"}};
inline constexpr std::array activation_parameters{kind_parameter, alpha_parameter, beta_parameter};

inline constexpr std::array activation_rows{
    row<Activation>("activation", "activation", "a function of each element by itself",
                    R"(\mathrm{GELU}(x) = x\,\Phi(x),\; \mathrm{SiLU}(x) = x\,\sigma(x))", activation_inputs,
                    activation_parameters),
};

}  // namespace orrery::op
