// What stands at the positions of attention/scores: queries, keys and values of words, of embeddings, or of chance.
//
//   words      q = (w + a)/√2, k = (w + b)/√2       w, a, b, v: a word's own, the same wherever it stands
//   embedded   q = x W^Q, k = x W^K, v = x W^V      x: a word's row of a table, wherever it stands
//   random     independent normal numbers
//   low_rank   q = g B/√r, k = h B/√r               B: r × d, the same for both: no score matrix has more than rank r
//   topics     q = (c + a)/√2, k = (c + b)/√2       c: of the topic, which changes every topic_run tokens and comes back
//   alike      one vector for all queries and keys
//   files, projections     one head's vectors out of files (head_files.h), its first token shown at position 0; values that no
//                          file gives are drawn. Where no file is chosen, all are independent normal numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/study/attention/head_files.h"
#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study::attention_scores {

inline constexpr tensor::Index topic_run = 4;  ///< tokens of a topic, before the next one

/// Which files the vectors are from, and which of their tokens.
struct FromFiles {
  HeadFiles files;
  tensor::Index first = 0;
};

struct ScoreContent {
  std::vector<std::string> words;  ///< empty where nothing is known of the tokens
  twin::Matrix q, k, v;            ///< before any rotation; T × d, rounded to float
  twin::Matrix
      before;  ///< what a token is before it looks at others: its row of the table, its hidden state, or its value
  std::optional<FromFiles> from{};

  tensor::Index length() const { return q.rows(); }
  tensor::Index width() const { return q.cols(); }
};

/// What stands at each position, where the content has words: divided by spaces, and Chinese letter by letter.
/// Empty where it has none. Throws InvalidArgument where the text has no word, or more than 512.
std::vector<std::string> words_at(const parameter::Settings&);

/// Sinusoids, or the rows of a table as they are drawn, N(0, 1/2) so that they are as long as those, are added to the
/// embeddings, or to queries and keys.
ScoreContent content_of(const parameter::Settings&, const Run&);

}  // namespace orrery::study::attention_scores
