// A formula as read: a tree of atoms, before anything has a size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::exporter::math {

/// TeX's classes: they decide the space between neighbours.
enum class Atom : std::uint8_t { ordinary, op, binary, relation, open, close, punctuation, inner };

struct Node {
  enum class Kind : std::uint8_t {
    row,       ///< parts one after another
    symbol,    ///< `code`
    words,     ///< `text` set upright as a word: \log, \operatorname, \text
    scripts,   ///< parts: nucleus, subscript, superscript; an absent script is an empty row
    fraction,  ///< parts: numerator, denominator
    root,      ///< parts: radicand, and the degree or an empty row
    fenced,    ///< parts: inside; `code` and `close` are the delimiters, 0 for none
    accent,    ///< parts: base; `code` is the combining accent
    overline,  ///< parts: base
    space,     ///< `mu` eighteenths of an em
    unknown    ///< `text`: source that we cannot set, shown as it is
  };
  Kind kind = Kind::row;
  Atom atom = Atom::ordinary;
  char32_t code = 0;
  char32_t close = 0;
  bool big = false;     ///< a big operator: grows in display style, stands on the axis
  bool limits = false;  ///< its scripts go above and below in display style
  double mu = 0;
  std::string text;
  std::vector<Node> parts;
};

}  // namespace orrery::exporter::math
