// Queries and keys from settings, and the steps from them to weights.
#pragma once

#include <string>
#include <vector>

#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study {

struct Vectors {
  twin::Matrix q, k;
};

struct Attention {
  Vectors vectors;            ///< as they meet: turned when RoPE is on
  twin::Matrix free, masked;  ///< scores without and with the mask
  twin::Matrix weights;
};

/// What stands at each position, where queries and keys are those of words: divided by spaces, and Chinese letter by letter.
/// Empty where the content is another. Throws InvalidArgument where the text has no word, or more than 512.
std::vector<std::string> words_at(const parameter::Settings&);
/// How many queries and keys there are.
tensor::Index length_of(const parameter::Settings&);

attention::Mask mask_of(const parameter::Settings&);
double scale_of(const parameter::Settings&);
/// cos and sin of the positions 0, 1, 2 …
position::RopeTable positions_table(const parameter::Settings&);
Vectors turned(const Run&, const Vectors&, const position::RopeTable&);

Attention attend(const parameter::Settings&, const Run&);
/// The vectors as they meet, turned by the run's device where RoPE is on: the first step of attend().
Vectors vectors_that_meet(const parameter::Settings&, const Run&);

}  // namespace orrery::study
