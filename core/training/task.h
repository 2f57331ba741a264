// What a small model is trained on: batches that a seed and a number give, the same on every machine.
//
// Two tasks whose answers are known, so that a curve has a ceiling or a floor:
//   copy     BOS a₁ … a_n SEP a₁ … a_n: the second half is the first again. Only its n tokens have targets. A batch has one n.
//   markov   each sequence from a chain of its own, whose rows are Dirichlet(α). The best that can be known of the next state
//            is (c_ij + α)/(c_i + Sα), c the counts so far: its loss is the floor (Edelman et al. 2024, arXiv 2402.11004).
#pragma once

#include <cstdint>
#include <vector>

#include "core/transformer/transformer.h"

namespace orrery::training {

using tensor::Index;
using transformer::Batch;

struct CopyTask {
  Index content = 64;  ///< tokens that are copied; two more begin and divide
  Index shortest = 4, longest = 30;
  Index tokens = 1240;  ///< of a batch, about

  Index vocabulary() const { return content + 2; }
  /// What a model reads of a word of n tokens: the last one leads to nothing that is asked.
  static Index read(Index n) { return 2 * n + 1; }
  /// The length of the word is drawn between the shortest and the longest.
  Batch training(std::uint64_t seed, std::uint64_t step) const;
  Batch of_length(Index n, Index sequences, std::uint64_t seed, std::uint32_t stream = 0) const;
};

struct MarkovTask {
  Index states = 8;
  double concentration = 0.3;  ///< α
  Index length = 64, sequences = 64;

  Index vocabulary() const { return states; }
  Batch training(std::uint64_t seed, std::uint64_t step) const;
  Batch of_length(Index tokens, Index sequences, std::uint64_t seed, std::uint32_t stream = 0) const;
  /// −ln p of every target of a batch by the best that can be known, 0 where there is none.
  std::vector<double> floor_of(const Batch&) const;
};

}  // namespace orrery::training
