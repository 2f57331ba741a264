// Words and numbers set by Pango, at 72 dots per inch, so that one of its units is one point.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/theme.h"

namespace orrery::exporter {

/// Of bold text, as CSS and Pango count.
inline constexpr int bold_weight = 600;

class Prose {
 public:
  explicit Prose(const figure::Fonts&);
  ~Prose();

  double width(const std::string& text, const figure::TextStyle&) const;
  double cap_height(const figure::TextStyle&) const;
  double x_height(const figure::TextStyle&) const;

  /// The families that it is set in, each for what the ones before it lack.
  std::vector<std::string> families(const figure::TextStyle&) const;

  /// Shows text that a PDF reader can select, or appends its outlines to the current path. The left end of
  /// the baseline comes to (x, y). The context may be scaled: line breaks and advances were decided before,
  /// without it.
  void show(cairo_t*, double x, double y, const std::string& text, const figure::TextStyle&) const;
  void outline(cairo_t*, double x, double y, const std::string& text, const figure::TextStyle&) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::exporter
