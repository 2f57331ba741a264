// What the norms of a model cost beside all the rest of it: parameters, operations, numbers moved through memory.
//
// Parameters   D of an RMSNorm, 2 D of a LayerNorm with a shift; what norms of queries and keys share is counted once.
// Operations   4 for each number that is normalised by RMSNorm (square, sum, by the root, gain), 7 by LayerNorm (sum, x − μ,
//              square, sum, by the root, gain, shift), 6 without a shift; roots and divisions, one a row, are not counted.
// Moved        numbers read or written by one step of inference, each kernel from memory into memory:
//                weights       of every matrix once a step, however many tokens it works on; of E experts of which each token
//                              chooses k, E (1 − (1 − k/E)^n) on average where n tokens choose independently and evenly
//                products      input and output of every matrix for each token; of the vocabulary's map for each token that is
//                              written, and for the last one of a text that is read
//                activations   gate and up in, product out: 3 F; not gated 2 F
//                sums          two terms in, one out, for each sublayer; attention and feed-forward side by side: 4 D together
//                attention     queries in, values out; keys and values of the text once a step where it is read, of the whole
//                              cache for each token where it is written
//                norms         `moves` for each normalised number: 2 in one kernel, of a chain of passes 12 (LayerNorm) or 7
//                              (RMSNorm, bench/norm_passes.h); their weights once a step
//              Rotations and softmax ride along in a kernel that is counted. Of an encoder and a decoder, a token of each text.
#pragma once

#include "core/model/card.h"

namespace orrery::model {

struct NormCount {
  double parameters = 0;  ///< of all norms
  double numbers = 0;     ///< that are normalised for each token: the sum of the norms' widths
  double operations = 0;  ///< for each token
};
/// Throws Failure unless card.countable() and its norm is known.
NormCount norm_count(const Card&);

/// Operations for each normalised number: 4, 6 or 7.
double norm_operations(const CardNorm&);
/// Numbers read and written for each normalised one.
double norm_moves(NormKind, bool fused);

/// The same card with the other norm: LayerNorm with a shift, RMSNorm without one.
Card with_norm(Card, NormKind);

struct Step {
  double tokens =
      1;  ///< read at once, all of one text; or written at once, each the next of a text of its own
  bool writing = false;  ///< of decoders alone
  double length = 1;     ///< of each text that is written on
  bool fused = true;
};
/// In numbers, of whatever format.
struct StepMoves {
  double norms = 0, weights = 0, others = 0, cache = 0;
  double all() const { return norms + weights + others + cache; }
};
/// Throws Failure as norm_count() does, and where what is no decoder should write.
StepMoves step_moves(const Card&, const Step&);

}  // namespace orrery::model
