#include "core/training/evaluate.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/error.h"

namespace orrery::training {
namespace {

double floor_at(std::span<const double> floor, std::size_t n) {
  return floor.empty() ? 0 : floor[n];
}

/// One token and all that a window lets it be predicted from.
struct Window {
  std::size_t token = 0;  ///< its number in the batch
  std::size_t place = 0;
};

/// Of a batch, the tokens that read more than a window: each is predicted with W tokens, itself the last of them.
std::vector<Window> beyond(const Batch& batch, std::size_t window) {
  std::vector<Window> found;
  const auto length = static_cast<std::size_t>(batch.length);
  for (std::size_t n = 0; n < batch.targets.size(); ++n)
    if (n % length >= window && batch.targets[n] != transformer::no_target)
      found.push_back({.token = n, .place = n % length});
  return found;
}

/// The beginnings of all sequences.
Batch cut(const Batch& batch, Index length) {
  Batch begin{.sequences = batch.sequences, .length = length};
  for (Index b = 0; b < batch.sequences; ++b)
    for (Index t = 0; t < length; ++t) {
      const auto at = static_cast<std::size_t>(b * batch.length + t);
      begin.tokens.push_back(batch.tokens[at]);
      begin.targets.push_back(batch.targets[at]);
    }
  return begin;
}

std::vector<double> cut(std::span<const double> floor, const Batch& batch, Index length) {
  std::vector<double> begin;
  if (floor.empty()) return begin;
  for (Index b = 0; b < batch.sequences; ++b)
    for (Index t = 0; t < length; ++t) begin.push_back(floor[static_cast<std::size_t>(b * batch.length + t)]);
  return begin;
}

/// A sequence for each window, whose last token alone has a target.
Batch batch_of(const Batch& batch, std::span<const Window> windows, std::size_t length) {
  Batch made{.sequences = static_cast<Index>(windows.size()), .length = static_cast<Index>(length)};
  for (const Window& window : windows) {
    for (std::size_t n = window.token + 1 - length; n <= window.token; ++n) {
      made.tokens.push_back(batch.tokens[n]);
      made.targets.push_back(transformer::no_target);
    }
    made.targets.back() = batch.targets[window.token];
  }
  return made;
}

}  // namespace

Tally::Place& Tally::at(std::size_t place) {
  if (places_.size() <= place) places_.resize(place + 1);
  return places_[place];
}

void Tally::add(std::size_t place, double loss, bool met, double floor) {
  Place& sum = at(place);
  sum.loss += loss;
  sum.met += met ? 1 : 0;
  sum.floor += floor;
  ++sum.counted;
}

void Tally::add(const Batch& batch, const transformer::Tape<float>& tape, std::span<const double> floor) {
  const auto length = static_cast<std::size_t>(batch.length);
  if (length > 0) at(length - 1);
  for (std::size_t n = 0; n < batch.targets.size(); ++n)
    if (batch.targets[n] != transformer::no_target)
      add(n % length, tape.loss.by_token[n], is_met(tape, n, batch.targets[n]), floor_at(floor, n));
}

Tally::Place Tally::all() const {
  Place sum;
  for (const Place& place : places_) {
    sum.loss += place.loss;
    sum.met += place.met;
    sum.floor += place.floor;
    sum.counted += place.counted;
  }
  return sum;
}

Score Tally::score() const {
  const Place sum = all();
  Score score;
  score.loss = sum.loss / sum.counted;
  score.accuracy = sum.met / sum.counted;
  // 0/0, where nothing was asked, is the NaN that is promised.
  for (const Place& place : places_) {
    score.loss_by_place.push_back(place.loss / place.counted);
    score.accuracy_by_place.push_back(place.met / place.counted);
  }
  return score;
}

double Tally::floor() const {
  const Place sum = all();
  return sum.floor / sum.counted;
}

std::vector<double> Tally::floor_by_place() const {
  std::vector<double> floor;
  for (const Place& place : places_) floor.push_back(place.floor / place.counted);
  return floor;
}

void tally(const transformer::Transformer<float>& model, std::span<const float> values, const Batch& batch,
           std::span<const double> floor, Index window, transformer::Tape<float>& tape, Tally& sums,
           const std::function<void()>& between, Index at_once) {
  const auto pass = [&](const Batch& asked) {
    if (between) between();
    model.forward(values, asked, tape);
    model.loss(asked, tape);
  };
  if (window < 1 || window >= batch.length) {
    pass(batch);
    return sums.add(batch, tape, floor);
  }
  const Batch begin = cut(batch, window);
  pass(begin);
  sums.add(begin, tape, cut(floor, batch, window));
  const auto width = static_cast<std::size_t>(window), most = static_cast<std::size_t>(at_once);
  const std::vector<Window> all = beyond(batch, width);
  for (std::size_t first = 0; first < all.size(); first += most) {
    const std::span<const Window> some = std::span(all).subspan(first, std::min(most, all.size() - first));
    pass(batch_of(batch, some, width));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::size_t row = (i + 1) * width - 1, token = some[i].token;
      sums.add(some[i].place, tape.loss.by_token[row], is_met(tape, row, batch.targets[token]),
               floor_at(floor, token));
    }
  }
}

transformer::Config extended(transformer::Config model, const Extension& by, double tokens) {
  if (model.positions != transformer::Positions::rope || by.rule == position::RopeType::standard)
    return model;
  const transformer::Config whole = transformer::resolved(model);
  const position::RopeFrequencies found =
      position::rope_frequencies({.type = by.rule,
                                  .rotary_dim = whole.rope.width > 0 ? whole.rope.width : whole.head_width,
                                  .base = whole.rope.base,
                                  .factor = by.factor.value_or(std::max(1.0, tokens / by.trained)),
                                  .reading = by.reading,
                                  .original_length = by.trained,
                                  .max_length = by.trained,
                                  .length = tokens,
                                  .beta_fast = by.beta_fast,
                                  .beta_slow = by.beta_slow});
  model.rope.frequencies = found.inv_freq;
  model.rope.attention_factor = found.attention_factor;
  return model;
}

}  // namespace orrery::training
