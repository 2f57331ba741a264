// The rows of the op table on embeddings: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr std::array embedding_inputs{
    Input{.name = "ids",
          .positional = true,
          .shape = "… × T",
          .help = "row numbers of the table, from 0",
          .holds = Holds::row_numbers},
    Input{.name = "table", .positional = true, .shape = "V × D", .help = "one row a word, or a position"}};
inline constexpr std::array embedding_parameters{
    Parameter{.name = "scale",
              .label = "Scale",
              .kind = Kind::choice,
              .fallback = "none",
              .choices = "none|sqrt_d",
              .help = "sqrt_d multiplies by the root of the width (the first Transformer, Gemma)"}};

inline constexpr std::array unembedding_inputs{
    Input{.name = "x", .positional = true, .shape = "… × D", .help = "a token on the last axis"},
    Input{.name = "table", .positional = true, .shape = "V × D", .help = "the table of the embedding"}};

inline constexpr std::array embedding_benchmarks{Benchmark{.name = "{V} words, {T}×{D}",
                                                           .sizes = {.T = 4096, .D = 768, .V = 50257},
                                                           .on_software = {.T = 512, .D = 512, .V = 4096}}};
inline constexpr std::array unembedding_benchmarks{Benchmark{.name = "{V} words, {T}×{D}",
                                                             .sizes = {.T = 64, .D = 768, .V = 50257},
                                                             .on_software = {.T = 64, .D = 128, .V = 1024}}};

inline constexpr std::array embedding_rows{
    row<Embedding>({.name = "embedding",
                    .group = "embedding",
                    .summary = "the row of a table for each id",
                    .formula = R"(y_n = s\,E_{\mathrm{id}_n})",
                    .inputs = embedding_inputs,
                    .parameters = embedding_parameters,
                    .sampling = {.width = 'D'},
                    .benchmarks = embedding_benchmarks}),
    row<Unembedding>({.name = "unembedding",
                      .group = "embedding",
                      .summary = "the logit of every row of a table, for each token",
                      .formula = R"(y_{nv} = \sum_j x_{nj} E_{vj})",
                      .inputs = unembedding_inputs,
                      .benchmarks = unembedding_benchmarks}),
};

}  // namespace orrery::op
