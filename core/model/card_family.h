// What the layers of a model family are made of, and the sizes that its configuration class takes where the file is silent.
//
// Source     Hugging Face transformers, configuration_*.py and modeling_*.py, 4.57; the models' own code for those that ship
//            theirs (Qwen, MPT); the papers for those that were never published as files: 1706.03762, 2005.14165, 2204.02311.
#pragma once

#include <span>

#include "core/model/card.h"

namespace orrery::model {

struct CardFamily {
  std::string_view model_type;  ///< as plain_type spells it
  Stacks stacks = Stacks::decoder;
  NormKind norm = NormKind::rms_norm;
  NormPlace place = NormPlace::pre;
  double eps = 1e-6;  ///< 0: nobody says
  bool norm_bias = false, weight_offset = false, final_norm = true, embedding_norm = false;
  QueryKeyNorm query_key = QueryKeyNorm::none;
  bool parallel = false;
  std::string_view activation = "silu";
  bool gated = true;
  bool query_bias = false, output_bias = false, feed_forward_bias = false;
  bool tied = false;
  // Sizes; 0: the class has none of its own.
  int layers = 0, width = 0, heads = 0;
  int kv_heads = 0;    ///< 0: as many as heads
  int head_width = 0;  ///< 0: width / heads
  int hidden = 0;      ///< 0: 4 · width
  int vocabulary = 0, longest = 0;
};

/// In alphabetical order.
std::span<const CardFamily> card_families();
/// nullptr: not among them.
const CardFamily* card_family(std::string_view plain_type);

}  // namespace orrery::model
