#include "core/model/cost.h"

#include <algorithm>
#include <cmath>

#include "core/model/weights.h"

namespace orrery::model {
namespace {

double number(auto n) {
  return static_cast<double>(n);
}

/// 1 + 2 + … of the keys that the queries of a text see, over how many queries there are.
double keys_seen_on_average(const CardLayer& layer, double length) {
  const double window = layer.window > 0 ? std::min(layer.window, length) : length;
  if (layer.chunked) {  // whole stretches, and what is left of the last
    const double whole = std::floor(length / window), rest = length - whole * window;
    return (whole * window * (window + 1) + rest * (rest + 1)) / 2 / length;
  }
  return (window * (window + 1) / 2 + (length - window) * window) / length;
}

double keys_seen_last(const CardLayer& layer, double length) {
  if (layer.window <= 0) return length;
  if (layer.chunked) return std::fmod(length - 1, layer.window) + 1;
  return std::min(layer.window, length);
}

/// Operations of scores and values for each key that is seen.
double per_key(const Card& card, bool on_cached_vectors) {
  const double heads = number(*card.heads);
  if (card.latent && on_cached_vectors)
    return 2 * heads * number(2 * card.latent->key_value_rank + card.latent->rope_width);
  const double key =
      card.latent ? number(card.latent->still_width + card.latent->rope_width) : number(*card.head_width);
  const double by_distance = card.relative_products * number(*card.head_width);
  return 2 * heads * (key + by_distance + number(card.value_width.value_or(*card.head_width)));
}

double numbers_of_a_layer(const Card& card) {
  if (card.latent) return number(card.latent->key_value_rank + card.latent->rope_width);
  return number(*card.kv_heads) * number(*card.head_width + card.value_width.value_or(*card.head_width));
}

}  // namespace

Cost cost_of(const Card& card, double length) {
  Cost cost{.length = length};
  double by_token = 0, by_source = 0;
  for (const Weight& w : weights_of(card)) {
    const double operations = 2 * w.size() * number(w.active);
    if (w.passed == Passed::by_token) by_token += operations;
    if (w.passed == Passed::by_source) by_source += operations;
  }
  const double key = per_key(card, false);
  double seen_on_average = 0, seen_last = 0;
  for (const CardLayer& layer : card.layers) {
    seen_on_average += keys_seen_on_average(layer, length);
    seen_last += keys_seen_last(layer, length);
  }
  switch (card.stacks) {
    case Stacks::decoder:
      cost.prefill_attention = key * seen_on_average;
      cost.prefill = by_token + cost.prefill_attention;
      cost.decode_attention = per_key(card, true) * seen_last;
      cost.decode = by_token + cost.decode_attention;
      break;
    case Stacks::encoder:  // every token sees all of them
      cost.prefill_attention = key * number(card.depth()) * length;
      cost.prefill = by_token + cost.prefill_attention;
      break;
    case Stacks::both:
      cost.prefill_attention = key * number(card.encoder_layers) * length;
      cost.prefill = by_source + cost.prefill_attention;
      cost.decode_attention = key * (seen_last + number(card.depth()) * length);
      cost.decode = by_token + cost.decode_attention;
      break;
  }
  return cost;
}

double cached_numbers_per_token(const Card& card) {
  return card.stacks == Stacks::encoder ? 0 : number(card.depth()) * numbers_of_a_layer(card);
}

double cached_numbers(const Card& card, double length) {
  if (card.stacks == Stacks::encoder) return 0;
  double tokens = 0;
  for (const CardLayer& layer : card.layers)
    tokens += layer.window > 0 ? std::min(layer.window, length) : length;
  if (card.stacks == Stacks::both) tokens += number(card.depth()) * length;
  return tokens * numbers_of_a_layer(card);
}

}  // namespace orrery::model
