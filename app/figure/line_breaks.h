// Where a line of words may end: at spaces, and between Chinese characters, of which each may begin a line. No line
// begins with a mark that closes or ends with one that opens, none breaks inside $…$, between a number and its %, or inside
// 6 × 8.
#pragma once

#include <string_view>
#include <vector>

namespace orrery::figure {

/// What stays on one line.
struct Chunk {
  std::string_view text;  ///< a piece of the text that was taken apart
  bool spaced = false;    ///< a space stands before it, unless a line begins here
  bool math = false;      ///< holds a formula, or an escaped dollar sign
};

std::vector<Chunk> unbreakable_chunks(std::string_view text);

}  // namespace orrery::figure
