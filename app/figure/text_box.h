// Where words stand on the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"

namespace orrery::figure {

/// The box that a label covers, turned or not.
Rect label_box(const Label&, const TextMetrics&);

bool overlap(const Rect&, const Rect&);
Rect grown(const Rect&, double by);

/// Breaks a text where line_breaks.h allows into lines no wider than `width`, never inside $…$. A single word may still be too
/// wide.
std::vector<std::string> wrap(std::string_view text, const TextStyle&, double width, const TextMetrics&);
/// In as many lines, as alike in width as breaks allow: no word is left alone on the last one.
std::vector<std::string> balanced(std::string_view text, const TextStyle&, double width, const TextMetrics&);

/// The style made smaller, down to 70 %, until the text fits; empty text when even that does not help.
struct FittedText {
  std::string text;
  TextStyle style;
};
FittedText fit(const std::string& text, TextStyle, double width, const TextMetrics&);

/// The beginning of a text that fits, with dots for the rest where they leave three letters; empty where no letter fits, or
/// where cutting would break a formula.
std::string beginning_of(std::string text, const TextStyle&, double width, const TextMetrics&);

/// A size that words take to fit: no more than this, in steps of 1/8 point. Each size of a typeface is a font of its own,
/// which takes a page's worth of time to open: a few serve for all.
double stepped_size(double most);

/// Height of a line of this text.
double line_height(std::string_view text, const TextStyle&, const TextMetrics&);

}  // namespace orrery::figure
