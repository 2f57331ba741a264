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

inline constexpr std::array sinusoidal_benchmarks{
    Benchmark{.name = "{T}×{D}", .sizes = {.T = 8192, .D = 4096}, .on_software = {.T = 1024, .D = 512}},
    Benchmark{.name = "{T}×{D}", .sizes = {.T = 131072, .D = 128}, .on_software = {.T = 16384, .D = 128}}};

inline constexpr Sizes long_heads{.groups = 32, .T = 4096, .d = 128},
    few_heads{.groups = 4, .T = 512, .d = 128}, short_heads{.groups = 12, .T = 256, .d = 64};
inline constexpr std::array rope_benchmarks{
    Benchmark{
        .name = "{…}×{T}×{d} half", .sizes = long_heads, .on_software = few_heads, .settings = "layout=half"},
    Benchmark{.name = "{…}×{T}×{d} half", .sizes = short_heads, .settings = "layout=half"},
    Benchmark{.name = "{…}×{T}×{d} half in place",
              .sizes = long_heads,
              .settings = "layout=half",
              .in_place = true},
    Benchmark{.name = "{…}×{T}×{d} interleaved", .sizes = long_heads, .on_software = few_heads},
    Benchmark{.name = "{…}×{T}×{d} interleaved", .sizes = short_heads},
    Benchmark{.name = "{…}×{T}×{d} interleaved in place", .sizes = long_heads, .in_place = true}};

inline constexpr std::array mrope_parameters{
    Parameter{.name = "stretches",
              .label = "Stretches",
              .kind = Kind::vector,
              .fallback = "4,0,0,0,0,1,4,6,6,0,0,0",
              .min = 0,
              .max = 1 << 24,
              .help = "four numbers for each: tokens of text, or frames, rows and columns of an image"}};
inline constexpr std::array mrope_benchmarks{
    Benchmark{.name = "3×{T}", .sizes = {.T = 1 << 20}, .on_software = {.T = 1 << 16}}};

inline constexpr Sizes biased{.S = 1024, .H = 8, .N = 32}, few_biased{.S = 128, .H = 8, .N = 32};
inline constexpr std::array bias_benchmarks{
    Benchmark{.name = "{H}×{S}×{S}", .sizes = biased, .on_software = few_biased}};
inline constexpr std::array kerple_benchmarks{Benchmark{
    .name = "{H}×{S}×{S}", .sizes = biased, .on_software = few_biased, .settings = "r1=1,1,1,1,1,1,1,1"}};
/// The paper's width: 32 hidden units in each of two layers.
inline constexpr std::array fire_benchmarks{Benchmark{.name = "{H}×{S}×{S}",
                                                      .sizes = {.S = 256, .H = 8, .M = 32},
                                                      .on_software = {.S = 32, .H = 8, .M = 32},
                                                      .settings = "direction=bidirectional",
                                                      .named = true}};

inline constexpr std::array position_rows{
    row<Sinusoidal>({.name = "sinusoidal",
                     .group = "position",
                     .summary = "the table of sines and cosines that is added to embeddings",
                     .formula = R"(y_{p,2i} = \sin(p\,\omega_i),\; y_{p,2i+1} = \cos(p\,\omega_i))",
                     .parameters = sinusoidal_parameters,
                     .benchmarks = sinusoidal_benchmarks}),
    row<Rope>(
        {.name = "rope",
         .group = "position",
         .summary = "turn each pair of a query or key by its position times the pair's frequency",
         .formula =
             R"(y_a = x_a \cos m\theta_i - x_b \sin m\theta_i,\; y_b = x_a \sin m\theta_i + x_b \cos m\theta_i)",
         .inputs = rope_inputs,
         .parameters = rope_parameters,
         .sampling = {.least = 2, .varied = "layout"},
         .benchmarks = rope_benchmarks}),
    row<MropePositions>(
        {.name = "mrope_positions",
         .group = "position",
         .summary = "where tokens of text and images stand on the axes of time, row and column",
         .formula = R"(p = p_0 + (t, r, c),\; p_0 \leftarrow p_0 + \max(T, R, C))",
         .parameters = mrope_parameters,
         .sampling = {.width = 'T'},
         .benchmarks = mrope_benchmarks}),
    row<Alibi>({.name = "alibi",
                .group = "position",
                .summary = "a slope for each head: scores fall off in proportion to distance",
                .formula = R"(b_{hmn} = -k_h (m - n),\; k_h = 2^{-8h/H})",
                .parameters = alibi_parameters,
                .benchmarks = bias_benchmarks}),
    row<T5Bias>({.name = "t5_bias",
                 .group = "position",
                 .summary = "a learned bias for each bucket of distances and each head",
                 .formula = R"(b_{hmn} = t_{\mathrm{bucket}(n - m),\,h})",
                 .inputs = t5_bias_inputs,
                 .parameters = t5_bias_parameters,
                 .benchmarks = bias_benchmarks}),
    row<Kerple>({.name = "kerple",
                 .group = "position",
                 .summary = "biases that fall off with the logarithm or a power of the distance",
                 .formula = R"(b_{hmn} = -r_1 \ln(1 + r_2 |m - n|))",
                 .parameters = kerple_parameters,
                 .benchmarks = kerple_benchmarks}),
    row<Fire>(
        {.name = "fire",
         .group = "position",
         .summary = "a small network of the distance against the query's reach",
         .formula =
             R"(b_{hmn} = f_h\left(\frac{\psi(m - n)}{\psi(\max(m, L))}\right),\; \psi(x) = \ln(c x + 1))",
         .inputs = fire_inputs,
         .parameters = fire_parameters,
         .sampling = {.most = 257},
         .benchmarks = fire_benchmarks}),
};

}  // namespace orrery::op
