// The rows of the op table on positions, and the parameters of those that add to embeddings; the others have theirs
// in rope_parameters.h and bias_parameters.h.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/bias_parameters.h"
#include "core/op/rope_parameters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr std::array sinusoidal_parameters{
    Parameter{.name = "length",
              .label = "Length",
              .kind = Kind::integer,
              .fallback = "128",
              .min = 0,
              .max = 1 << 24,
              .travel = Travel::log,
              .unit = "tokens",
              .help = "rows of the table"},
    Parameter{.name = "dim",
              .label = "Width",
              .kind = Kind::integer,
              .fallback = "64",
              .min = 0,
              .max = 65536,
              .travel = Travel::log,
              .multiple = 2,
              .help = "columns of the table: model width D"},
    Parameter{.name = "base",
              .label = "Base",
              .fallback = "10000",
              .min = 1,
              .max = 1e12,
              .travel = Travel::log,
              .help = "ratio of the slowest to the fastest wavelength, nearly"},
    Parameter{.name = "layout",
              .label = "Layout",
              .kind = Kind::choice,
              .fallback = "paper",
              .choices = "paper|tensor2tensor|fairseq",
              .help = "paper: sin and cos alternate; the others: all sin, then all cos, and slightly other "
                      "frequencies"},
    Parameter{.name = "offset",
              .label = "Offset",
              .fallback = "0",
              .min = -1e9,
              .max = 1e9,
              .unit = "tokens",
              .help = "position of the first row"}};

inline constexpr std::array position_rows{
    row<Sinusoidal>({.name = "sinusoidal",
                     .group = "position",
                     .summary = "the table of sines and cosines that is added to embeddings",
                     .formula = R"(y_{p,2i} = \sin(p\,\omega_i),\; y_{p,2i+1} = \cos(p\,\omega_i))",
                     .parameters = sinusoidal_parameters}),
    row<Rope>(
        {.name = "rope",
         .group = "position",
         .summary = "turn each pair of a query or key by its position times the pair's frequency",
         .formula =
             R"(y_a = x_a \cos m\theta_i - x_b \sin m\theta_i,\; y_b = x_a \sin m\theta_i + x_b \cos m\theta_i)",
         .inputs = rope_inputs,
         .parameters = rope_parameters,
         .sampling = {.least = 2, .varied = "layout"}}),
    row<Alibi>({.name = "alibi",
                .group = "position",
                .summary = "a slope for each head: scores fall off in proportion to distance",
                .formula = R"(b_{hmn} = -k_h (m - n),\; k_h = 2^{-8h/H})",
                .parameters = alibi_parameters}),
    row<T5Bias>({.name = "t5_bias",
                 .group = "position",
                 .summary = "a learned bias for each bucket of distances and each head",
                 .formula = R"(b_{hmn} = t_{\mathrm{bucket}(n - m),\,h})",
                 .inputs = t5_bias_inputs,
                 .parameters = t5_bias_parameters}),
    row<Kerple>({.name = "kerple",
                 .group = "position",
                 .summary = "biases that fall off with the logarithm or a power of the distance",
                 .formula = R"(b_{hmn} = -r_1 \ln(1 + r_2 |m - n|))",
                 .parameters = kerple_parameters}),
    row<Fire>(
        {.name = "fire",
         .group = "position",
         .summary = "a small network of the distance against the query's reach",
         .formula =
             R"(b_{hmn} = f_h\left(\frac{\psi(m - n)}{\psi(\max(m, L))}\right),\; \psi(x) = \ln(c x + 1))",
         .inputs = fire_inputs,
         .parameters = fire_parameters,
         .sampling = {.most = 257}}),
};

}  // namespace orrery::op
