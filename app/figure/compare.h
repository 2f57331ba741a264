// Two figures as one: side by side, one over the other, or as their difference. Figures in, a figure out; what cannot be
// shown as asked stands side by side, and a remark says why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

enum class CompareMode : std::uint8_t { side_by_side, overlay, difference };

/// How the sides are spoken of: a letter in legends, and in the first title of a side also what is its own
/// ("base = 500 000"; may be empty).
struct SideWords {
  std::string a = "A", b = "B";
  std::string a_own{}, b_own{};
};

struct Comparison {
  Figure figure;
  std::vector<std::string>
      remarks;  ///< sentences, each about a panel: what was interpolated, left out, kept apart
};

/// Panels belong together by their place when both figures have the same grid of them. Those that show the same quantities
/// share the ranges of their axes and colours. Handles are B's.
Comparison side_by_side(const Figure& a, const Figure& b, const SideWords& = {});

/// Marks of A paler and dashed below those of B. A panel of colours covers what is below it: it stands side by side.
Comparison overlaid(const Figure& a, const Figure& b, const SideWords& = {});

/// B − A: lines by their common x, with values between samples as they are drawn; bars, points and histograms where they
/// stand at the same places; heatmaps cell by cell, or by a sampler of the difference.
Comparison difference(const Figure& a, const Figure& b, const SideWords& = {});

Comparison compare(const Figure& a, const Figure& b, CompareMode, const SideWords& = {});

}  // namespace orrery::figure
