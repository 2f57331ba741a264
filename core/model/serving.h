// What a model's cache costs when texts are read and written with it: how keys and values are shared among heads, what a
// step computes and moves, and how fast a machine could be at best.
//
// Sharing    numbers kept a token and layer, of H heads with keys of d_k and values of d_v numbers
//              heads    H (d_k + d_v)         each query head has its own (MHA)
//              groups   H_kv (d_k + d_v)      H / H_kv query heads read one (GQA)
//              one      d_k + d_v             all read the same one (MQA)
//              latent   r_kv + d_rope         one short vector from which all heads' come (MLA)
// Step       operations: cost.h's, of each token. Bytes: the matrices that tokens pass, once, of experts those that are met;
//            and the cache, which writing reads and reading writes. Activations, norms and biases are not counted: at best
//            they stay in the chip, and are of the order of the width, not its square.
// Machine    a step takes the longer of operations / speed and bytes / bandwidth: it is limited by memory while it makes
//            fewer operations a byte than speed / bandwidth, the ridge of the roofline.
// Source     Shazeer 2019, arXiv 1911.02150 (one); Ainslie et al. 2023, arXiv 2305.13245 (groups); DeepSeek-AI 2024,
//            arXiv 2405.04434 (latent); Williams, Waterman, Patterson 2009, doi 10.1145/1498765.1498785 (roofline).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/model/card.h"

namespace orrery::model {

enum class Sharing : std::uint8_t { heads, groups, one, latent };
inline constexpr std::array every_sharing{Sharing::heads, Sharing::groups, Sharing::one, Sharing::latent};

/// As the card has it. Throws Failure unless card.countable().
Sharing sharing_of(const Card&);

/// The same card with keys and values shared so. What it has already stays; else groups are as many as divide the heads, up
/// to 8 and half of them, and the latent vector is DeepSeek's, of 512 + 64 numbers.
Card with_sharing(Card, Sharing);
/// Every layer sees the whole text.
Card without_windows(Card);

/// Of one number as it is stored, with its part of a scale factor.
struct StoredBytes {
  double weight = 2, cached = 2;
};

struct Load {
  double tokens = 0;              ///< that are read, or written
  double operations = 0;          ///< of all of them
  double weights = 0, cache = 0;  ///< bytes

  double bytes() const { return weights + cache; }
  /// Operations a byte.
  double intensity() const { return operations / bytes(); }
};

/// The next token of so many texts, each that long with it. None of an encoder: throws Failure.
Load writing(const Card&, double texts, double length, StoredBytes);
/// All tokens of so many texts of this length; of an encoder and a decoder the source.
Load reading(const Card&, double texts, double length, StoredBytes);

struct Machine {
  double operations = 0;  ///< a second, at best
  double bytes = 0;       ///< a second

  double ridge() const { return operations / bytes; }
  double seconds(const Load& load) const {
    return std::max(load.operations / operations, load.bytes() / bytes);
  }
  bool limited_by_memory(const Load& load) const {
    return load.operations * bytes < load.bytes() * operations;
  }
  double tokens_a_second(const Load& load) const { return load.tokens / seconds(load); }
};

/// The least length from which on a step of writing reads more of the cache than of the weights; none up to `longest`.
std::optional<double> length_that_outweighs(const Card&, double texts, StoredBytes, double longest = 0x1p40);
/// The least number of texts from which on writing is limited by arithmetic; none up to `most`.
std::optional<double> texts_that_fill(const Machine&, const Card&, double length, StoredBytes,
                                      double most = 0x1p30);

}  // namespace orrery::model
