// What the ops read that give a bias on attention scores, and their parameters.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr Parameter bias_length_parameter{.name = "length",
                                                 .label = "Length",
                                                 .kind = Kind::integer,
                                                 .fallback = "64",
                                                 .min = 0,
                                                 .max = 1 << 20,
                                                 .travel = Travel::log,
                                                 .unit = "tokens",
                                                 .help = "queries and keys: L"};
inline constexpr Parameter bias_direction_parameter{
    .name = "direction",
    .label = "Direction",
    .kind = Kind::choice,
    .fallback = "causal",
    .choices = "causal|bidirectional",
    .help = "causal: keys after their query get minus infinity"};

inline constexpr std::array alibi_parameters{
    Parameter{.name = "heads",
              .label = "Heads",
              .kind = Kind::integer,
              .fallback = "8",
              .min = 0,
              .max = 65536,
              .travel = Travel::log,
              .help = "H; where it is no power of two, slopes of the next one fill in"},
    bias_length_parameter, bias_direction_parameter,
    Parameter{.name = "output",
              .label = "Output",
              .kind = Kind::choice,
              .fallback = "bias",
              .choices = "slopes|bias",
              .help = "the slope of each head, or the biases themselves"}};

inline constexpr std::array t5_bias_inputs{
    Input{.name = "table",
          .shape = "N × H",
          .help = "learned biases, num_buckets × heads; for output=bias",
          .needed_when = "output=bias"}};
inline constexpr std::array t5_bias_parameters{
    bias_length_parameter,
    Parameter{.name = "num_buckets",
              .label = "Buckets",
              .kind = Kind::integer,
              .fallback = "32",
              .min = 2,
              .max = 65536,
              .travel = Travel::log,
              .help = "for both directions together"},
    Parameter{.name = "max_distance",
              .label = "Longest distance",
              .kind = Kind::integer,
              .fallback = "128",
              .min = 1,
              .max = 1 << 24,
              .travel = Travel::log,
              .unit = "tokens",
              .help = "beyond it all distances share a bucket"},
    Parameter{.name = "direction",
              .label = "Direction",
              .kind = Kind::choice,
              .fallback = "causal",
              .choices = "causal|bidirectional",
              .help = "causal: keys after their query count as distance 0; the mask hides them"},
    Parameter{.name = "output",
              .label = "Output",
              .kind = Kind::choice,
              .fallback = "bias",
              .choices = "buckets|bias",
              .help = "the bucket of each query and key, or their bias"}};

inline constexpr std::array kerple_parameters{
    bias_length_parameter, bias_direction_parameter,
    Parameter{.name = "kind",
              .label = "Kernel",
              .kind = Kind::choice,
              .fallback = "log",
              .choices = "log|power",
              .help = "-r1 ln(1 + r2 distance), or -r1 distance^r2"},
    Parameter{.name = "r1",
              .label = "r1",
              .kind = Kind::vector,
              .fallback = "1",
              .min = 0,
              .max = 1e9,
              .help = "above 0: one number, or one for each head"},
    Parameter{.name = "r2",
              .label = "r2",
              .kind = Kind::vector,
              .fallback = "1",
              .min = 0,
              .max = 1e9,
              .help = "above 0, for power up to 2: one number, or one for each head"}};

inline constexpr std::array fire_inputs{
    Input{.name = "w_in",
          .positional = true,
          .shape = "M",
          .help = "what multiplies the distance in each hidden unit"},
    Input{.name = "b_in", .positional = true, .shape = "M", .help = "what is added to it"},
    Input{.name = "w_out",
          .positional = true,
          .shape = "H × M",
          .help = "from the last hidden layer to the heads"},
    Input{.name = "b_out", .positional = true, .shape = "H", .help = "what is added to each head"},
    Input{.name = "w_mid", .positional = false, .shape = "M × M", .help = "a second hidden layer"},
    Input{.name = "b_mid", .positional = false, .shape = "M", .help = "what is added in it"}};
inline constexpr std::array fire_parameters{
    bias_length_parameter, bias_direction_parameter,
    Parameter{.name = "c",
              .label = "c",
              .fallback = "0.1",
              .min = 1e-9,
              .max = 1e9,
              .travel = Travel::log,
              .help = "distances are measured as ln(c distance + 1)"},
    Parameter{.name = "threshold",
              .label = "Threshold",
              .fallback = "512",
              .min = 1e-3,
              .max = 1e12,
              .travel = Travel::log,
              .unit = "tokens",
              .help = "the least reach that a distance is measured against"}};

}  // namespace orrery::op
