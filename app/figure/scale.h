// Scales: values to the unit interval and back. Value-in, value-out; no axis, no pixels.
#pragma once

#include <cstdint>

namespace orrery::figure {

struct Range {
  double lo = 0, hi = 1;  ///< lo < hi
  double length() const { return hi - lo; }
  bool operator==(const Range&) const = default;
};

class Scale {
 public:
  enum class Kind : std::uint8_t { linear, log, symlog };
  static Scale linear() { return {}; }
  static Scale log(double base = 10);
  static Scale symlog(double linear_width = 1);

  Kind kind() const { return kind_; }
  double base() const { return base_; }
  double linear_width() const {
    return linear_width_;
  }  ///< of a symlog scale: where it turns from linear to log
  double unit(double value,
              Range) const;  ///< 0 at lo, 1 at hi; NaN where the scale has no such value (log of ≤ 0)
  double invert(double unit, Range) const;
  Range clamp(Range) const;  ///< the part of a range that the scale can show
  bool operator==(const Scale&) const = default;

 private:
  double forward(double) const;
  double backward(double) const;
  Kind kind_ = Kind::linear;
  double base_ = 10;
  double linear_width_ = 1;
};

}  // namespace orrery::figure
