// What a layer of each kind costs that turns n vectors of width d into as many, and how far apart it leaves the ends of a
// text: table 1 of Vaswani et al. 2017; and what attention and the feed-forward layer cost for each token.
//
//                          multiply-adds        one after another    layers from the first token to the last
//   self-attention         n² d                 1                    1
//   recurrent              n d²                 n                    n − 1 steps of one layer
//   convolution            k n d²               1                    ⌈log_k n⌉ dilated, ⌈(n − 1)/(k − 1)⌉ side by side
//   restricted attention   r n d                1                    ⌈(n − 1)/(r − 1)⌉
//
// The table gives orders; here its terms are taken as they stand. Layers look back, as a decoder's do: a kernel of k sees its
// own place and k − 1 before it, a window of r its own token and r − 1 before it, and no more than n. What a kernel sees
// before the first token counts, as in the table: padding is multiplied like all else.
//
// Operations of a token, two for a multiply-add, over n keys:
//   scores and values   4 n d          projections   8 d² (queries, keys, values, output)          feed-forward   2 M d h
// M matrices: 2 plain, 3 gated. Norms, softmax and biases are of the order of d and not counted.
// Source     Vaswani et al. 2017, arXiv 1706.03762, section 4 and table 1.
#pragma once

#include <array>

namespace orrery::study::block_complexity {

struct Layer {
  double length = 0, width = 0, kernel = 0, window = 0;
  bool dilated = true;
};

enum class Kind { self_attention, recurrent, convolution, restricted };
inline constexpr std::array<Kind, 4> kinds{Kind::self_attention, Kind::recurrent, Kind::convolution,
                                           Kind::restricted};
const char* name_of(Kind);

double operations(Kind, const Layer&);
/// So many steps that wait for each other.
double sequential(Kind, const Layer&);
double path(Kind, const Layer&);
/// The same by going through the layers, place by place: layers × tokens × places.
double path_walked(Kind, const Layer&);

struct FeedForward {
  double hidden = 0, matrices = 2;
};

double of_scores_and_values(const Layer&);
double of_projections(const Layer&);
double of_feed_forward(const Layer&, const FeedForward&);

/// The length at which scores and values cost what the feed-forward layer does: h M/2.
double crossing_of_scores(const FeedForward&);
/// That at which they do with the projections: h M/2 − 2 d; not above 0 where attention costs more at any length.
double crossing_of_attention(const Layer&, const FeedForward&);

}  // namespace orrery::study::block_complexity
