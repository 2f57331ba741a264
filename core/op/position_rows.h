// The rows of the op table on positions: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/adapters.h"
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

inline constexpr std::array rope_inputs{
    Input{.name = "x",
          .positional = true,
          .shape = "… × T × d",
          .help = "queries or keys; leading axes are groups"},
    Input{.name = "positions", .shape = "T", .help = "position of each token; 0, 1, 2 … when not given"}};
inline constexpr std::array rope_parameters{
    Parameter{.name = "base",
              .label = "Base",
              .fallback = "10000",
              .min = 1,
              .max = 1e12,
              .travel = Travel::log,
              .help = "frequencies are base^(-2i/rotary_dim)"},
    Parameter{.name = "layout",
              .label = "Layout",
              .kind = Kind::choice,
              .fallback = "interleaved",
              .choices = "interleaved|half",
              .help = "pair i is (2i, 2i+1), or (i, i + rotary_dim/2)"},
    Parameter{.name = "rotary_dim",
              .label = "Rotary width",
              .kind = Kind::integer,
              .fallback = "0",
              .min = 0,
              .max = 65536,
              .multiple = 2,
              .help = "columns that turn; 0: all of them"},
    Parameter{.name = "offset",
              .label = "Offset",
              .fallback = "0",
              .min = -1e9,
              .max = 1e9,
              .unit = "tokens",
              .help = "added to every position"},
    Parameter{.name = "config",
              .label = "Config",
              .kind = Kind::file,
              .fallback = "",
              .help = "a model's config.json, in place of base, layout and rotary_dim"},
    Parameter{.name = "layer",
              .label = "Layer",
              .kind = Kind::choice,
              .fallback = "all",
              .choices = "all|full_attention|sliding_attention|chunked_attention|linear_attention",
              .help = "which kind of layer of the config; all where they do not differ"}};

inline constexpr std::array position_rows{
    row<Sinusoidal>("sinusoidal", "position", "the table of sines and cosines that is added to embeddings",
                    R"(y_{p,2i} = \sin(p\,\omega_i),\; y_{p,2i+1} = \cos(p\,\omega_i))", {},
                    sinusoidal_parameters),
    row<Rope>(
        "rope", "position", "turn each pair of a query or key by its position times the pair's frequency",
        R"(y_a = x_a \cos m\theta_i - x_b \sin m\theta_i,\; y_b = x_a \sin m\theta_i + x_b \cos m\theta_i)",
        rope_inputs, rope_parameters),
};

}  // namespace orrery::op
