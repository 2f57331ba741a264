#include "core/position/rope_coverage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::position {

ArcCoverage arc_coverage(double trained_frequency, double trained_length, double frequency, double length) {
  const auto turn = [](double angle) { return std::min(1.0, angle / (2 * std::numbers::pi)); };
  ArcCoverage arc;
  arc.seen = turn((trained_length - 1) * trained_frequency);
  arc.fresh = std::max(0.0, turn((length - 1) * frequency) - arc.seen);
  arc.crowding = frequency > 0 ? trained_frequency / frequency : 0;
  return arc;
}

tensor::Index critical_dimension(tensor::Index rotary_dim, double base, double trained_length) {
  const double pairs = static_cast<double>(rotary_dim) / 2;
  const double turning = pairs * std::log(trained_length / (2 * std::numbers::pi)) / std::log(base);
  return 2 * static_cast<tensor::Index>(std::clamp(std::ceil(turning), 0.0, pairs));
}

}  // namespace orrery::position
