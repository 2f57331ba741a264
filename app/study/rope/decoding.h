// A prompt read at once and tokens decoded one by one behind it, each turned to a position: the right one, or what a
// program that forgets its offset takes for it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study {

/// What content_parameter asks for, a row for each token: one vector for all queries and keys, or independent ones.
struct QueriesAndKeys {
  twin::Matrix q, k;
};
QueriesAndKeys queries_and_keys(const parameter::Settings&, tensor::Index tokens, tensor::Index width);

/// What decoded tokens take for their position.
inline constexpr std::string_view offset_mistakes = "at_zero|from_zero|one_behind|shifted";

struct Decoding {
  tensor::Index prompt = 0, decoded = 0;
  double base = 10000;
  twin::Matrix q, k;  ///< before they are turned: a row for each token of prompt and decoding

  tensor::Index tokens() const { return prompt + decoded; }
};

/// 0, 1, 2 …
std::vector<double> right_positions(const Decoding&);
/// The same for the prompt; decoded tokens at 0, counted anew from 0, one too early, or `shift` further.
std::vector<double> mistaken_positions(const Decoding&, std::string_view mistake, double shift);

/// Scores over √d of the decoded queries with all keys, and the softmax over those not behind them (0 beyond).
struct Looks {
  twin::Matrix scores, weights;  ///< decoded × tokens
};
Looks looks(const Run&, const Decoding&, std::span<const double> positions);

/// The same scores with the prompt turned at once and every decoded token alone, as a cache has it.
twin::Matrix scores_step_by_step(const Run&, const Decoding&, std::span<const double> positions);

}  // namespace orrery::study
