// The op table. To add an op:
//
//   1. core/<topic>/<op>.h         the contract (formula, shapes, formats, edges, bound, source)
//   2. core/<topic>/<op>_ref.cpp   double, plain loops, textbook order
//   3. core/<topic>/<op>_cpu.cpp   fast, for float and for double
//   4. core/<topic>/<op>_gpu.cpp   binds buffers and dispatches
//      shaders/<op>.comp           the same names and the same skeleton as the cpu twin
//   5. core/op/adapters.h          a struct with ref, cpu, gpu, bounds
//      core/op/<topic>_ops.cpp     its bodies: check shapes (name, found, allowed), read settings, call twins
//   6. here                        its inputs, its parameters, one row: `orrery apply`, the benchmarks, the
//                                  op picker and the twin tests know it from then on
//   7. tests/core/<topic>/<op>_test.cpp   the contract's edges, and numbers that we did not make
#include <array>
#include <string>
#include <vector>

#include "core/op/adapters.h"
#include "core/op/op.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::op {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Travel;

constexpr Input weight{.name = "weight", .shape = "D", .help = "gain of each column; 1 when not given"};
constexpr Input bias{.name = "bias", .shape = "D", .help = "shift of each column; 0 when not given"};

constexpr std::array layer_norm_inputs{
    Input{.name = "x", .positional = true, .shape = "… × D", .help = "a token on the last axis"}, weight,
    bias};
constexpr std::array layer_norm_parameters{Parameter{.name = "eps",
                                                     .label = "Epsilon",
                                                     .fallback = "1e-5",
                                                     .min = 0,
                                                     .max = 1,
                                                     .travel = Travel::log,
                                                     .help = "added to the variance, under the root"}};

constexpr std::array rms_norm_inputs{layer_norm_inputs[0], weight};
constexpr std::array rms_norm_parameters{
    Parameter{.name = "eps",
              .label = "Epsilon",
              .fallback = "1e-6",
              .min = 0,
              .max = 1,
              .travel = Travel::log,
              .help = "keeps the divisor above 0"},
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
              .help = "added to a given weight: 1 where it is stored as the gain minus 1 (Gemma)"}};

constexpr std::array sinusoidal_parameters{
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

constexpr std::array rope_inputs{
    Input{.name = "x",
          .positional = true,
          .shape = "… × T × d",
          .help = "queries or keys; leading axes are groups"},
    Input{.name = "positions", .shape = "T", .help = "position of each token; 0, 1, 2 … when not given"}};
constexpr std::array rope_parameters{
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

constexpr std::array scores_inputs{
    Input{.name = "q", .positional = true, .shape = "… × T × d", .help = "queries"},
    Input{.name = "k", .positional = true, .shape = "… × S × d", .help = "keys; the leading axes of q"}};
constexpr std::array scores_parameters{
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

constexpr std::array softmax_inputs{
    Input{.name = "x", .positional = true, .shape = "… × S", .help = "scores; the last axis will sum to 1"}};
constexpr std::array softmax_parameters{Parameter{.name = "temperature",
                                                  .label = "Temperature",
                                                  .fallback = "1",
                                                  .min = 1e-6,
                                                  .max = 1e6,
                                                  .travel = Travel::log,
                                                  .help = "divides the scores"}};

constexpr std::array activation_inputs{
    Input{.name = "x", .positional = true, .shape = "any", .help = "element by element"}};
constexpr std::array activation_parameters{Parameter{.name = "kind",
                                                     .label = "Function",
                                                     .kind = Kind::choice,
                                                     .fallback = "gelu",
                                                     .choices = "relu|gelu|gelu_tanh|silu",
                                                     .help = "gelu is the exact one, by the error function"}};

/// The row of an op whose adapters are T.
template <class T>
constexpr Op row(std::string_view name, std::string_view group, std::string_view summary,
                 std::string_view formula, std::span<const Input> inputs,
                 std::span<const Parameter> parameters, Twin magnitude = nullptr) {
  return {name, group, summary, formula, inputs, parameters, T::ref, T::cpu, T::gpu, T::bounds, magnitude};
}

constexpr std::array ops{
    row<LayerNorm>("layer_norm", "norm", "centre a token, then divide by its standard deviation",
                   R"(y = w \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b)", layer_norm_inputs,
                   layer_norm_parameters),
    row<RmsNorm>("rms_norm", "norm", "divide a token by its root mean square",
                 R"(y = w \frac{x}{\sqrt{\frac{1}{D} \sum_j x_j^2 + \varepsilon}})", rms_norm_inputs,
                 rms_norm_parameters),
    row<Sinusoidal>("sinusoidal", "position", "the table of sines and cosines that is added to embeddings",
                    R"(y_{p,2i} = \sin(p\,\omega_i),\; y_{p,2i+1} = \cos(p\,\omega_i))", {},
                    sinusoidal_parameters),
    row<Rope>(
        "rope", "position", "turn each pair of a query or key by its position times the pair's frequency",
        R"(y_a = x_a \cos m\theta_i - x_b \sin m\theta_i,\; y_b = x_a \sin m\theta_i + x_b \cos m\theta_i)",
        rope_inputs, rope_parameters),
    row<Scores>("scores", "attention", "scaled products of queries and keys, masked",
                R"(s_{tn} = \frac{1}{\sqrt{d}} \sum_j q_{tj} k_{nj})", scores_inputs, scores_parameters,
                Scores::magnitude),
    row<Softmax>("softmax", "attention", "positive weights that sum to 1",
                 R"(y_j = \frac{e^{x_j/\tau}}{\sum_n e^{x_n/\tau}})", softmax_inputs, softmax_parameters),
    row<Activation>("activation", "activation", "a function of each element by itself",
                    R"(\mathrm{GELU}(x) = x\,\Phi(x),\; \mathrm{SiLU}(x) = x\,\sigma(x))", activation_inputs,
                    activation_parameters),
};

}  // namespace

std::span<const Op> table() {
  return ops;
}

const Op& find(std::string_view name) {
  std::vector<std::string_view> known;
  std::string list;
  for (const Op& op : ops) {
    if (op.name == name) return op;
    known.push_back(op.name);
    list += (list.empty() ? "" : ", ") + std::string(op.name);
  }
  throw InvalidArgument("op: found '" + std::string(name) + "'" + parameter::did_you_mean(name, known) +
                        "; allowed: " + list);
}

}  // namespace orrery::op
