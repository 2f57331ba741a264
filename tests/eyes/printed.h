// A .tex of ours on a page of LaTeX's, as poppler reads it.
//
// The document is as plain as one can be: an article with pgfplots and Latin Modern (pdfLaTeX), or a Han font (XeLaTeX). The
// figure is set once and shipped twice, ten times enlarged, because pdftohtml counts in thirds of a point: first as it
// is, then turned by a quarter to the right, so that what reads upwards lies flat. pdftohtml -xml gives each string of
// the page in the order in which TeX wrote it, with its place, width and size; pdftocairo -svg gives the strokes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/ink.h"

namespace orrery::eyes {

/// pdflatex where all letters are TeX's own, xelatex where some are Han's.
struct Engine {
  std::string_view program, package;
};
const Engine& engine_for(bool han);
/// Empty, or what the machine is without: a program and its package, or a font.
std::string missing_for(const Engine&);

/// A string of the page, all in one font. In bp from the page's upper left corner (of a turned string: along and across its
/// own direction: `left` grows upwards from the page's foot, `baseline` grows to the right).
struct Printed {
  std::u32string letters;
  double left = 0, right = 0, baseline = 0;
  double size = 0;  ///< bp
  figure::Color color{};
  bool han = false;  ///< in the font of Han characters, whose baseline is known to a fifth of its size
};

struct Stroke {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct PrintedPage {
  std::vector<Printed> flat, turned;  ///< in TeX's order
  std::vector<Stroke> strokes;
};

/// Throws Failure with what a program complained about: a missing character and an overfull line are complaints.
PrintedPage print(const Engine&, const std::filesystem::path& tex);

/// The words of an article with these packages and this body, which may \input what stands in the folder: its lines as
/// poppler reads them. Throws Failure with what a program complained about.
std::string words_of(const Engine&, const std::filesystem::path& folder, const std::string& packages,
                     const std::string& body);

}  // namespace orrery::eyes
