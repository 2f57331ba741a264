// What attention/scores draws: its five matrices, the entropy of the rows, and the figures that stand for themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/study/attention/attend.h"
#include "app/study/kit.h"

namespace orrery::study::attention_scores {

/// The row that is looked at, and the cell of it where one is asked for.
struct Framed {
  Index query = 0;
  std::optional<Index> key{};
};

/// Of one query: every key with its product, its score before and behind the mask, and its weight.
Series framed_row(const Attention&, Index query);
/// Of every query: how many keys it sees, and how its weights are spread.
Series score_rows(const Attention&);
/// Scores and weights of all pairs so far apart.
Series score_offsets(const Attention&);
/// As many components of the outputs as are drawn.
Table outputs_table(const Attention&);

/// The words that stand at the positions, where there are any.
void name_by_words(Axis&, const Attention&);

Panel products_panel(const Attention&, const Framed&);
Panel scores_panel(const Attention&, const Framed&);
Panel masked_panel(const Attention&, const Framed&);
Panel weights_panel(const Attention&, const Framed&);
Panel outputs_panel(const Attention&, const Framed&);
Panel entropy_panel(const Series& rows, const Framed&);

/// The framed row as curves over its keys: scores above, weights below. `sink`: a logit beside them.
figure::Figure row_figure(std::string title, const Attention&, const Series& row, std::optional<double> sink);
/// Mean score by m − n above, mean weight below.
figure::Figure offset_figure(std::string title, const Series& offsets);

}  // namespace orrery::study::attention_scores
