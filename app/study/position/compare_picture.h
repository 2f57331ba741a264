// What position/compare draws: for each scheme how much of the attention lies within a distance, and the table in words.
#pragma once

#include <vector>

#include "app/study/kit.h"
#include "app/study/position/schemes.h"

namespace orrery::study {

/// What one query sees behind it, for each scheme in their order: of every key, from the query itself on.
struct Attention {
  Index query = 0;
  std::vector<std::vector<double>> scores{};
  std::vector<std::vector<double>>
      within{};  ///< the softmax weights of all keys up to that distance; NaN: no score
};
Attention attention_of(const Run&, const SchemeModel&, Index query);

/// The least distance within which half of the weights lie; NaN where there are none.
double half_within(const std::vector<double>& within);

/// Of every scheme, at these distances.
Series within_series(std::string name, const Attention&, const std::vector<Index>& distances);

/// A query at the end of the trained length in grey, and one at the end of the text in colour. `first`: the one that says
/// what the dashed line is; `keyed`: the one with the legend.
Panel within_panel(const SchemeFacts&, const SchemeModel&, const Attention& inside,
                   const Series& inside_drawn, const Attention& whole, const Series& whole_drawn, bool keyed);

/// One line a scheme.
figure::Figure words_figure(const SchemeModel&);

}  // namespace orrery::study
