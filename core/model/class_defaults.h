// What the configuration class of a model family takes where its file is silent: files are published without the
// values that the class has anyway.
//
// Source     Hugging Face transformers, configuration_*.py, versions 4 and 5 where they differ; the models' own code for
//            those that ship theirs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/position_kinds.h"

namespace orrery::model {

/// Which layers of a family have no rotary positions, unless the file says otherwise.
enum class WithoutRope : std::uint8_t { none, full_layers, every_fourth };

struct ClassDefaults {
  std::string_view model_type;  ///< as plain_type spells it
  Stacks stacks = Stacks::decoder;
  double base = 10000;
  double base_v5 = 0;     ///< of version 5, where it is another; 0: the same
  double local_base = 0;  ///< of the layers with a window, where they have their own; 0: the same
  double partial = 1;     ///< the part of a head that turns
  int rotary_dim = 0;     ///< that part in columns, where the class has it so
  int hidden = 4096, heads = 32;
  int head_dim = 0;                ///< 0: hidden / heads
  int nope_dim = 0, rope_dim = 0;  ///< of multi-head latent attention
  double longest = 0;              ///< tokens; 0: the class has none
  double window = 0;               ///< of sliding layers, tokens; 0: none
  double chunk = 0;                ///< of chunked layers, tokens
  int full_every = 0;       ///< every n-th layer sees the whole text; 0: none does, where there is a window
  double query_scalar = 0;  ///< scores are divided by its root; 0: by the head width's
  double multiplier = 0;    ///< of the scores, in place of 1/√d; 0: none
  bool unscaled = false;    ///< scores are not divided at all: queries and keys are normalised
  WithoutRope without = WithoutRope::none;
  std::string_view rope = {};  ///< the rope dictionary, as JSON, where the class has one
};

/// In alphabetical order.
std::span<const ClassDefaults> all_class_defaults();
/// nullptr: not among them.
const ClassDefaults* class_defaults(std::string_view plain_type);

}  // namespace orrery::model
