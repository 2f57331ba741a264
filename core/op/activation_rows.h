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

inline constexpr std::array glu_inputs{Input{.name = "x",
                                             .positional = true,
                                             .shape = "… × 2F",
                                             .help = "both halves of each token, one behind the other"}};
inline constexpr std::array glu_parameters{
    Parameter{
        .name = "kind",
        .label = "Gate",
        .kind = Kind::choice,
        .fallback = "swiglu",
        .choices =
            "glu|reglu|geglu|geglu_tanh|swiglu|bilinear|leaky_relu|elu|selu|gelu_quick|swish|mish|softplus|"
            "relu2|hard_swish|tanh",
        .help =
            "the activated half goes through sigmoid, relu, gelu, its tanh form, silu; through nothing at "
            "all (bilinear); or through the activation of that name"},
    Parameter{.name = "gated",
              .label = "Activated half",
              .kind = Kind::choice,
              .fallback = "first",
              .choices = "first|second",
              .help = "first: vLLM, Megatron; second: PyTorch's glu, x-transformers"},
    Parameter{.name = "layout",
              .label = "Layout",
              .kind = Kind::choice,
              .fallback = "halves",
              .choices = "halves|interleaved",
              .help = "one half behind the other, or column by column, as gpt-oss has them"},
    alpha_parameter,
    beta_parameter,
    limit_parameter,
    up_offset_parameter,
    Parameter{.name = "fused",
              .label = "Fused",
              .kind = Kind::toggle,
              .fallback = "off",
              .help = "low precision only: the activated half is not stored before the product"}};

inline constexpr Input network_input{
    .name = "x", .positional = true, .shape = "… × D", .help = "a token on the last axis"};

inline constexpr std::array feed_forward_inputs{
    network_input, Input{.name = "w1", .positional = true, .shape = "D × F", .help = "into the hidden layer"},
    Input{.name = "w2", .positional = true, .shape = "F × D", .help = "out of it"},
    Input{.name = "b1", .shape = "F", .help = "added before the activation; 0 when not given"},
    Input{.name = "b2", .shape = "D", .help = "added to the result; 0 when not given"}};
inline constexpr std::array feed_forward_parameters{kind_parameter, alpha_parameter, beta_parameter,
                                                    weights_parameter};

inline constexpr std::array gated_feed_forward_inputs{
    network_input,
    Input{.name = "gate", .positional = true, .shape = "D × F", .help = "into the half that is activated"},
    Input{.name = "up", .positional = true, .shape = "D × F", .help = "into the half that is let through"},
    Input{.name = "down", .positional = true, .shape = "F × D", .help = "out of their product"},
    Input{.name = "gate_bias", .shape = "F", .help = "added before the activation; 0 when not given"},
    Input{.name = "up_bias", .shape = "F", .help = "added to the half that is let through; 0 when not given"},
    Input{.name = "down_bias", .shape = "D", .help = "added to the result; 0 when not given"}};
inline constexpr std::string_view kinds_and_bilinear =
    "relu|leaky_relu|elu|selu|gelu|gelu_tanh|gelu_quick|silu|swish|mish|softplus|relu2|hard_swish|sigmoid|tanh|"
    "bilinear";
inline constexpr std::array gated_feed_forward_parameters{
    [] {
      Parameter gate = kind_parameter;
      gate.fallback = "silu";
      gate.choices = kinds_and_bilinear;
      gate.help = "silu makes it SwiGLU, gelu_tanh GEGLU as Gemma has it; bilinear: no function at all";
      return gate;
    }(),
    alpha_parameter,
    beta_parameter,
    limit_parameter,
    up_offset_parameter,
    weights_parameter};

/// Every function at a size that memory limits, and at one that fits the caches.
inline constexpr Sizes large_tokens{.T = 4096, .D = 4096}, software_tokens{.T = 512, .D = 512},
    small_tokens{.T = 512, .D = 768};
inline constexpr std::array activation_benchmarks{
    Benchmark{.name = "{T}×{D} gelu", .sizes = large_tokens, .on_software = software_tokens},
    Benchmark{.name = "{T}×{D} gelu", .sizes = small_tokens},
    Benchmark{.name = "{T}×{D} gelu_tanh",
              .sizes = large_tokens,
              .on_software = software_tokens,
              .settings = "kind=gelu_tanh"},
    Benchmark{.name = "{T}×{D} gelu_tanh", .sizes = small_tokens, .settings = "kind=gelu_tanh"},
    Benchmark{.name = "{T}×{D} silu",
              .sizes = large_tokens,
              .on_software = software_tokens,
              .settings = "kind=silu"},
    Benchmark{.name = "{T}×{D} silu", .sizes = small_tokens, .settings = "kind=silu"}};
inline constexpr std::array glu_benchmarks{
    Benchmark{
        .name = "{T}×{2F} swiglu", .sizes = {.T = 4096, .F = 4096}, .on_software = {.T = 512, .F = 512}},
    Benchmark{.name = "{T}×{2F} swiglu", .sizes = {.T = 512, .F = 768}}};
inline constexpr std::array feed_forward_benchmarks{Benchmark{.name = "{T}×{D}, F {F} gelu",
                                                              .sizes = {.T = 512, .D = 768, .F = 3072},
                                                              .on_software = {.T = 64, .D = 128, .F = 512}}};
inline constexpr std::array gated_feed_forward_benchmarks{
    Benchmark{.name = "{T}×{D}, F {F} silu",
              .sizes = {.T = 512, .D = 768, .F = 2048},
              .on_software = {.T = 64, .D = 128, .F = 384}}};

inline constexpr std::array activation_rows{
    row<Activation>({.name = "activation",
                     .group = "activation",
                     .summary = "a function of each element by itself",
                     .formula = R"(\mathrm{GELU}(x) = x\,\Phi(x),\; \mathrm{SiLU}(x) = x\,\sigma(x))",
                     .inputs = activation_inputs,
                     .parameters = activation_parameters,
                     .benchmarks = activation_benchmarks}),
    row<Glu>({.name = "glu",
              .group = "activation",
              .summary = "one half of a token, activated, lets the other half pass",
              .formula = R"(y = f(a) \odot b,\; x = (a, b))",
              .inputs = glu_inputs,
              .parameters = glu_parameters,
              .sampling = {.varied = "kind"},
              .benchmarks = glu_benchmarks}),
    row<FeedForward>({.name = "feed_forward",
                      .group = "activation",
                      .summary = "two matrices with an activation between them",
                      .formula = R"(y = f(x W_1 + b_1)\, W_2 + b_2)",
                      .inputs = feed_forward_inputs,
                      .parameters = feed_forward_parameters,
                      .sampling = {.varied = "kind"},
                      .benchmarks = feed_forward_benchmarks}),
    row<GatedFeedForward>({.name = "gated_feed_forward",
                           .group = "activation",
                           .summary = "three matrices, one of them a gate",
                           .formula = R"(y = (f(x W_g) \odot (x W_u))\, W_d)",
                           .inputs = gated_feed_forward_inputs,
                           .parameters = gated_feed_forward_parameters,
                           .sampling = {.varied = "-"},  // the kinds are feed_forward's and glu's
                           .benchmarks = gated_feed_forward_benchmarks}),
};

}  // namespace orrery::op
