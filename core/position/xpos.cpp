#include "core/position/xpos.h"

#include <cmath>
#include <string>

#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

std::vector<double> xpos_scales(Index pairs, const XposParams& params) {
  if (!(params.gamma > 0)) {
    throw InvalidArgument(about("gamma").found(std::to_string(params.gamma)).allowed("above {}", 0));
  }
  if (!(params.scale_base > 0)) {
    throw InvalidArgument(
        about("scale_base").found(std::to_string(params.scale_base)).allowed("above {}", 0));
  }
  std::vector<double> zeta(static_cast<std::size_t>(pairs));
  for (std::size_t i = 0; i < zeta.size(); ++i) {
    zeta[i] = (static_cast<double>(i) / static_cast<double>(pairs) + params.gamma) / (1 + params.gamma);
  }
  return zeta;
}

void apply_xpos(RopeTable& table, std::span<const double> positions, const XposParams& params,
                ScoreSide side) {
  const std::vector<double> zeta = xpos_scales(table.pairs(), params);
  const double sign = side == ScoreSide::query ? 1 : -1;
  for (Index t = 0; t < table.tokens(); ++t) {
    const double exponent = sign * positions[static_cast<std::size_t>(t)] / params.scale_base;
    for (Index i = 0; i < table.pairs(); ++i) {
      const double scale = std::pow(zeta[static_cast<std::size_t>(i)], exponent);
      table.cos(t, i) *= scale;
      table.sin(t, i) *= scale;
    }
  }
}

}  // namespace orrery::position
