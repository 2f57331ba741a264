// Where a part of block/walk is taken apart, with the numbers of the walk.
//
//   attention        attention/steps, where three words meet three by heads of two columns and nothing is hidden but by the causal
//                    mask; rope/steps, where queries are turned in heads of up to eight columns
//   norms, sums      norm/steps, of up to eight columns
//   feed-forward     ffn/steps, where D = 2 and F = 3
//   embedding        position/sinusoidal, where sinusoids are added
//   logits           output/head, of up to sixteen words
//
// Every other shape has no study that takes it. Numbers that a study refuses (its parameters have ends) make no link.
#pragma once

#include "app/study/block/walk_parts.h"
#include "app/study/links.h"

namespace orrery::study::block_walk {

std::vector<Link> links_of(const Walked&, const Place&, Index head, const std::string& panel);

}  // namespace orrery::study::block_walk
