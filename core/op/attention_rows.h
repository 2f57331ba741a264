// The rows of the op table on attention: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr std::array scores_inputs{
    Input{.name = "q", .positional = true, .shape = "… × T × d", .help = "queries"},
    Input{.name = "k", .positional = true, .shape = "… × S × d", .help = "keys; the leading axes of q"}};
inline constexpr std::array scores_parameters{
    Parameter{.name = "scale",
              .label = "Scale",
              .fallback = "0",
              .min = -1e6,
              .max = 1e6,
              .help = "multiplies q·k; 0 stands for 1/sqrt(d)"},
    Parameter{.name = "mask",
              .label = "Mask",
              .kind = Kind::choice,
              .fallback = "none",
              .choices = "none|causal|sliding:W",
              .help = "which keys a query sees; W counts the token itself"}};

inline constexpr std::array softmax_inputs{
    Input{.name = "x", .positional = true, .shape = "… × S", .help = "scores; the last axis will sum to 1"}};
inline constexpr std::array softmax_parameters{Parameter{.name = "temperature",
                                                         .label = "Temperature",
                                                         .fallback = "1",
                                                         .min = 1e-6,
                                                         .max = 1e6,
                                                         .travel = Travel::log,
                                                         .help = "divides the scores"}};

inline constexpr std::array attention_rows{
    row<Scores>("scores", "attention", "scaled products of queries and keys, masked",
                R"(s_{tn} = \frac{1}{\sqrt{d}} \sum_j q_{tj} k_{nj})", scores_inputs, scores_parameters,
                Scores::magnitude),
    row<Softmax>("softmax", "attention", "positive weights that sum to 1",
                 R"(y_j = \frac{e^{x_j/\tau}}{\sum_n e^{x_n/\tau}})", softmax_inputs, softmax_parameters),
};

}  // namespace orrery::op
