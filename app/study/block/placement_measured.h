// Stacks as they begin, for each place of the norms, at several depths: how large the stream is layer by layer, and how
// large the gradient; and what Xiong et al. 2020 say of both.
//
// A decoder without positions, tokens at random, each with a target at random; a network of two matrices with ReLU between; an
// untied head. Embeddings are N(0, 1), so that the stream begins with a mean square of 1, as in the paper.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "app/study/block/initial_stack.h"
#include "app/study/block/norm_places.h"
#include "core/parameter/settings.h"

namespace orrery::study::block_placement {

using transformer::Index;

struct Asked {
  const NormPlace* followed = nullptr;
  std::vector<const NormPlace*> places;  ///< all that are drawn, the followed one among them
  Index layers = 0, width = 0, heads = 0, hidden = 0, tokens = 0, seeds = 0;
  transformer::NormKind norm = transformer::NormKind::layer;
  transformer::Initialisation start;
  double score_gain = 1;
  transformer::QkNorm qk_norm = transformer::QkNorm::heads;
  std::uint64_t seed = 0;

  transformer::Config config(const NormPlace&, Index depth) const;
  /// L, half of it, a quarter …, two at least: the least first.
  std::vector<Index> depths() const;
};

/// One model of one seed.
struct Measured {
  std::vector<double>
      squares;  ///< mean squares of x_0 … x_L; behind norms: of what the last one of each block reads
  std::vector<double> gradients;  ///< the norm of ∂L/∂W₂ in layers 1 … L
  double allowed = 0;             ///< of the last one, by lemma 3
};

/// Of a place: for each depth, a model of each seed.
using Sweep = std::map<const NormPlace*, std::vector<std::vector<Measured>>>;

Measured measured(const Run&, const Asked&, const NormPlace&, Index depth, InitialDraws&,
                  const transformer::Batch&);
transformer::Batch batch_of(const Asked&, Index which_seed);
InitialDraws draws_of(const Asked&, Index which_seed);

/// The largest |q k|/√d of each layer of the deepest model of the followed place.
std::vector<double> largest_logits(const Run&, const Asked&, transformer::QkNorm, InitialDraws&);
/// What it can be with QK-norm: vectors of √d in each head, or of √D in all of them.
double largest_normed_logit(const Asked&);

/// The parts that a block adds to the mean square of what it reads normed: the network's on average, attention's at most.
struct Branches {
  double network = 0, attention = 0, alpha = 1, beta = 1;
};
Branches branches_of(const Asked&, const NormPlace&, Index depth);

/// What the mean square of x_0 … x_L is on average over all matrices, from the least to the most, and the deviation of one
/// model from that, all its tokens alike.
struct Law {
  std::vector<double> least, most, deviation;
};
Law law_of(const Asked&, const NormPlace&, Index depth);

}  // namespace orrery::study::block_placement
