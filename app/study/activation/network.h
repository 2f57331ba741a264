// A random network of one function, run forwards and backwards: what activation/flow shows.
//
//   direct     x_{l+1} = f(N(x_l) W)             residual   x_{l+1} = x_l + f(N(x_l) W) V
//
// N is a norm without learned weights, or nothing. A row is an input. Matrices are n × n, their elements normal.
#pragma once

#include <cstdint>
#include <vector>

#include "app/study/twin.h"

namespace orrery::study {

enum class NormBetween { nothing, layer_norm, rms_norm };

struct NetworkShape {
  activation::Kind kind = activation::Kind::relu;
  bool residual = false;
  NormBetween norm = NormBetween::nothing;
  tensor::Index depth = 16, width = 64, inputs = 64;
  double deviation = 1, outgoing = 1;  ///< of the elements of W and, on the residual stream, of V
};

struct Flow {
  std::vector<twin::Matrix> values;     ///< x_0 … x_L
  std::vector<twin::Matrix> gradients;  ///< g_0 … g_L; g_L is normal numbers
  std::vector<twin::Matrix> slopes;     ///< f' at every unit of every layer
  twin::Matrix first_inputs;            ///< what f is given in the first layer
  /// ⟨g_l, v_l⟩, v_l what a small change of the input becomes at layer l, is the same for every l: by how much it is not, and
  /// how much that may be.
  double adjoint = 0, adjoint_slack = 0;
};

Flow flow_through(const Run&, const NetworkShape&, std::uint64_t seed);

}  // namespace orrery::study
