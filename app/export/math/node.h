// A formula as read: a tree of atoms, before anything has a size.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery::exporter::math {

/// TeX's classes: they decide the space between neighbours.
enum class Atom : std::uint8_t { ordinary, op, binary, relation, open, close, punctuation, inner };

/// TeX's styles, from the largest to the smallest.
enum class Level : std::uint8_t { display, text, script, script_script };

/// Where an operator's scripts go: beside it, above and below it in display style, above and below it always.
enum class Limits : std::uint8_t { beside, in_display, always };

/// How a sign above or below something takes its width: as it is, the widest that stays within, or over all of it.
enum class Reach : std::uint8_t { letter, within, cover };

/// What is kept of something: \phantom all but the ink, \hphantom its width, \vphantom its height, \smash all
/// but its height.
enum class Keep : std::uint8_t { extent, width, height, ink };

/// How a grid's cells stand: matrix, cases, aligned, array, \substack. Lengths in em.
struct Grid {
  struct Row {
    std::size_t cells = 0;
    double gap = 0;  ///< more room below, as in \\[4pt]
    int rules = 0;   ///< lines above it: \hline
  };
  std::vector<Row> rows;
  std::string columns = "c";             ///< l, c, r; fewer than there are columns: begun again
  std::vector<std::size_t> bars;         ///< upright lines: before which columns
  std::array<double, 2> gaps{1.0, 1.0};  ///< after the first, third … column; after the second, fourth …
  double margin = 0;                     ///< at either side
  double row_ascent = 0.84,
         row_descent = 0.36;          ///< of every row at least: TeX's \strut, 0.7 and 0.3 of 12 pt
  double baselines = 0, between = 0;  ///< from line to line, and from ink to ink, at least
  Level level = Level::text;          ///< of the cells
  int rules_below = 0;
};

struct Node {
  enum class Kind : std::uint8_t {
    row,        ///< parts one after another
    symbol,     ///< `code`
    words,      ///< `text` set upright as a word: \log, \operatorname, \text
    scripts,    ///< parts: nucleus, subscript, superscript; an absent script is an empty row
    fraction,   ///< parts: numerator, denominator; `bar` says whether there is a line, `level` its style
    root,       ///< parts: radicand, and the degree or an empty row
    fenced,     ///< parts: what stands between the delimiters `fence`, which are one more; 0 for none
    delimiter,  ///< \big and its like: `code` grown to `length` em
    accent,     ///< parts: base; `code` stands above it, or below it where `below`
    line,       ///< parts: base; a rule above it, or below it where `below`
    arrow,      ///< `code` as long as what stands above and below it; parts: below, above
    negated,    ///< parts: base, struck through
    framed,     ///< parts: inside, with a frame around it
    phantom,    ///< parts: inside, of which `keep` is kept
    grid,       ///< parts: the cells, row after row, as `grid` says
    space,      ///< `length` eighteenths of an em
    style,      ///< what follows in the row is set in `level`
    unknown     ///< `text`: source that we cannot set, shown as it is
  };
  Kind kind = Kind::row;
  Atom atom = Atom::ordinary;
  char32_t code = 0;
  bool big = false;  ///< a big operator: grows in display style, stands on the axis
  bool bar = true;
  bool below = false;
  Limits limits = Limits::beside;
  Reach reach = Reach::letter;
  Keep keep = Keep::extent;
  double length = 0;
  std::optional<Level> level;
  std::string text;
  std::vector<char32_t> fence;
  std::vector<Node> parts;
  std::shared_ptr<const Grid> grid;
};

}  // namespace orrery::exporter::math
