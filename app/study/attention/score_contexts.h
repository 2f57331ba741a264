// One word in two contexts: what looks the same before attention, and how far its outputs are apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/study/attention/attend.h"
#include "app/study/kit.h"

namespace orrery::study::attention_scores {

/// A word, and where it stood before.
struct Repeated {
  std::string word;
  Index first = 0, second = 0;
  double before = 0, after = 0;  ///< cosines: of what stands there before attention, and of the outputs
};

/// Every word that stands at an earlier place too, with the nearest of these.
std::vector<Repeated> repeated_words(const Attention&);
/// None where no word stands twice.
std::optional<Table> contexts_table(const std::vector<Repeated>&);
/// What is said of one of them: the framed query's, else the first.
std::string contexts_title(const std::vector<Repeated>&, Index query, std::string otherwise);

/// Cosines of all pairs of tokens before attention, and of their outputs.
figure::Figure contexts_figure(std::string title, const Attention&);

}  // namespace orrery::study::attention_scores
