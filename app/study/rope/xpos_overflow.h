// xPos in few bits: the factors of the pair that decays fastest, by position, and a score of one distance anywhere in a text.
#pragma once

#include <vector>

#include "app/study/kit.h"
#include "core/position/xpos.h"

namespace orrery::study {

struct Text {
  double length = 0, distance = 0;
  bool centred = false;  ///< positions count from the middle
};

struct XposVectors {
  std::vector<double> q, k;  ///< pair i is i and i + pairs
  std::vector<double> omega;
};

/// Decimal logarithms of ζ_0^(m/B), by which queries are multiplied, and of ζ_0^(−n/B), over the tokens of the text.
Series xpos_factors(double zeta, const position::XposParams&, const Text&);

/// For f16, bf16 and f32: from which position on a key overflows and a query vanishes, counted from the first token, and how
/// long a text may be whose positions count from its middle.
Table xpos_overflow(double zeta, const position::XposParams&);

/// |score − exact| over |q||k|, of a key at each place and a query `distance` behind it: tables and turned vectors are rounded
/// to the format, the sum is exact. A series for each format, of the places where nothing overflows.
std::vector<Series> xpos_anywhere(const Run&, const XposVectors&, const position::XposParams&, const Text&);

Panel xpos_factor_panel(const Series& factors);
Panel xpos_anywhere_panel(const std::vector<Series>& anywhere, const Text&);

}  // namespace orrery::study
