#include "app/study/position/sinusoidal_settings.h"

#include <numbers>
#include <string>

namespace orrery::study {

using position::SinusoidalLayout;
using tensor::Index;

position::SinusoidalParams sinusoidal_params(const parameter::Settings& settings, double offset) {
  const std::string& layout = settings.choice("layout");
  return {.base = settings.real("base"),
          .layout = layout == "paper"           ? SinusoidalLayout::paper
                    : layout == "tensor2tensor" ? SinusoidalLayout::tensor2tensor
                                                : SinusoidalLayout::fairseq,
          .offset = offset};
}

SineCosine dimensions_of(Index pair, Index width, SinusoidalLayout layout) {
  if (layout == SinusoidalLayout::paper) return {2 * pair, 2 * pair + 1};
  return {pair, width / 2 + pair};
}

double sinusoidal_slack(const Run& run, double last) {
  const double turned = run.device == DeviceChoice::ref ? 0 : position::sinusoidal_bound.abs;
  return twin::unit_roundoff(run) + last * 0x1p-52 + turned;
}

double sinusoidal_dot_slack(const Run& run, Index width, double last) {
  const auto d = static_cast<double>(width);
  return std::numbers::sqrt2 * d * sinusoidal_slack(run, last) + d * d * 0x1p-53;
}

}  // namespace orrery::study
