// Rows that were learned: those of a file, or the 64 that came with the program.
#pragma once

#include <string>

#include "app/study/kit.h"

namespace orrery::study {

/// A window onto a table of rows.
struct LearnedRows {
  Matrix rows;
  Index first = 0;  ///< which row of the table the first one is
  Index all = 0;    ///< how many the table has
};

/// How the rows that came with the program were learned: what stands above them in assets/learned/positions.txt, which
/// `./dev learn-positions` makes anew.
struct Training {
  double seed = 0, steps = 0, lines = 0;
  double loss = 0, least = 0;  ///< in nats: reached on lines never seen, and what no model can be below
};

/// Of PATH or PATH#NAME, as core/file/tensor_path.h has it: so many rows from `first` on, or the last ones where it has no
/// more; no other row is kept. Throws Failure, one line, for what holds no rows, or numbers that are not finite.
LearnedRows read_learned_rows(const std::string& path, Index first, Index count);

LearnedRows shipped_rows(Index first, Index count);
const Training& shipped_training();

}  // namespace orrery::study
