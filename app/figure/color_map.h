// Values to colours.
#pragma once

#include <cstdint>
#include <span>

#include "app/figure/contour_levels.h"
#include "app/figure/figure.h"
#include "app/figure/theme.h"

namespace orrery::figure {

/// What a map is seen on: the neutral colour of a diverging map stays close to it, so that zero is quiet.
enum class Ground : std::uint8_t { light, dark };
Ground ground_of(const Theme&);

/// The colour at `t` from 0 to 1 (clamped; a cyclic map is the same at both ends).
Color map_color(ColorMap, double t, Ground = Ground::light);

/// A colour scale whose range is settled.
class ValueColors {
 public:
  /// `found` is the range of the data: used when the scale names none. A diverging map is made symmetric
  /// about its centre.
  ValueColors(const ColorScale&, Range found, const Theme&);

  Range range() const { return range_; }
  /// From now on one colour for all values between two neighbouring levels.
  void set_bands(const ContourLevels& levels) { bands_ = levels; }
  /// −∞ is masked, NaN is bad, +∞ is the top.
  Color operator()(double value) const;
  /// The same of many at once: `out` has as many places as there are values.
  void map(std::span<const float> values, std::span<Color> out) const;

 private:
  /// What value the map begins at, and how long it goes on.
  Range span() const;
  ColorMap map_;
  Ground ground_;
  Range range_;
  Color masked_, bad_;
  double centre_ = 0;
  ContourLevels bands_;
};

}  // namespace orrery::figure
