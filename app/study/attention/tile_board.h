// The tile of attention/online that is worked out, as one writes it on a board.
#pragma once

#include "app/study/attention/tile_row.h"
#include "app/study/kit/board.h"

namespace orrery::study::attention_online {

/// Scores, values, the new maximum, the correction, the new sum and output, and their quotient.
std::vector<BoardLine> board_lines(const Step&, int digits);

}  // namespace orrery::study::attention_online
