// How well a model does past the length that it was trained at: by position, over many batches, with a window that slides, and
// with the rules that make rotary positions reach further.
//
//   whole     every token's next one from all up to it, in one pass
//   sliding   the one behind token t = 0, 1, … from the min(t + 1, W) tokens that end with t, and no more: the first W by one pass,
//             each later one by a pass of its own over W tokens, which stand at positions 0 … W − 1. So a model reads nothing that
//             is longer than its window. Without it, tokens near the beginning of a sequence have less to go by, and the mean over
//             longer sequences is better for that alone (Press et al., arXiv 2108.12409, appendix B).
//
// A window of the mask (Config::window) is something else: L layers of it pass on what L windows hold.
#pragma once

#include <functional>
#include <optional>

#include "core/position/rope_frequencies.h"
#include "core/training/task.h"
#include "core/training/trainer.h"

namespace orrery::training {

/// Sums over batches of one length, by place.
class Tally {
 public:
  /// A target is met where its logit is the largest. `floor` has a number for each token, or none.
  void add(const Batch&, const transformer::Tape<float>&, std::span<const double> floor = {});
  /// One target by itself.
  void add(std::size_t place, double loss, bool met, double floor = 0);
  Score score() const;
  /// The floor's mean, and by place; NaN where there is no target.
  double floor() const;
  std::vector<double> floor_by_place() const;

 private:
  struct Place {
    double loss = 0, met = 0, floor = 0, counted = 0;
  };
  Place& at(std::size_t place);
  Place all() const;
  std::vector<Place> places_;
};

/// Adds a batch's targets. W is `window`, 1 or more; 0: whole. `between` is called before each pass and may throw. `at_once`
/// windows make a batch. Of a decoder.
void tally(const transformer::Transformer<float>&, std::span<const float> values, const Batch&,
           std::span<const double> floor, Index window, transformer::Tape<float>&, Tally&,
           const std::function<void()>& between = {}, Index at_once = 32);

/// How rotary positions are made to reach further than they were trained, with nothing learned anew.
struct Extension {
  position::RopeType rule = position::RopeType::standard;
  position::RopeReading reading = position::RopeReading::code;
  double trained = 0;                 ///< L, tokens
  std::optional<double> factor = {};  ///< s; not given: n/L for a text of n tokens, never below 1
  double beta_fast = 32, beta_slow = 1;
};

/// The model as it reads a text of n tokens. One without rotary positions is as it was. Throws InvalidArgument for a rule that
/// cannot be.
transformer::Config extended(transformer::Config, const Extension&, double tokens);

}  // namespace orrery::training
