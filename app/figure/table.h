// The numbers behind a figure.
#pragma once

#include <string>
#include <vector>

namespace orrery::figure {

struct Column {
  std::string name{};  ///< may hold $…$
  std::string unit{};
  std::vector<double> values{};
  int digits = 6;  ///< significant digits when shown; files always get all of them
  /// One for each value where a row is a model, a part, a function: then the words are shown and written, and the values are
  /// their numbers, for those who need numbers (npy, look-ups).
  std::vector<std::string> words{};
  bool typed = false;  ///< the words are a person's own: the same in every language

  bool of_words() const { return !words.empty(); }
};

/// All columns have the same length.
struct Table {
  std::string name{};  ///< lower case with _: names the file it is written to
  std::vector<Column> columns{};
};

}  // namespace orrery::figure
