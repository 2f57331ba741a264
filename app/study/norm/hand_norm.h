// A norm of a few numbers by hand: what stands on each line of the board, exact where fractions and roots can say it.
#pragma once

#include <string>
#include <vector>

#include "app/study/kit/board.h"
#include "app/study/kit/fraction.h"
#include "app/study/study.h"

namespace orrery::study {

struct Typed {
  bool layer = true;  ///< LayerNorm, else RMSNorm
  std::vector<double> x, gain, bias;
  double eps = 0;
  std::size_t marked = 0;  ///< the component that is followed
  int digits = 6;
};

struct HandNorm {
  std::vector<double> centred;  ///< x − μ; of RMSNorm x itself
  std::vector<double> squared, normed, y;
  double mean = 0, mean_square = 0;  ///< μ; σ², of RMSNorm the mean square of x
  double root = 0;                   ///< √(mean square + ε)
  bool defined = true;               ///< the root is not 0
  // The same by whoever calculates exactly; unknown where the numbers grew too long.
  std::vector<Fraction> exact_centred, exact_squared;
  Fraction exact_mean = 0, exact_mean_square = 0;
};

/// x̂ and y by the reference op, the steps before them in double.
HandNorm norm_by_hand(const Typed&);

std::vector<BoardLine> board_lines(const Typed&, const HandNorm&);
std::string worked_text(const Typed&, const HandNorm&);
std::vector<Check> hand_checks(const Run&, const Typed&, const HandNorm&);

}  // namespace orrery::study
