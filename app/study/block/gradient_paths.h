// The gradient of a random stack of blocks, taken apart by the paths that it came along: what study block/gradient-path shows.
//
// At a residual sum the gradient g behind it becomes that in front of it in two parts (core/transformer/residual.h),
//
//   g' = α J g  +  B g          J: the norm behind the sum, or nothing; B: back through the sublayer and the norms about it
//
// and whatever is linear splits on: with p(m) what has come through exactly m sublayers since the top,
//
//   p'(m) = α J p(m) + B p(m − 1),      Σ p(m) = g      p(0): the identity path alone
//
// Veit, Wilber, Belongie 2016, arXiv 1605.06431, look at residual networks so. The forward pass stays what it is: these are
// parts of one exact vector–Jacobian product, not networks with layers left out. In double on the reference, else in float.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "app/study/study.h"
#include "core/transformer/initialise.h"

namespace orrery::study {

struct GradientPathQuestion {
  transformer::Placement placement = transformer::Placement::pre;
  bool residual = true;  ///< false: α = 0, the sublayers stand one behind the other
  transformer::NormKind norm = transformer::NormKind::layer;
  activation::Kind activation = activation::Kind::relu;
  transformer::Initialisation start = {};
  tensor::Index layers = 12, width = 64, tokens = 16;
  std::uint64_t seed = 1;
};

/// Through no sublayer, one, two, three or more.
constexpr std::size_t path_kinds = 4;

/// Place k of the stream: k residual sums lie below it, so that 0 is the input and 2 layers the top.
struct GradientPaths {
  std::vector<double> gradient, identity;              ///< |g_k| and |p_k(0)| over |g| at the top, by place
  std::array<std::vector<double>, path_kinds> shares;  ///< ⟨p_k(m), g_k⟩ / |g_k|², by place: they sum to 1
  // By residual sum, the lowest first:
  std::vector<double> identity_gain, branch_gain;  ///< |α J g| / |g|, |B g| / |g|
  std::vector<double> path_gain;  ///< |α J p(0)| / |p(0)|, a factor of the product along the path
  std::vector<double>
      largest_gain;  ///< no vector is longer than this after α J: α max 1/√(σ² + ε) over the tokens
  /// Over blocks, how far the parts' sum is from what the block's own backward pass gives, as a part of how far rounding may
  /// bring it: at most 1.
  double unexplained = 0;
};

/// `done` is called three times for each layer: behind it on the way up, and behind each of its sums on the way down.
GradientPaths gradient_paths(const Run&, const GradientPathQuestion&, const std::function<void()>& done);

}  // namespace orrery::study
