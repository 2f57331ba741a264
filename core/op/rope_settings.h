// What the settings of a call to rope, or the config that they name, say about how pairs turn.
#pragma once

#include <vector>

#include "core/op/op.h"
#include "core/position/rope.h"
#include "core/position/rope_frequencies.h"
#include "core/position/self_extend.h"
#include "core/position/xpos.h"

namespace orrery::op {

/// What turns the pairs, whoever said it.
struct RopeRotation {
  std::vector<double> inv_freq = {};
  double attention_factor = 1;
  position::RopeLayout layout = position::RopeLayout::interleaved;
  tensor::Index first = 0;             ///< column from which on they turn
  bool latent = false;                 ///< of a config with multi-head latent attention
  std::vector<int> axis_of_pair = {};  ///< of a position; all 0 for one axis
  int axes = 1;
  std::vector<position::RopeWarning> warnings = {};
};

/// For rows of `width` columns and a text of `length` tokens.
RopeRotation rope_rotation(const Call&, tensor::Index width, double length);

position::ScoreSide score_side(const parameter::Settings&);
position::SelfExtendParams self_extend_params(const parameter::Settings&);
position::XposParams xpos_params(const parameter::Settings&);

}  // namespace orrery::op
