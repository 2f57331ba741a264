// What attention/heads is asked for: the words, and the matrices that every head has.
#pragma once

#include <string>
#include <vector>

#include "app/study/attention/multi_head.h"
#include "core/attention/attention.h"
#include "core/parameter/settings.h"

namespace orrery::study::attention_heads {

using tensor::Index;
using twin::Matrix;

struct Sentence {
  std::vector<std::string> words;
  Matrix x;
};

struct Asked {
  Sentence text, source;
  HeadsAsked heads;
  HeadWeights weights;
  Index width = 1, head = 0;
  bool cross = false, tied = false, one_projection = false;

  Index head_width() const { return width / heads.heads; }
  Index group() const { return heads.heads / heads.key_heads; }
  Index key_head(Index h) const { return attention::key_value_head(h, heads.heads, heads.key_heads); }
};

/// Throws InvalidArgument where a text has no word, or more than 48.
Asked asked_of(const parameter::Settings&);
/// All steps of all heads.
MultiHead all_of(const Run&, const Asked&);

}  // namespace orrery::study::attention_heads
