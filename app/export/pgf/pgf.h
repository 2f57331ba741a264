// A figure as PGFPlots: axes that LaTeX sets, with the document's own fonts. Lines, points and small maps are given by
// their values; everything else is a path in the axis' own coordinates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/export/formats.h"
#include "app/figure/figure.h"
#include "app/figure/theme.h"

namespace orrery::exporter::pgf {

/// A large heatmap, which no LaTeX should draw cell by cell.
struct Picture {
  std::string name;  ///< "fig-panel1.png": what the .tex asks for
  std::string png;
};

struct File {
  std::string tex;
  std::vector<Picture> pictures;
};

/// What a document of LaTeX's is set in unless it says otherwise: a page for it is laid out with these letters' widths.
figure::Fonts fonts();

/// `sheet` is the same figure laid out: it decides where things stand. `stem` begins the pictures' names.
File figure_file(const figure::Figure&, const figure::Theme&, const Sheet&, const std::string& stem);

/// The recipe in the comments of a file made here; empty when there is none. Throws Failure when it is cut off.
std::string recipe_in(const std::string& bytes);

/// A label as LaTeX: prose escaped, mathematics as it stands, signs that pdfLaTeX does not know as commands.
/// Letters of other scripts stand in foreign_command: shown where the document can, else a box with a question mark.
/// A number has the digits of mathematics, as at ticks, unless it is `bold`: mathematics has no bold ones of its own.
std::string tex_text(std::string_view label, bool bold = false);
inline constexpr std::string_view foreign_command = "\\orreryLetters";

/// What begins a line, or the row of a table: behind \\ and the rules of booktabs a bracket is read as a length, and a star is
/// swallowed.
std::string behind_line_end(const std::string& tex);

/// What such labels need and a document may not have, for the lines above them: packages for letters of other scripts as a
/// comment, commands of amsmath as those that stand in for them.
std::string needed_commands(const std::string& body);

}  // namespace orrery::exporter::pgf
