// The tokens that norms are given, and their gains: drawn by chance, typed, or a model's own out of files.
#pragma once

#include <string>

#include "app/study/norm/norm_ops.h"
#include "core/parameter/settings.h"

namespace orrery::study {

/// How a row is spread about its mean; x = scale (z + mean), z of mean 0 and deviation 1 (a constant row: 0).
struct Standardised {
  twin::Matrix z;
  double mean = 0, scale = 1;
};

struct HiddenStates {
  twin::Matrix x;    ///< tokens × D, at least one; what is looked at is the first
  Standardised row;  ///< of it
  bool seeded = false;
};

/// Of the parameters states, components, vector, token, tokens, mean, scale, outlier, width and seed. Throws Failure for a
/// file that cannot be read or does not hold tokens, InvalidArgument for a token that it does not have.
HiddenStates hidden_states(const parameter::Settings&, const Run&);

/// Of the parameters gains, gain_spread, biases, bias and seed, for D features. Throws as above, and for another number of
/// them.
Affine gain_and_bias(const parameter::Settings&, const Run&, tensor::Index width);

/// What a path names, as core/file/tensor_path.h has it (without a name: the only tensor). The last axis are the columns, all
/// others rows. Throws Failure, one line, for what is not there, not finite or beyond 1e9, or wider than 16384.
twin::Matrix read_rows(const std::string& path);

}  // namespace orrery::study
