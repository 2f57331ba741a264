// Values to colours.
#pragma once

#include "app/figure/figure.h"
#include "app/figure/theme.h"

namespace orrery::figure {

/// The colour at `t` from 0 to 1 (clamped; a cyclic map is the same at both ends).
Color map_color(ColorMap, double t);

/// A colour scale whose range is settled.
class ValueColors {
 public:
  /// `found` is the range of the data: used when the scale names none. A diverging map is made symmetric
  /// about its centre.
  ValueColors(const ColorScale&, Range found, const Theme&);

  Range range() const { return range_; }
  /// −∞ is masked, NaN is bad, +∞ is the top.
  Color operator()(double value) const;

 private:
  ColorMap map_;
  Range range_;
  Color masked_, bad_;
  double centre_ = 0;
};

}  // namespace orrery::figure
