// From words to a call of an op: which array is which input, what is a parameter, which format counts where.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/arguments.h"
#include "core/op/op.h"

namespace orrery::cli {

/// What every op takes besides its own parameters: a format of each.
struct FormatWord {
  std::string_view name, help;
};
inline constexpr std::array<FormatWord, 2> format_words{{
    {"storage", "what inputs and the result are rounded to"},
    {"accumulate", "what is computed in"},
}};
inline constexpr std::array<std::string_view, 4> format_values{"f64", "f32", "f16", "bf16"};

struct OpCall {
  const op::Op* op = nullptr;
  op::Call call;
  study::DeviceChoice device = study::DeviceChoice::cpu;
  tensor::Format storage = tensor::Format::f64;  ///< of the result
  bool staged = false;                           ///< every stage is rounded as call.precision says
  std::vector<std::string> files;                ///< that its arrays were read from
};

/// `words` are file names in the order of the op's positional inputs, and name=value as --set has it. Every
/// array is read, checked (no NaN unless allowed, not empty), and rounded to the storage format when one is
/// given.
OpCall prepare_call(const op::Op&, const std::vector<std::string>& words, const std::vector<std::string>& set,
                    study::DeviceChoice, bool allow_nan);

/// On the call's device; the result rounded to the storage format.
tensor::Array carry_out(OpCall&);

/// Throws where differentiate would, before anything is computed.
void require_derivative(const OpCall&);

/// The derivatives of Σ gradient·result by every floating input, rounded to the storage format. Where stages are rounded:
/// those of the op without any rounding, at the rounded inputs (straight through).
op::Gradients differentiate(OpCall&, const std::string& gradient_file, bool allow_nan);

}  // namespace orrery::cli
