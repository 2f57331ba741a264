#include "core/tensor/values.h"

namespace orrery::tensor {

std::vector<double>& Values::doubles() {
  if (std::holds_alternative<std::vector<float>>(kept_)) kept_ = to<double>();
  return std::get<std::vector<double>>(kept_);
}

void Values::round_to(Format format) {
  if (format == Format::f64) return;
  if (auto* floats = std::get_if<std::vector<float>>(&kept_)) {
    tensor::round_to(format, std::span<float>(*floats));
    return;
  }
  // To float comes last: it rounds what f32 is asked for, and every value of the narrower formats is a float.
  if (format != Format::f32) tensor::round_to(format, std::span<double>(doubles()));
  kept_ = to<float>();
}

}  // namespace orrery::tensor
