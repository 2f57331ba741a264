// The rows of the op table on attention: what each op reads, its parameters, and the row itself.
#pragma once

#include <array>

#include "core/op/adapters.h"
#include "core/op/row.h"

namespace orrery::op {

inline constexpr Parameter scale_parameter{.name = "scale",
                                           .label = "Scale",
                                           .fallback = "default",
                                           .min = -1e6,
                                           .max = 1e6,
                                           .word = "default",
                                           .help = "multiplies q·k; default: 1/sqrt(d)"};
inline constexpr Parameter mask_parameter{
    .name = "mask",
    .label = "Mask",
    .kind = Kind::choice,
    .fallback = "none",
    .choices = "none|causal|sliding:W|prefix:W|chunked:W",
    .help =
        "which keys a query sees, the queries being the last of the tokens; sliding counts the token itself; all "
        "see a prefix's first keys; chunked (Llama 4): those before it in its own stretch of W"};
inline constexpr Parameter cap_parameter{
    .name = "cap",
    .label = "Soft cap",
    .fallback = "0",
    .min = 0,
    .max = 1e6,
    .help = "cap tanh(x/cap) of the scaled scores; 0: none; Gemma 2: 50"};
inline constexpr Parameter log_n_parameter{
    .name = "log_n",
    .label = "Log n",
    .fallback = "0",
    .min = 0,
    .max = 1e9,
    .unit = "tokens",
    .help = "scores times ln n / ln L, n the keys that a query sees, L this length; 0: off"};
inline constexpr Parameter log_n_clip_parameter{.name = "log_n_clip",
                                                .label = "Clip log n",
                                                .kind = Kind::toggle,
                                                .fallback = "off",
                                                .help = "never below 1: contexts up to L stay as they are"};
inline constexpr Parameter temperature_parameter{.name = "temperature",
                                                 .label = "Temperature",
                                                 .fallback = "1",
                                                 .min = 1e-6,
                                                 .max = 1e6,
                                                 .travel = Travel::log,
                                                 .help = "divides the scores"};
inline constexpr Parameter sink_parameter{
    .name = "sink",
    .label = "Sink",
    .kind = Kind::vector,
    .fallback = "",
    .min = -1e6,
    .max = 1e6,
    .help =
        "a logit beside the row's that no value stands behind, one or one for each head; 0 is softmax plus "
        "one; empty: none"};
inline constexpr Parameter softmax_in_parameter{
    .name = "softmax_in",
    .label = "Softmax in",
    .kind = Kind::choice,
    .fallback = "accumulate",
    .choices = "accumulate|storage",
    .help = "what the stages of the softmax are rounded to, where stages are"};

inline constexpr Input bias_input{
    .name = "bias", .shape = "T × S", .help = "added to the scores: ALiBi, T5; may have heads"};
inline constexpr Input padding_input{.name = "padding",
                                     .shape = "S",
                                     .help = "1 for a key, 0 for padding; may have a batch",
                                     .holds = Holds::flags};

inline constexpr Input lengths_input{
    .name = "lengths",
    .shape = "B",
    .help = "how many keys of each batch row are no padding, from the first on",
    .holds = Holds::counts};

inline constexpr Input documents_input{
    .name = "document_id",
    .shape = "S",
    .help = "a number for each key, the same within a document: no query sees another's; may have a batch",
    .holds = Holds::documents};
inline constexpr Input sinks_input{
    .name = "sinks",
    .shape = "H",
    .help = "the sink of each head as an array, in the place of the setting sink",
    .of_heads = true};

inline constexpr std::array scores_inputs{
    Input{.name = "q", .positional = true, .shape = "… × T × d", .help = "queries"},
    Input{.name = "k", .positional = true, .shape = "… × S × d", .help = "keys; the leading axes of q"},
    bias_input,
    padding_input,
    lengths_input,
    documents_input};
inline constexpr std::array scores_parameters{scale_parameter, mask_parameter, cap_parameter, log_n_parameter,
                                              log_n_clip_parameter};

inline constexpr std::array softmax_inputs{
    Input{.name = "x",
          .positional = true,
          .shape = "… × S",
          .help = "scores; the last axis will sum to 1; with a mask … × T × S"},
    documents_input, sinks_input};
inline constexpr std::array softmax_parameters{
    temperature_parameter, mask_parameter, sink_parameter,
    Parameter{.name = "output",
              .label = "Output",
              .kind = Kind::choice,
              .fallback = "weights",
              .choices = "weights|lse",
              .help = "the weights, or of each row the logarithm of the sum that they are divided by"},
    softmax_in_parameter};

inline constexpr std::array attention_inputs{
    Input{.name = "q", .positional = true, .shape = "… × T × d", .help = "queries"},
    Input{.name = "k",
          .positional = true,
          .shape = "… × S × d",
          .help = "keys; as many heads as q, or a divisor",
          .shares_heads = true},
    Input{.name = "v",
          .positional = true,
          .shape = "… × S × d",
          .help = "values; the width may be another",
          .shares_heads = true},
    bias_input,
    padding_input,
    lengths_input,
    documents_input,
    sinks_input};
inline constexpr std::array attention_parameters{
    scale_parameter,
    mask_parameter,
    cap_parameter,
    log_n_parameter,
    log_n_clip_parameter,
    temperature_parameter,
    sink_parameter,
    Parameter{
        .name = "output",
        .label = "Output",
        .kind = Kind::choice,
        .fallback = "values",
        .choices = "values|weights|lse",
        .help = "the means of the values, the weights themselves, or of each query the logarithm of the sum "
                "that they are divided by"},
    softmax_in_parameter};

inline constexpr std::array truncation_inputs{Input{
    .name = "x", .positional = true, .shape = "… × V", .help = "logits, of every token on the last axis"}};
/// So much of the probability: above 0, up to 1.
constexpr Parameter probability_parameter(std::string_view name, std::string_view label,
                                          std::string_view fallback, std::string_view help) {
  return {.name = name, .label = label, .fallback = fallback, .min = 1e-9, .max = 1, .help = help};
}
inline constexpr Parameter logit_temperature_parameter{
    .name = "temperature",
    .label = "Temperature",
    .fallback = "1",
    .min = 1e-6,
    .max = 1e6,
    .travel = Travel::log,
    .help = "divides the logits where probabilities are made of them"};
inline constexpr std::array top_k_parameters{Parameter{.name = "k",
                                                       .label = "Top k",
                                                       .kind = Kind::integer,
                                                       .fallback = "50",
                                                       .min = 1,
                                                       .max = 1e9,
                                                       .unit = "tokens",
                                                       .help = "so many of the largest logits are kept"}};
inline constexpr std::array top_p_parameters{
    probability_parameter("p", "Top p", "0.9", "the fewest tokens that have so much probability are kept"),
    logit_temperature_parameter};
inline constexpr std::array min_p_parameters{
    probability_parameter("min_p", "Min p", "0.1",
                          "tokens with at least so much of the largest probability are kept"),
    logit_temperature_parameter};
inline constexpr std::array truncation_benchmarks{
    Benchmark{.name = "{T} × {V} words", .sizes = {.T = 32, .V = 50257}, .on_software = {.T = 8, .V = 4096}}};

/// As many queries as keys.
constexpr Sizes tokens_of(tensor::Index tokens, tensor::Index width) {
  return {.T = tokens, .S = tokens, .d = width};
}
inline constexpr std::array scores_benchmarks{Benchmark{.name = "T {T}, d {d}",
                                                        .sizes = tokens_of(2048, 64),
                                                        .on_software = tokens_of(256, 64),
                                                        .settings = "mask=causal"},
                                              Benchmark{.name = "T {T}, d {d}",
                                                        .sizes = tokens_of(2048, 128),
                                                        .on_software = tokens_of(256, 128),
                                                        .settings = "mask=causal"}};

constexpr Benchmark softmax_benchmark(tensor::Index tokens, tensor::Index on_software, bool causal) {
  return {.name = causal ? "{T}×{S} causal" : "{T}×{S}",
          .sizes = tokens_of(tokens, 1),
          .on_software = tokens_of(on_software, 1),
          .settings = causal ? "mask=causal" : "mask=none"};
}
inline constexpr std::array softmax_benchmarks{
    softmax_benchmark(4096, 512, false), softmax_benchmark(4096, 512, true),
    softmax_benchmark(2048, 256, false), softmax_benchmark(2048, 256, true),
    softmax_benchmark(512, 512, false),  softmax_benchmark(512, 512, true)};

constexpr Benchmark weights_benchmark(tensor::Index tokens, tensor::Index width) {
  return {.name = "weights, causal, T {T}, d {d}",
          .sizes = tokens_of(tokens, width),
          .on_software = tokens_of(tokens / 8, width),
          .settings = "output=weights mask=causal"};
}
inline constexpr std::array attention_benchmarks{weights_benchmark(2048, 64), weights_benchmark(8192, 64),
                                                 weights_benchmark(2048, 128), weights_benchmark(8192, 128)};

inline constexpr std::array attention_rows{
    row<Scores>({.name = "scores",
                 .group = "attention",
                 .summary = "scaled products of queries and keys, masked",
                 .formula = R"(s_{tn} = \frac{1}{\sqrt{d}} \sum_j q_{tj} k_{nj})",
                 .inputs = scores_inputs,
                 .parameters = scores_parameters,
                 .benchmarks = scores_benchmarks}),
    row<Softmax>({.name = "softmax",
                  .group = "attention",
                  .summary = "positive weights that sum to 1",
                  .formula = R"(y_j = \frac{e^{x_j/\tau}}{\sum_n e^{x_n/\tau}})",
                  .inputs = softmax_inputs,
                  .parameters = softmax_parameters,
                  .sampling = {.varied = "output"},  // under masks it is part of attention
                  .benchmarks = softmax_benchmarks}),
    row<TopK>({.name = "top_k",
               .group = "attention",
               .summary = "the logits of the k likeliest tokens, the others −∞",
               .formula = R"(y_j = x_j \text{ for the } k \text{ largest } x_j \text{, else } -\infty)",
               .inputs = truncation_inputs,
               .parameters = top_k_parameters,
               .benchmarks = truncation_benchmarks}),
    row<TopP>({.name = "top_p",
               .group = "attention",
               .summary = "the logits of the fewest tokens whose probability is p, the others −∞",
               .formula = R"(\sum_{j \text{ kept}} p_j \ge p \text{, as few as possible})",
               .inputs = truncation_inputs,
               .parameters = top_p_parameters,
               .benchmarks = truncation_benchmarks}),
    row<MinP>({.name = "min_p",
               .group = "attention",
               .summary = "the logits of tokens near the likeliest in probability, the others −∞",
               .formula = R"(y_j = x_j \text{ where } p_j \ge p_{\min} \max_n p_n \text{, else } -\infty)",
               .inputs = truncation_inputs,
               .parameters = min_p_parameters,
               .benchmarks = truncation_benchmarks}),
    row<Attention>({.name = "attention",
                    .group = "attention",
                    .summary = "means of values under the softmax of scores, head by head",
                    .formula = R"(o_t = \sum_n \mathrm{softmax}_n\left(\frac{q_t k_n}{\sqrt{d}}\right) v_n)",
                    .inputs = attention_inputs,
                    .parameters = attention_parameters,
                    .sampling = {.varied = "mask|output"},
                    .benchmarks = attention_benchmarks}),
};

}  // namespace orrery::op
