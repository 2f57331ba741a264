// Ways to a sequence of tokens where each depends on the one before: a Markov chain, small enough to be seen whole.
//
//   greedy   at each step the likeliest next token
//   beam     the w likeliest sequences of each length go on
//   sample   at each step a token is drawn, from probabilities at a temperature
//   best     of all sequences the likeliest
//
// Ties go to the token, or the sequence, that comes first in the vocabulary's order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::study::output {

/// Row 0: the first token; row 1 + v: the one after token v. Logarithms of probabilities.
using Chain = tensor::Matrix<double>;

struct Sequence {
  std::vector<tensor::Index> tokens{};
  double log_probability = 0;
  Sequence with(tensor::Index token, const Chain&) const;
  bool operator==(const Sequence& other) const { return tokens == other.tokens; }
};

/// log p of each next token.
double step_of(const Chain&, const Sequence&, tensor::Index next);

Sequence greedy(const Chain&, tensor::Index length);

struct Beam {
  Sequence found;
  std::vector<std::vector<Sequence>> kept;  ///< after each step, the likeliest first
};
Beam beam(const Chain&, tensor::Index length, std::size_t width);

/// `drawn_from`: the chain at its temperature; the logarithm is that of `chain`. Draw t is uniform(t) of the seed.
Sequence sample(const Chain& chain, const Chain& drawn_from, tensor::Index length, std::uint64_t seed);

/// V^T of them, in the order of a tree.
std::vector<Sequence> all_sequences(const Chain&, tensor::Index length);
/// The largest of their logarithms, by Viterbi's recursion: without looking at all.
double viterbi(const Chain&, tensor::Index length);

}  // namespace orrery::study::output
