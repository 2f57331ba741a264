// A short text as rows of a table of embeddings: a word is the same random vector wherever it stands.
#pragma once

#include <string>
#include <vector>

#include "app/study/kit.h"

namespace orrery::study {

inline constexpr std::size_t most_words = 48;

struct SentenceOfWords {
  std::vector<std::string> words;  ///< as an axis names them, one at each position
  std::vector<double>
      ids;  ///< of the words; those of a sentence are made of its letters, whatever their case
  std::vector<Index> rows;  ///< of the table
  Matrix table;             ///< of this text's words alone, rounded to float
};

/// The ids of the parameter `words`, or where it has none the words of `text`; `deviation` of a component.
SentenceOfWords sentence_of(const Settings&, double deviation);

/// So many words more, as the points of a cloud: their components in two dimensions.
Matrix other_words(const Settings&, double deviation, Index count);

}  // namespace orrery::study
