// The numbers that a model starts with.
//
//   normal          N(0, deviation²)                       GPT-2: 0.02
//   lecun_normal    N(0, 1/inputs)
//   xavier_normal   N(0, 2/(inputs + outputs))             Glorot, Bengio, 2010; Xiong et al., arXiv 2002.04745
//   xavier_uniform  U(±√(6/(inputs + outputs)))            nn.Transformer
//   he_normal       N(0, 2/inputs)                         He et al., 1502.01852
//
// Biases are 0, gains 1. Rows that are looked up are N(0, embedding_deviation²) whatever the kind; FIRE's network is
// lecun_normal. Matrices that end in the stream (attention's output, the network's last) may be divided by √R, R the number of
// residual connections of their stack (GPT-2: √2N), or be 0; the gain of a norm that stands behind a sublayer and before
// the sum may begin at 0, which makes a block begin as the identity (Goyal et al., 1706.02677); that of a norm before a
// sublayer may begin at another number than 1 too. With deep_norm placement V, the outputs and the networks are multiplied
// by β.
//
// Every array draws from a stream of its own that its name gives (a Philox counter, core/tensor/random.h): the same on every
// machine, and the same whatever other arrays a model has, so that two placements start with the same matrices. A float model
// has the double model's numbers, rounded.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/transformer/transformer.h"

namespace orrery::transformer {

enum class Spread { normal, lecun_normal, xavier_normal, xavier_uniform, he_normal };
/// What is done to matrices that end in the stream.
enum class IntoStream { as_others, divided, zero };

struct Initialisation {
  Spread spread = Spread::normal;
  double deviation = 0.02;  ///< of `normal`
  double embedding_deviation = 0.02;
  IntoStream into_stream = IntoStream::divided;
  double inner_gain = 1;   ///< of norms behind a sublayer and before the sum
  double before_gain = 1;  ///< of norms before a sublayer
};

/// How one array begins: numbers of this deviation about 0 or, where that is 0, one constant.
struct Beginning {
  double deviation = 0, constant = 0;
  bool uniform = false;  ///< else normal
};
Beginning beginning_of(const Config&, const NamedSlot&, const Initialisation&);

/// The numbers of an array before they are scaled, of deviation 1: a model has its deviation times these.
void standard_draws(std::string_view name, bool uniform, std::uint64_t seed, std::span<double> draws);

template <class T>
std::vector<T> initial_values(const Config&, const Layout&, const Initialisation&, std::uint64_t seed);

/// Of a model.
template <class T>
std::vector<T> initial_values(const Transformer<T>& model, const Initialisation& start, std::uint64_t seed) {
  return initial_values<T>(model.config(), model.layout(), start, seed);
}

}  // namespace orrery::transformer
