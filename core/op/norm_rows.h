// The rows of the op table on normalisation: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr Input weight{
    .name = "weight", .shape = "D", .help = "gain of each column; 1 when not given", .neutral = 1};
inline constexpr Input bias{
    .name = "bias", .shape = "D", .help = "shift of each column; 0 when not given", .neutral = 0};

inline constexpr std::array layer_norm_inputs{
    Input{.name = "x", .positional = true, .shape = "… × D", .help = "a token on the last axis"}, weight,
    bias};
inline constexpr Parameter epsilon{
    .name = "eps", .label = "Epsilon", .min = 0, .max = 1, .travel = Travel::log};

/// The same parameter with this op's default and words.
constexpr Parameter epsilon_of(std::string_view fallback, std::string_view help) {
  Parameter p = epsilon;
  p.fallback = fallback;
  p.help = help;
  return p;
}

inline constexpr std::array layer_norm_parameters{
    epsilon_of("1e-5", "added to the variance, under the root"),
    Parameter{.name = "estimator",
              .label = "Estimator",
              .kind = Kind::choice,
              .fallback = "two_pass",
              .choices = "two_pass|one_pass|welford",
              .help = "how mean and variance are found; in low precision they differ"},
    Parameter{.name = "variant",
              .label = "Variant",
              .kind = Kind::choice,
              .fallback = "standard",
              .choices = "standard|annotated",
              .help = "annotated: unbiased deviation, epsilon outside the root (The Annotated Transformer)"}};

inline constexpr std::array rms_norm_parameters{
    epsilon_of("1e-6", "keeps the divisor above 0"),
    Parameter{.name = "eps_place",
              .label = "Epsilon's place",
              .kind = Kind::choice,
              .fallback = "inside",
              .choices = "inside|outside",
              .help = "added under the root, or to the root"},
    Parameter{.name = "weight_offset",
              .label = "Weight offset",
              .kind = Kind::choice,
              .fallback = "0",
              .choices = "0|1",
              .help = "added to a given weight: 1 where it is stored as the gain minus 1 (Gemma)"},
    Parameter{.name = "partial",
              .label = "Part",
              .fallback = "1",
              .min = 0,
              .max = 1,
              .help = "the part of the columns, from the first, that the root mean square is taken over"},
    Parameter{.name = "cast",
              .label = "Cast",
              .kind = Kind::choice,
              .fallback = "llama",
              .choices = "llama|gemma",
              .help = "where low precision is rounded to storage: before the gain, or after"}};

inline constexpr std::array batch_norm_inputs{
    Input{.name = "x",
          .positional = true,
          .shape = "… × T × D",
          .help = "tokens in rows; statistics go down the columns"},
    weight, bias,
    Input{.name = "running_mean",
          .shape = "D",
          .help = "as training has gathered it, in the place of the batch's "
                  "own: evaluation",
          .holds = Holds::statistics},
    Input{.name = "running_var",
          .shape = "D",
          .help = "the variance that belongs to running_mean",
          .holds = Holds::statistics}};
inline constexpr std::array batch_norm_parameters{
    epsilon_of("1e-5", "added to the variance, under the root")};

inline constexpr std::array instance_norm_inputs{Input{.name = "x",
                                                       .positional = true,
                                                       .shape = "… × T × D",
                                                       .help = "a sample on the last two axes, positions in "
                                                               "rows; statistics go down its columns"},
                                                 weight, bias};

inline constexpr std::array group_norm_parameters{
    epsilon_of("1e-5", "added to the variance, under the root"),
    Parameter{.name = "groups",
              .label = "Groups",
              .kind = Kind::integer,
              .fallback = "32",
              .min = 1,
              .max = 1 << 20,
              .help = "how many parts of the columns are normalised each by itself; divides the width"}};

inline constexpr std::array scale_norm_inputs{
    layer_norm_inputs[0],
    Input{.name = "gain", .shape = "1", .help = "one gain for all columns; 1 when not given", .neutral = 1}};
inline constexpr std::array scale_norm_parameters{epsilon_of("1e-5", "the least norm that is divided by")};

inline constexpr std::array dyt_parameters{Parameter{.name = "alpha",
                                                     .label = "Alpha",
                                                     .fallback = "0.5",
                                                     .min = 1e-6,
                                                     .max = 1e6,
                                                     .travel = Travel::log,
                                                     .help = "multiplies x inside the tanh"}};

/// A size that memory limits, and one that fits the caches.
inline constexpr std::array norm_benchmarks{
    Benchmark{.name = "{T}×{D}",
              .sizes = {.T = 4096, .D = 4096},
              .on_software = {.T = 512, .D = 512},
              .named = true},
    Benchmark{.name = "{T}×{D}", .sizes = {.T = 512, .D = 768}, .named = true}};

/// As it is in training: by the statistics of the batch.
inline constexpr std::array batch_norm_benchmarks = [] {
  auto all = norm_benchmarks;
  for (Benchmark& b : all) b.without = "running_mean running_var";
  return all;
}();

/// As models have it: without a bias.
inline constexpr std::array rms_norm_benchmarks = [] {
  auto all = norm_benchmarks;
  for (Benchmark& b : all) b.without = "bias";
  return all;
}();

/// Samples of so many positions.
inline constexpr std::array instance_norm_benchmarks{
    Benchmark{.name = "{…}×{T}×{D}",
              .sizes = {.groups = 32, .T = 128, .D = 4096},
              .on_software = {.groups = 4, .T = 128, .D = 512},
              .named = true},
    Benchmark{.name = "{…}×{T}×{D}", .sizes = {.groups = 4, .T = 128, .D = 768}, .named = true}};

inline constexpr std::array norm_rows{
    row<LayerNorm>({.name = "layer_norm",
                    .group = "norm",
                    .summary = "centre a token, then divide by its standard deviation",
                    .formula = R"(y = w \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b)",
                    .inputs = layer_norm_inputs,
                    .parameters = layer_norm_parameters,
                    .benchmarks = norm_benchmarks}),
    row<RmsNorm>({.name = "rms_norm",
                  .group = "norm",
                  .summary = "divide a token by its root mean square",
                  .formula = R"(y = w \frac{x}{\sqrt{\frac{1}{D} \sum_j x_j^2 + \varepsilon}} + b)",
                  .inputs = layer_norm_inputs,
                  .parameters = rms_norm_parameters,
                  .benchmarks = rms_norm_benchmarks}),
    row<BatchNorm>({.name = "batch_norm",
                    .group = "norm",
                    .summary = "centre and scale each column over all tokens",
                    .formula = R"(y = w \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b)",
                    .inputs = batch_norm_inputs,
                    .parameters = batch_norm_parameters,
                    .benchmarks = batch_norm_benchmarks}),
    row<InstanceNorm>({.name = "instance_norm",
                       .group = "norm",
                       .summary = "centre and scale each column of a sample over its positions",
                       .formula = R"(y = w \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b)",
                       .inputs = instance_norm_inputs,
                       .parameters = batch_norm_parameters,
                       .benchmarks = instance_norm_benchmarks}),
    row<GroupNorm>({.name = "group_norm",
                    .group = "norm",
                    .summary = "centre and scale each group of a token's columns by itself",
                    .formula = R"(y_j = w_j \frac{x_j - \mu_k}{\sqrt{\sigma_k^2 + \varepsilon}} + b_j)",
                    .inputs = layer_norm_inputs,
                    .parameters = group_norm_parameters,
                    .benchmarks = norm_benchmarks}),
    row<ScaleNorm>({.name = "scale_norm",
                    .group = "norm",
                    .summary = "put a token on a sphere",
                    .formula = R"(y = g \frac{x}{\max(\|x\|, \varepsilon)})",
                    .inputs = scale_norm_inputs,
                    .parameters = scale_norm_parameters,
                    .benchmarks = norm_benchmarks}),
    row<Dyt>({.name = "dyt",
              .group = "norm",
              .summary = "a tanh of each element in the place of a norm",
              .formula = R"(y = w \tanh(\alpha x) + b)",
              .inputs = layer_norm_inputs,
              .parameters = dyt_parameters,
              .benchmarks = norm_benchmarks}),
};

}  // namespace orrery::op
