// The frequency of a pair worked out: the formula of its rule with the rule's numbers put in.
#pragma once

#include <string_view>

#include "app/study/kit/worked.h"
#include "core/position/rope_frequencies.h"

namespace orrery::study {

/// b^(−2i/R), what every rule begins with.
worked::Term plain_frequency(const position::RopeRule&, tensor::Index pair);

/// `letter`_i by the rule; of a pair between kept and divided its share g_i first.
void add_frequency(Worked&, std::string_view letter, const position::RopeRule&, tensor::Index pair);

/// a, where the rule has a formula for it and the file does not give it.
void add_attention_factor(Worked&, const position::RopeRule&);

/// A pair that tells most about a rule: the middle one of those that it neither keeps nor divides, else the slowest that
/// turns.
tensor::Index worked_pair(const position::RopeRule&);

}  // namespace orrery::study
