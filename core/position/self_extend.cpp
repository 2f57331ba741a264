#include "core/position/self_extend.h"

#include <cmath>

#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

void check_self_extend(const SelfExtendParams& params) {
  if (params.group < 1) {
    throw InvalidArgument(about("group").found(params.group).allowed("{} or more tokens", 1));
  }
  if (params.window < 0 || params.window % params.group != 0) {
    throw InvalidArgument(
        about("window").found(params.window).allowed("a multiple of group, {}", params.group));
  }
}

double self_extend_position(double position, const SelfExtendParams& params, ScoreSide side) {
  const double grouped = std::floor(position / static_cast<double>(params.group));
  if (side == ScoreSide::key) return grouped;
  return grouped + static_cast<double>(params.window - params.window / params.group);
}

double self_extend_distance(Index m, Index n, const SelfExtendParams& params) {
  if (m - n < params.window) return static_cast<double>(m - n);
  return self_extend_position(static_cast<double>(m), params, ScoreSide::query) -
         self_extend_position(static_cast<double>(n), params, ScoreSide::key);
}

Index self_extend_reach(Index trained, const SelfExtendParams& params) {
  return (trained - params.window) * params.group + params.window;
}

}  // namespace orrery::position
