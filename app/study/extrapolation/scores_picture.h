// What extrapolation/scores draws: means and ranges of scores by distance, and how much of the weight reaches past L.
#pragma once

#include <vector>

#include "app/study/kit.h"
#include "app/study/rope/rules.h"

namespace orrery::study {

/// Without a rule, and by the six usual ones.
struct RuleScores {
  std::vector<StretchedRule> rules;  ///< the first changes nothing
  double trained = 0;
  std::string trained_text;  ///< "trained length (original)"
  Series
      scores;  ///< over the first distance of every stretch: of a rule "LABEL", its mean, "LABEL, lowest", "LABEL, highest"
  Series past;  ///< over the position of a query: which part of its weights lies past the trained length
};

/// h, over the largest that a rotation could give, drawn for every whole distance up to `end`; the weights are the softmax of
/// `sharpness` times that.
RuleScores rule_scores(const Run&, const Stretch&, const PairProducts& h, double sharpness, Index end);

Panel all_scores_panel(const RuleScores&);
Panel past_panel(const RuleScores&);
/// One rule alone, over what the unchanged model does.
figure::Figure rule_figure(const RuleScores&, std::size_t rule, std::string title);

}  // namespace orrery::study
