#include "app/study/rope/stages.h"

#include <algorithm>

namespace orrery::study {

using position::RopeStage;
using tensor::Format;

RopeStage stage_from_name(std::string_view name) {
  if (name == "rotation") return RopeStage::rotation;
  if (name == "table") return RopeStage::table;
  if (name == "angle") return RopeStage::angle;
  if (name == "frequencies") return RopeStage::frequencies;
  if (name == "positions") return RopeStage::positions;
  return RopeStage::result;
}

double turned_vector_error(RopeStage stage, Format low, Format accumulate, double largest_angle) {
  const position::RopeFormats formats = position::rope_formats({low, accumulate}, stage);
  const auto u = [](Format format) { return tensor::info(format).unit_roundoff; };
  // Angles: the position, the frequency and their product are rounded once each, by u of the angle.
  const double angle = largest_angle * (u(formats.positions) + u(formats.frequencies) + u(formats.angle));
  // A table entry three times; cosine and sine of one pair are off by √2 u together. Two products and a sum likewise.
  const double table = 1.5 * (2 * u(formats.accumulate) + u(formats.table));
  const double rotation = 1.5 * 2 * u(formats.rotation);
  // 1.01: products of two roundings, and entries near 0 that are subnormal in f16, off by 2^-25 whatever their size. A
  // turn is never off by more than 2.
  return std::min(angle, 2.0) + 1.01 * (table + rotation + u(formats.storage));
}

}  // namespace orrery::study
