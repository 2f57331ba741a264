// What a model costs for each token: operations of its matrix products, bytes of its cache.
//
//   weights    2 operations for each number of each matrix that a token passes, the map to the vocabulary included
//   attention  2 S H (d_k + d_v) for scores and values over the S keys that a query sees: none behind it in the future,
//              none outside its layer's window; vectors for distances are multiplied as keys are
//   cache      keys and values of every layer, 2 H_kv d numbers a token; of latent attention r_kv + d_rope
//
// A band whose width nobody published is counted as the whole text: then both are at most this (Card::counts_at_most).
// Norms, activations, softmax, rotations and look-ups are not counted: they are of the order of the width, not its square.
// Of latent attention prefill multiplies whole heads; a step of decoding works on the cached vectors themselves (2405.04434,
// section 2.1.2), which costs 2 S H (2 r_kv + d_rope).
#pragma once

#include <optional>

#include "core/model/card.h"

namespace orrery::model {

struct Cost {
  double length = 0;  ///< tokens of the text; of an encoder and a decoder, of both texts
  /// Each token of a text that is read at once, on average; of an encoder and a decoder, of the source.
  double prefill = 0;
  /// The token after which the text is that long; none of an encoder alone.
  std::optional<double> decode{};
  /// Of `prefill` and `decode`: scores and values.
  double prefill_attention = 0, decode_attention = 0;
};
/// Throws Failure unless card.countable().
Cost cost_of(const Card&, double length);

/// Numbers kept for each token while all windows last; 0: of an encoder alone, which keeps nothing.
double cached_numbers_per_token(const Card&);
/// Of a text of this length: sliding layers keep no more than their window, and of a decoder beside an encoder the
/// source's keys and values, of a text as long, besides.
double cached_numbers(const Card&, double length);

}  // namespace orrery::model
