// Numbers for TeX, which computes with five or six digits, and where they stand on an axis.
#pragma once

#include <string>

#include "app/figure/record.h"

namespace orrery::exporter::pgf {

/// So many significant digits, without needless zeros; never an exponent of more than TeX can read.
std::string short_text(double value, int digits);
/// A length on the page: "12.35bp", the points of PDF.
std::string length(double points);

/// From places on the page and values of the data to what PGFPlots is given for one axis.
///
/// A linear or a logarithmic axis is PGFPlots' own, and is given the values themselves. Where its six digits do not tell
/// them apart (1000000 to 1000001), values are given less the axis' least one; a scale that it does not have (symlog) is
/// given as a position from 0 to 1. Tick labels say the true values in both cases.
class AxisMap {
 public:
  AxisMap(const figure::AxisRecord&, double page_start, double page_length);

  std::string from_page(double at) const;
  std::string from_value(double) const;
  double low() const;
  double high() const;
  std::string text(double pgf_value) const;

  bool log() const { return way_ == Way::log; }
  bool exact() const { return way_ == Way::linear || way_ == Way::log; }  ///< values stand as they are
  double base() const { return scale_.base(); }
  bool reversed() const { return reversed_; }
  /// Whether a place on the page is on the axis.
  bool shows(double at) const { return at >= start_ - 0.01 && at <= start_ + length_ + 0.01; }
  /// Whether a value can be written: finite, and positive on a logarithmic axis.
  bool has(double value) const;

 private:
  enum class Way { linear, shifted, log, position };
  double to_pgf(double value) const;

  figure::Scale scale_;
  figure::Range range_;
  bool reversed_, vertical_;
  double start_, length_;
  Way way_;
  int digits_;
};

}  // namespace orrery::exporter::pgf
