// A computation as one writes it on a board: a line for each step, and the numbers of one column below each other.
//
//   name        column 1   column 2   column 3     shape          $x$        1    2    3      $[B, T, D]$
//   name        a statement over all columns       shape          $\mu$      $\frac{1+2+3}{3} = 2$
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::study {

struct BoardLine {
  std::string name{};                ///< what it is, "$x - \mu$"; in the first line what the columns are
  std::vector<std::string> cells{};  ///< one for each column …
  std::string statement{};           ///< … or one text over all of them
  std::string shape{};               ///< at the right end: what one number of it stands for
  double height = 1;                 ///< of a line of numbers; a fraction takes 1.5
  bool quiet = false;                ///< a heading
  bool typed = false;                ///< its cells are a person's own words
  bool loud = false;                 ///< the result: all of it in the accent colour
};

struct BoardLook {
  std::string title{};
  std::size_t columns = 1;
  int marked = -1;                        ///< the column that is followed, in the accent colour
  double cells_from = 0.2, cells_to = 1;  ///< where the columns begin and end, between 0 and 1
};

/// How many signs one sees of a text or of TeX, about: of a fraction the longer half.
int signs_seen(std::string_view text);

/// A formula as a text: "$x$".
std::string in_dollars(const std::string& tex);

/// A panel without axes.
figure::Panel board_panel(const BoardLook&, const std::vector<BoardLine>&);
/// The sum of the lines' heights: what the panel's row is worth.
double board_height(const std::vector<BoardLine>&);

/// No more decimals than are right: as many as asked for, fewer where the value may be off by more than half of the last.
int right_decimals(int asked, double error);
/// So many significant digits without zeros at the end, as TeX: 0.25, 3.16228 \cdot 10^{-5}.
std::string tex_digits(double x, int significant);
/// As many as read back as exactly x.
std::string tex_exact(double x);
std::string tex_exact_factor(double x);
/// So many behind a sign or a factor: what is negative stands in parentheses.
std::string tex_factor(double x, int significant);
/// So many decimals of a number that stands alone; what rounds to 0 has no sign.
std::string cell_text(double x, int decimals);
/// So many decimals, as TeX; a negative factor in parentheses.
std::string tex_fixed(double x, int decimals);
std::string tex_fixed_factor(double x, int decimals);

/// Whether so much of a number, as TeX, is all of it, but for some roundings in double.
bool gives_back(std::string_view shown, double value);
/// " = " where what is shown gives the value back and whoever calculates the expression exactly, as it is written, comes to
/// it; else " \approx ". `in_full`: the numbers in the expression give back theirs.
std::string equals(std::string_view expression, std::string_view shown, double value, bool in_full = true);

}  // namespace orrery::study
